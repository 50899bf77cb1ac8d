"""A hundred random runs over trackers with moods, and with kills between a request and what is recorded of it.

Whatever happens, each wanted issue is one entry of the queue in the end, which was told there once.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from random import Random
from typing import Any, cast

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.tracker_follows import TrackerFollows
from activities.tracker_looks import TrackerLooks
from adapters.trackers.configured import ConfiguredTrackers, ThreadDefaults
from domain.core.errors import NotFoundError
from domain.core.event import EventBody
from domain.forges.issues import TrackerKind
from domain.forges.ports import Tracker
from domain.forges.projects import ForgeKind
from domain.queue.commands import EnqueueScheduled, RemoveEntry
from domain.queue.errors import QueueFullError
from domain.trackers.calls import IssueCall, LookCall
from domain.trackers.notes import NoteEnqueued, NoteFollowed, NoteLook
from domain.trackers.rules import decide, evolve
from domain.trackers.source import TrackerSource
from domain.trackers.state import Stage, TrackerState
from tests.forge.double import Double, forge_double
from tests.forge.moods import Moods
from tests.trackers.doubles import tracker_double
from tests.trackers.test_adapters import KINDS, OWN, Doubled, made_for

pytestmark = pytest.mark.e2e

SEEDS = range(25)
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
STEPS = 12
KILLS = 0.2
"""How many of the activities are not recorded, as the worker dies."""
CALM_LOOKS = 4


class Queue:
    """A queue that knows each id that was ever in it, and starts nothing; a journal without threads."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.known: set[str] = set()
        self.room = 1000

    async def enqueue(self, scheduled: EnqueueScheduled) -> None:
        if scheduled.entry.entry_id not in self.known:
            if len(self.waiting) >= self.room:
                raise QueueFullError("the queue is full")
            self.known.add(scheduled.entry.entry_id)
            self.waiting.append(scheduled.entry.entry_id)

    async def send(self, stream: str, command: RemoveEntry) -> None:
        if command.entry_id not in self.waiting:
            raise NotFoundError(f"{stream} has no {command.entry_id}")
        self.waiting.remove(command.entry_id)

    async def read(self, *_: object, **__: object) -> list[object]:
        return []

    async def put_text(self, text: str) -> str:
        return str(len(text))

    async def open_headlines(self, _: object) -> list[object]:
        return []


class Run:
    """One run: a tracker, a queue, and the rules of the workflow; what is killed is not recorded."""

    def __init__(
        self, double: Doubled, seed: int, queue: Queue | None = None, key: object = None
    ) -> None:
        self.random = Random(seed)  # noqa: S311 - repeatable on purpose
        self.double = double
        self.queue = queue or Queue()
        self.state = TrackerState()
        self.is_killed = True
        source = TrackerSource(
            name="work",
            kind=TrackerKind(double.kind.value),
            host="host.example",
            project=double.path,
            label="treadle",
            repository="/repo",
            approvers={"ann": "ann"},
        )
        trackers = ConfiguredTrackers(
            {"work": (source, self.tracker_of(double))}, ThreadDefaults(agent="fake")
        )
        fake = cast("Any", self.queue)
        self.looks = TrackerLooks(trackers, fake, fake)
        self.follows = TrackerFollows(trackers, fake, fake, cast("Any", key))

    def tracker_of(self, double: Doubled) -> Tracker:
        """Return what speaks with the tracker."""
        return made_for(double)

    def record(self, command: object) -> None:
        events: tuple[EventBody, ...] = decide(self.state, cast("Any", command), NOW).events
        for event in events:
            self.state = evolve(self.state, event)

    async def done(self, activity: Callable[[Any], Awaitable[Any]], call: object) -> Any:
        """Carry an activity out until it is recorded: where the worker dies before, people act, and it is tried again."""
        while True:
            try:
                result = await ActivityEnvironment().run(activity, call)
            except ApplicationError:
                assert self.is_killed, "it failed though the tracker is well"
                continue
            if not self.is_killed or self.random.random() > KILLS:
                return result
            self.act()

    async def look(self) -> None:
        """Do what the workflow does in a round; pages come in any order, and with repeats."""
        known = tuple(issue.ref.id for issue in self.state.open)
        call = LookCall(name="work", cursor=self.state.cursor, tags=self.state.tags, known=known)
        result = await self.done(self.looks.look_for_issues, call)
        issues = [*result.issues, *result.issues[:1]]
        self.random.shuffle(issues)
        self.record(NoteLook(result=result.model_copy(update={"issues": tuple(issues)})))
        for issue in [each for each in self.state.open if each.stage is Stage.TAKEN]:
            call = IssueCall(name="work", issue=issue)
            result = await self.done(self.looks.enqueue_issue, call)
            about = {"issue_id": issue.ref.id, "entry_id": issue.entry_id}
            self.record(NoteEnqueued.model_validate({**about, "result": result}))
        for issue in [each for each in self.state.open if each.stage is Stage.QUEUED]:
            call = IssueCall(name="work", issue=issue)
            result = await self.done(self.follows.follow_issue, call)
            self.record(NoteFollowed(result=result))
            if result.issue.leaving and not result.withdrawn and not result.problem:
                call = IssueCall(name="work", issue=result.issue)
                result = await self.done(self.follows.follow_issue, call)
                self.record(NoteFollowed(result=result))

    def act(self) -> None:
        """Do what people do: open, label, unlabel, comment and close issues."""
        issues: list[Any] = list(self.double.issues.values())
        chosen = self.random.choice(issues) if issues else None
        self.queue.room = self.random.choice([0, 1, 2, 1000])
        match self.random.randrange(6):
            case 0 | 1:
                labels = self.random.choice(["treadle", "treadle,bug", "bug"])
                self.double.open_issue(self.double.path, "links", login="ann", labels=labels)
            case 2 if chosen is not None:
                self.double.label(chosen, "treadle", login="ann")
            case 3 if chosen is not None:
                self.double.label(chosen, "bug", login="ann")
            case 4 if chosen is not None:
                self.double.comment_as("ann", chosen, "/treadle approve abcdefgh2345")
            case 5 if chosen is not None and self.random.random() < 0.3:
                self.double.close_by_hand(chosen)
            case _:
                pass

    def check(self) -> None:
        """Check that no wanted issue is lost, none is taken twice, and none is told twice."""
        issues: list[Any] = list(self.double.issues.values())
        wanted = {str(i.id) for i in issues if i.is_open and "treadle" in i.labels}
        entries = {i.ref.id: i.entry_id for i in self.state.open}
        assert set(entries) == wanted
        assert sorted(self.queue.waiting) == sorted(entries.values())
        for issue in issues:
            told = [
                str(said.body) for said in issue.comments if "In Treadle's queue" in str(said.body)
            ]
            assert len(told) == len(set(told))
            name = entries.get(str(issue.id))
            assert name is None or len([text for text in told if name in text]) == 1


def doubled(kind: Any, moods: Moods) -> AbstractContextManager[Doubled]:
    return tracker_double(OWN[kind], moods) if kind in OWN else forge_double(kind, moods)


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("seed", SEEDS)
async def test_no_issue_is_lost_or_taken_twice(kind: ForgeKind | TrackerKind, seed: int) -> None:
    moods = Moods(seed=seed, rate=0.25, slow_seconds=0.005)
    with doubled(kind, moods) as double:
        run = Run(double, seed)
        for _ in range(STEPS):
            run.act()
            await run.look()
        run.is_killed, double.moods, run.queue.room = False, None, 1000
        for _ in range(CALM_LOOKS):
            await run.look()
        run.check()
        assert double.wrong == []
        assert not isinstance(double, Double) or double.requests
