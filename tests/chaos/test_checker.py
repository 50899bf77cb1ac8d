"""The checker finds every kind of violation: each is planted into what an undisturbed run left."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from domain.conversations.events import PromptSent, TurnStarted
from domain.core.approvals import Choice
from domain.core.event import JournaledEvent
from domain.tasks import events as task_events
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads.running import decision_events
from tests.chaos.checker import violations
from tests.chaos.evidence import Leftovers, Thread
from tests.chaos.jobs import JOBS
from tests.chaos.run import ChaosRun

pytestmark = pytest.mark.e2e
LATER = timedelta(seconds=90)
Plant = Callable[[Thread], Thread]


@pytest.fixture(scope="session")
async def threads(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Thread]:
    """One thread of every job, with nothing killed."""
    outcome = await ChaosRun(tmp_path_factory.mktemp("quiet"), 1, affected=0).run(len(JOBS))
    assert outcome.violations == []
    return outcome.threads


def with_events(thread: Thread, events: Sequence[JournaledEvent]) -> Thread:
    """Put another journal into a thread, as its stream told it too."""
    return replace(thread, events=tuple(events), streamed=tuple(events))


def position(thread: Thread, kind: type, task: str = "", number: int = 0) -> int:
    """Return where the n-th event of a kind is, in the streams of a task."""
    return [
        at
        for at, journaled in enumerate(thread.events)
        if isinstance(journaled.event.body, kind) and task in journaled.event.stream
    ][number]


def without(kind: type, task: str = "", number: int = 0) -> Plant:
    def plant(thread: Thread) -> Thread:
        at = position(thread, kind, task, number)
        return with_events(thread, (*thread.events[:at], *thread.events[at + 1 :]))

    return plant


def changed(kind: type, task: str = "", **update: object) -> Plant:
    """Change fields of the first event of a kind."""

    def plant(thread: Thread) -> Thread:
        events = list(thread.events)
        at = position(thread, kind, task)
        event = events[at].event
        body = event.body.model_copy(update=update)
        events[at] = events[at].model_copy(
            update={"event": event.model_copy(update={"body": body})}
        )
        return with_events(thread, events)

    return plant


def outcome_of(kind: type, **update: object) -> Plant:
    def plant(thread: Thread) -> Thread:
        body = thread.events[position(thread, kind)].event.body
        return changed(kind, outcome=body.outcome.model_copy(update=update))(thread)

    return plant


def again(kind: type, task: str = "") -> Plant:
    """Journal an event once more at the end, under an id of its own."""

    def plant(thread: Thread) -> Thread:
        first = thread.events[position(thread, kind, task)]
        event = first.event.model_copy(update={"id": f"{first.event.id}-again"})
        last = first.model_copy(update={"event": event, "position": thread.events[-1].position + 1})
        return with_events(thread, (*thread.events, last))

    return plant


def swapped(first: type, second: type, task: str = "") -> Plant:
    """Exchange the places of two events."""

    def plant(thread: Thread) -> Thread:
        events = list(thread.events)
        a, b = position(thread, first, task), position(thread, second, task)
        events[a], events[b] = (
            events[b].model_copy(update={"position": events[a].position}),
            events[a].model_copy(update={"position": events[b].position}),
        )
        return with_events(thread, events)

    return plant


def unsaid(kind: str) -> Plant:
    return lambda thread: replace(
        thread, sent=tuple(sent for sent in thread.sent if sent.kind != kind)
    )


def sent(kind: str, **update: object) -> Plant:
    """Change what the person sent or was answered."""
    return lambda thread: replace(
        thread, sent=tuple(replace(s, **update) if s.kind == kind else s for s in thread.sent)
    )


def said_later(kind: str) -> Plant:
    return lambda thread: replace(
        thread,
        sent=tuple(replace(s, at=s.at + LATER) if s.kind == kind else s for s in thread.sent),
    )


def line_again(step: str, run: str | None = None, *, at_end: bool = True) -> Plant:
    """Write a step's first line again: at the end of the log, or just after its start."""

    def plant(thread: Thread) -> Thread:
        first = next(line for line in thread.lines if line.step == step)
        line = first._replace(run=run or first.run)
        place = len(thread.lines) if at_end else thread.lines.index(first) + 1
        return replace(thread, lines=(*thread.lines[:place], line, *thread.lines[place:]))

    return plant


def repository(**update: object) -> Plant:
    return lambda thread: replace(thread, repository=replace(thread.repository, **update))


def merged_twice(thread: Thread) -> Thread:
    merges = thread.repository.merges
    return repository(merges=(*merges, replace(merges[0], commit="0" * 40)))(thread)


def merged_early(thread: Thread) -> Thread:
    merges = tuple(replace(m, at=m.at - LATER) for m in thread.repository.merges)
    return repository(merges=merges)(thread)


def touched(name: str) -> Plant:
    return lambda thread: repository(own={**thread.repository.own, name: "other"})(thread)


def doubled(thread: Thread) -> Thread:
    return with_events(thread, (*thread.events[:9], thread.events[8], *thread.events[9:]))


def cut_stream(thread: Thread) -> Thread:
    return replace(thread, streamed=(*thread.streamed[:5], *thread.streamed[6:]))


PLANTED: dict[str, tuple[str, Plant, str]] = {
    "an event twice": ("pair", doubled, "is_whole"),
    "an event that the stream left out": ("pair", cut_stream, "is_whole"),
    "two events in the wrong order": (
        "pair",
        swapped(task_events.VerificationStarted, task_events.VerificationEnded, "left"),
        "is_whole",
    ),
    "a plan without its end": ("pair", without(thread_events.PlanCompleted), "is_finished"),
    "a prompt sent twice": ("pair", again(PromptSent), "is_prompted_once"),
    "a gate without verification": (
        "pair",
        without(task_events.VerificationEnded, "left"),
        "is_by_the_rules",
    ),
    "a verification without a report": (
        "pair",
        without(task_events.ReportReceived, "left"),
        "is_by_the_rules",
    ),
    "a task that went on after its end": (
        "pair",
        again(TurnStarted, "left"),
        "is_by_the_rules",
    ),
    "a plan that nobody approved": (
        "pair",
        without(thread_events.PlanDecided),
        "is_merged_after_its_gate",
    ),
    "a merge without a gate": (
        "pair",
        without(task_events.GateDecided, "left"),
        "is_merged_after_its_gate",
    ),
    "a task without its decision": (
        "choice",
        without(decision_events.DecisionMade),
        "is_in_order",
    ),
    "a completed task that changed": ("pair", again(thread_events.TaskUpdated), "is_in_order"),
    "a retry used up by a fault": (
        "pair",
        changed(task_events.VerificationEnded, "left", passed=False),
        "is_patient",
    ),
    "an approval that nobody sent": ("pair", unsaid("approve"), "is_decided_by_the_person"),
    "an approval of other content": (
        "pair",
        outcome_of(thread_events.PlanDecided, content_hash="0" * 64),
        "is_decided_by_the_person",
    ),
    "an approval before it was sent": (
        "pair",
        said_later("approve"),
        "is_decided_by_the_person",
    ),
    "a gate of a person passed by policy": (
        "choice",
        outcome_of(task_events.GateDecided, by="policy", choice=Choice.APPROVE),
        "is_decided_by_the_person",
    ),
    "a merge before the approval": ("pair", merged_early, "is_merged_after_the_approval"),
    "a command refused when sent again": (
        "pair",
        sent("approve", status=409),
        "is_answered_well",
    ),
    "a command without an answer": ("pair", sent("approve", status=0), "is_answered_well"),
    "a decision forgotten": ("choice", without(decision_events.DecisionMade), "is_remembered"),
    "a retry that counted twice": ("again", unsaid("retry"), "is_remembered"),
    "two writers in a worktree": (
        "pair",
        lambda thread: line_again("left.task.2")(
            line_again("left.task.2", "other", at_end=False)(thread)
        ),
        "has_one_writer",
    ),
    "a step of a turn repeated": ("pair", line_again("left.task.1"), "repeats_nothing"),
    "a step run when nothing was asked": (
        "pair",
        lambda thread: replace(
            thread, lines=tuple(x._replace(at=x.at + 10 * LATER) for x in thread.lines)
        ),
        "repeats_nothing",
    ),
    "a task merged twice": ("pair", merged_twice, "is_merged_once"),
    "a task not merged": ("pair", repository(merges=()), "is_merged_once"),
    "a file lost in a merge": ("pair", repository(files={}), "is_merged_once"),
    "the user's index touched": ("pair", touched("index"), "leaves_the_repository_whole"),
    "the user's branches touched": ("pair", touched("refs"), "leaves_the_repository_whole"),
    "a worktree left": ("pair", repository(worktrees=2), "leaves_the_repository_whole"),
    "a lock left": ("pair", repository(locks=("index.lock",)), "leaves_the_repository_whole"),
    "a damaged repository": ("pair", repository(damage="missing"), "leaves_the_repository_whole"),
}


@pytest.mark.parametrize("what", PLANTED)
async def test_the_checker_finds(what: str, threads: Sequence[Thread]):
    job, plant, check = PLANTED[what]
    whole = next(thread for thread in threads if thread.job.name == job)
    assert violations([whole], Leftovers()) == []
    found = violations([plant(whole)], Leftovers())
    assert [words for words in found if f" {check}: " in words], found


@pytest.mark.parametrize(
    "left",
    [
        Leftovers(processes=("sleep 1",)),
        Leftovers(runs=("a.json",)),
        Leftovers(activities=("a.json",)),
        Leftovers(ports=("thread-a/task",)),
    ],
    ids=["a process", "a run", "an activity", "a port"],
)
async def test_the_checker_finds_what_is_left(left: Leftovers):
    assert violations([], left)


def test_a_task_that_is_not_completed_is_lost(threads: Sequence[Thread]):
    thread = threads[0]
    at = max(
        at
        for at, journaled in enumerate(thread.events)
        if isinstance(journaled.event.body, thread_events.TaskUpdated)
        and journaled.event.body.new_status is TaskStatus.COMPLETED
    )
    cut = with_events(thread, thread.events[:at])
    assert [words for words in violations([cut], Leftovers()) if "is_finished" in words]
