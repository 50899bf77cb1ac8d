"""What is counted over a run, from the forge's own books and from the journal."""

from collections import Counter
from dataclasses import dataclass, field

from domain.core.event import EventBody, JournaledEvent
from tests.chaos.publications.team import Story
from tests.forge.double import Double

NEVER = (
    "opened_twice",
    "answered_twice",
    "reworked_twice",
    "merged_twice",
    "merged_without_word",
    "issues_twice",
    "issues_lost",
)
"""What there must be none of."""


@dataclass
class Outcome:
    """What was counted over the pull requests and issues of one seed."""

    seed: int
    stories: list[Story] = field(default_factory=list)
    opened_twice: int = 0
    answered_twice: int = 0
    reworked_twice: int = 0
    merged_twice: int = 0
    merged_without_word: int = 0
    issues: int = 0
    issues_twice: int = 0
    issues_lost: int = 0
    said: int = 0
    answered: int = 0
    reworks: int = 0
    cards: int = 0
    cards_twice: int = 0
    comments: int = 0
    kills: int = 0
    moods: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    violations: list[str] = field(default_factory=list)

    @property
    def stuck(self) -> list[Story]:
        """The pull requests that did not come to their end in time."""
        return [story for story in self.stories if story.stuck_at]

    def count(self, double: Double, journaled: dict[str, list[JournaledEvent]]) -> None:
        """Count what must not be, and how often there was an occasion for it."""
        self._count_forge(double)
        for thread, events in journaled.items():
            bodies = [e.event.body for e in {e.position: e for e in events}.values()]
            self._count_events(bodies)
            story = next((each for each in self.stories if each.thread == thread), None)
            if story is not None and self._is_unsaid(double, story, bodies):
                self.merged_without_word += 1
        for name in NEVER:
            if count := getattr(self, name):
                self.violations.append(f"{name.replace('_', ' ')}: {count}")
        self.violations += [f"stuck {s.thread} #{s.number}: {s.stuck_at}" for s in self.stuck]

    def _count_forge(self, double: Double) -> None:
        self.opened_twice = sum(count - 1 for count in double.opened.values())
        self.comments = double.written.total()
        self.answered_twice = sum(count - 1 for count in double.written.values())
        threads = [thread for pull in double.pulls.values() for thread in pull.threads]
        for thread in threads:
            answers = sum(each.author is double.me for each in thread.comments)
            self.answered += bool(answers)
            self.answered_twice += max(0, answers - 1)
        self.said = len(threads)
        merges = Counter(number for _, number, _ in double.merges)
        self.merged_twice = sum(count - 1 for count in merges.values())

    def _count_events(self, bodies: list[EventBody]) -> None:
        opened = Counter(_item_of(b) for b in bodies if b.kind == "pull_request_item_opened")
        self.cards += len(opened)
        self.cards_twice += sum(
            count - 1 for name, count in opened.items() if not name.startswith("unreachable")
        )
        asked = Counter(_item_of(b) for b in bodies if b.kind == "pull_request_rework_asked")
        self.reworks += asked.total()
        self.reworked_twice += sum(count - 1 for count in asked.values())

    def _is_unsaid(self, double: Double, story: Story, bodies: list[EventBody]) -> bool:
        """Tell whether it was merged through us at a commit that neither a person nor the policy named."""
        pull = double.pulls.get((double.path, story.number))
        is_ours = any(number == story.number for _, number, _ in double.merges)
        if pull is None or pull.state != "merged" or (story.way == "by_hand" and not is_ours):
            return False
        asked = [b.model_dump() for b in bodies if b.kind == "pull_request_merge_asked"]
        policys = {each["commit"] for each in asked if each["is_by_policy"]}
        return pull.commit not in (policys if story.way == "policy" else story.merges)


def _item_of(body: EventBody) -> str:
    return body.model_dump()["item"]["item_id"]
