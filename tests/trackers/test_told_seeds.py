"""Random runs over whole lives of issues: whatever is killed, no comment is told twice, and none is lost.

Plans, decisions, the end, the pull request and its merge are told by trackers with moods, and the worker dies between a
comment and whatever would have remembered it.
"""

import re
from collections import Counter
from typing import Any, cast

import pytest

from adapters.trackers.documents import text_of
from domain.core.command import Answer
from domain.core.errors import WrongStateError
from domain.core.event import Headline
from domain.forges.issues import IssueId, TrackerKind
from domain.forges.ports import Tracker
from domain.forges.projects import ForgeKind
from domain.queue.commands import RemoveEntry
from domain.trackers.state import Stage, TrackedIssue
from tests.forge.double import Double
from tests.forge.moods import Moods
from tests.trackers.test_adapters import KINDS, Doubled, made_for
from tests.trackers.test_seeds import KILLS, Queue, Run, doubled
from tests.trackers.works import Works

pytestmark = pytest.mark.e2e

SEEDS = range(12)
STEPS = 14
CALM_LOOKS = 12
OURS = "treadle-bot"
_MARK = re.compile(r"<!-- treadle:(\w+) -->")
_CODE = re.compile(r"/treadle approve (\w+)")


class Key:
    """The key that codes are made with."""

    def read(self) -> bytes:
        return b"k" * 32


class WorkerKilledError(Exception):
    """The worker dies: nothing of what its activity found is remembered."""


class Starting(Queue):
    """A queue whose entries start, with the journal of their threads and the door to them."""

    def __init__(self) -> None:
        super().__init__()
        self.works = Works()

    async def send(self, stream: str, command: Any) -> Any:
        if not isinstance(command, RemoveEntry):
            return cast("Answer", self.works.decide(stream, command))
        if command.entry_id in self.works.bodies:
            raise WrongStateError("it has started")
        return await super().send(stream, command)

    async def read(self, stream: str, *, after: int = 0, limit: int) -> list[Any]:
        return self.works.read(stream, after, limit)

    async def open_headlines(self, streams: Any) -> list[Headline]:
        return self.works.headlines(list(streams))


class Killing:
    """A tracker whose answers to comments and closings come to a worker that has just died, at times."""

    def __init__(self, inner: Tracker, run: "Life") -> None:
        self._inner = inner
        self._run = run

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def comment(self, ref: IssueId, text: str, key: str) -> str:
        made = await self._inner.comment(ref, text, key)
        self._run.perhaps_die()
        return made

    async def close(self, ref: IssueId) -> None:
        await self._inner.close(ref)
        self._run.perhaps_die()


class Life(Run):
    """A run in which entries start, and whose plans are decided by comments."""

    def __init__(self, double: Doubled, seed: int) -> None:
        self.entries = Starting()
        self.kills = 0
        super().__init__(double, seed, self.entries, Key())

    def tracker_of(self, double: Doubled) -> Tracker:
        return cast("Tracker", Killing(made_for(double), self))

    def perhaps_die(self) -> None:
        if self.is_killed and self.random.random() < KILLS:
            self.kills += 1
            raise WorkerKilledError

    async def done(self, activity: Any, call: object) -> Any:
        while True:
            try:
                return await super().done(activity, call)
            except WorkerKilledError:
                self.act()

    def act(self) -> None:
        """People act, and work goes on."""
        match self.random.randrange(4):
            case 0:
                super().act()
            case 1:
                self.answer(self.random.choice(["approve", "approve", "reject"]))
            case _:
                self.advance()

    def advance(self) -> None:
        """Start an entry, or take the next step of one that has started."""
        waiting, begun = self.queue.waiting, list(self.entries.works.bodies)
        if waiting and (not begun or self.random.random() < 0.3):
            self.entries.works.start(waiting.pop(0))
        elif begun:
            self.entries.works.go_on(self.random.choice(begun), self.random)

    def answer(self, verb: str) -> None:
        """Comment an order with the code of the newest plan that an issue shows."""
        codes = [(each, _CODE.findall(" ".join(self.told(each)))) for each in self.issues]
        shown = [(each, found[-1]) for each, found in codes if found]
        if shown:
            issue, code = self.random.choice(shown)
            self.double.comment_as("ann", issue, f"/treadle {verb} {code} too much")

    @property
    def issues(self) -> list[Any]:
        return list(self.double.issues.values())

    def told(self, issue: Any) -> list[str]:
        return [
            text_of(each.body) if isinstance(each.body, dict) else each.body
            for each in self.ours(issue)
        ]

    def ours(self, issue: Any) -> list[Any]:
        return [each for each in issue.comments if each.author.login == OURS]

    def mark_of(self, said: Any) -> str:
        """Return what makes a comment the only one of its key, as each tracker keeps it."""
        if isinstance(self.double, Double):
            [mark] = _MARK.findall(said.body)
            return mark
        return said.marks[0]["value"] if said.marks else said.id

    def check_told(self) -> None:
        """Check that nothing stands there twice, and that all that happened does."""
        for issue in self.issues:
            marks = Counter(self.mark_of(each) for each in self.ours(issue))
            assert set(marks.values()) <= {1}, self.told(issue)
        for known in self.state.issues.values():
            if known.entry_id in self.entries.works.bodies:
                self.check_life(known)

    def check_life(self, known: TrackedIssue) -> None:
        [issue] = [each for each in self.issues if str(each.id) == known.ref.id]
        told, state = self.told(issue), self.entries.works.state(known.entry_id)

        def times(words: str) -> int:
            return len([text for text in told if words in text])

        assert times(f"In Treadle's queue as `{known.entry_id}`") == 1
        for plan in state.plans:
            assert times(f"Plan {plan.revision} waits for approval") == 1
        for outcome in state.outcomes.values():
            number = outcome.request_id.removeprefix("plan-")
            assert times(f"Plan {number} was {outcome.spoken} by ann") >= 1
            assert self.entries.works.decided[known.entry_id, outcome.request_id] == 1
        finished = state.publication.finished
        assert times("Pull request: ") == (state.publication.pull_request is not None)
        assert times("Merged as") == (finished is not None and finished.is_merged)
        assert times("closed without being merged") == (
            finished is not None and not finished.is_merged
        )
        assert (known.stage is Stage.ENDED) == (finished is not None)
        if finished is not None and finished.is_merged:
            assert not issue.is_open


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("seed", SEEDS)
async def test_nothing_is_told_twice_or_lost(kind: ForgeKind | TrackerKind, seed: int) -> None:
    moods = Moods(seed=seed, rate=0.2, slow_seconds=0.002)
    with doubled(kind, moods) as double:
        life = Life(double, seed)
        double.open_issue(double.path, "links", login="ann", labels="treadle")
        for _ in range(STEPS):
            life.act()
            await life.look()
        life.is_killed, double.moods, life.queue.room = False, None, 1000
        for _ in range(CALM_LOOKS):
            life.advance()
            life.answer("approve")
            await life.look()
        await life.look()
        life.check_told()
        assert life.entries.works.bodies
        assert double.wrong == []
