"""What the journal of a thread must be, whatever was killed: whole, in order, and a true story."""

import re
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator

from domain.conversations.events import PromptSent
from domain.core.approvals import Choice
from domain.core.ids import ThreadId
from domain.plans.status import PlanStatus
from domain.reading.projection import ThreadFold
from domain.tasks import events as task_events
from domain.tasks.outcomes import POLICY
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads.running import decision_events
from tests.chaos.evidence import Thread
from tests.domain.paper import PaperRun
from tests.domain.watch import paper_run, watch

INTERRUPTED = "# Treadle: interrupted"


def is_finished(thread: Thread) -> Iterator[str]:
    """Nothing lost: the plan is completed, with every task."""
    fold = ThreadFold(ThreadId(thread.thread_id))
    for journaled in thread.events:
        try:
            fold.add(journaled)
        except (LookupError, ValueError) as error:
            yield f"what happened makes no sense from {journaled.position} on: {error!r}"
            return
    if not thread.is_done or fold.thread.plan_status is not PlanStatus.COMPLETED:
        yield f"not finished: its plan is {fold.thread.plan_status}"
    for task in thread.job.tasks:
        entry = next((e for name, e in fold.thread.tasks.items() if name == task.name), None)
        if entry is None or entry.status is not TaskStatus.COMPLETED:
            yield f"task {task.name} is {entry.status if entry else 'unknown'}"


def is_whole(thread: Thread) -> Iterator[str]:
    """Each event once, in order, and the stream with its reconnects tells what is stored."""
    ids = Counter(journaled.event.id for journaled in thread.events)
    yield from (f"event {name} is there {n} times" for name, n in ids.items() if n > 1)
    positions = [journaled.position for journaled in thread.events]
    if positions != sorted(set(positions)):
        yield "positions do not grow"
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for name in ids:
        if found := re.fullmatch(r"(.*)\.(\d+)", name):
            numbers[found[1]].append(int(found[2]))
    for producer, counted in numbers.items():
        if counted != sorted(counted):
            yield f"the events of {producer} are out of order: {counted}"
    if thread.streamed != thread.events[: len(thread.streamed)]:
        yield "the stream told other events than are stored"


def is_prompted_once(thread: Thread) -> Iterator[str]:
    """No prompt is sent twice: after an interruption the agent is told of it instead."""
    sent = [e.event.body for e in thread.events if isinstance(e.event.body, PromptSent)]
    asked = Counter(body.turn_id for body in sent if not body.text.startswith(INTERRUPTED))
    yield from (f"the prompt of {turn} was sent {n} times" for turn, n in asked.items() if n > 1)


def is_by_the_rules(thread: Thread) -> Iterator[str]:
    """Every run of a task goes: done, all steps passed on that tree, gate of that tree, end."""
    papers: dict[str, tuple[PaperRun, int]] = {}
    for journaled in thread.events:
        event = journaled.event
        if isinstance(event.body, task_events.TaskOpened):
            papers[event.stream] = (paper_run(event.body), event.body.run)
        elif event.stream in papers:
            paper, run = papers[event.stream]
            try:
                watch(paper, (event.stream.rpartition("/")[2], run), (event.body,))
            except AssertionError as error:
                rule = traceback.extract_tb(error.__traceback__)[-1].line
                yield f"{event.body.kind} at {journaled.position} in {event.stream} breaks: {rule}"


def is_merged_after_its_gate(thread: Thread) -> Iterator[str]:
    """A plan starts after its approval, and no task is merged before its gate was passed."""
    passed = set[str]()
    is_approved = False
    for journaled in thread.events:
        body, stream = journaled.event.body, journaled.event.stream
        match body:
            case thread_events.PlanDecided(outcome=outcome):
                is_approved = outcome.choice is Choice.APPROVE and outcome.by != POLICY
            case thread_events.PlanStarted() if not is_approved:
                yield "a plan started that nobody approved"
            case task_events.GateDecided(outcome=outcome) if outcome.choice is Choice.APPROVE:
                passed.add(stream.rpartition("/")[2])
            case thread_events.TaskMerged(task_id=name) if name not in passed:
                yield f"{name} was merged before its gate"
            case _:
                pass


def is_in_order(thread: Thread) -> Iterator[str]:
    """Tasks start after what they need and its decision, and completed ones never change."""
    status: dict[str, TaskStatus] = {}
    has_decided = False
    for body in (journaled.event.body for journaled in thread.events):
        if isinstance(body, decision_events.DecisionMade):
            has_decided = True
        elif isinstance(body, thread_events.TaskUpdated):
            name, new, work = body.task_id, body.new_status, thread.job.work(body.task_id)
            if status.get(name) is TaskStatus.COMPLETED:
                yield f"{name} was completed and is {new} now"
            missing = [need for need in work.needs if status.get(need) != TaskStatus.COMPLETED]
            missing += ["its decision"] if work.is_decided and not has_decided else []
            if new is TaskStatus.RUNNING and missing:
                yield f"{name} started before {missing}"
            status[name] = new


def is_patient(thread: Thread) -> Iterator[str]:
    """A fault of the machine is no failed verification: it uses up no retry."""
    failures: Counter[tuple[str, int]] = Counter()
    runs: dict[str, int] = {}
    for journaled in thread.events:
        body, name = journaled.event.body, journaled.event.stream.rpartition("/")[2]
        if isinstance(body, task_events.TaskOpened):
            runs[name] = body.run
        elif isinstance(body, task_events.VerificationEnded) and not body.passed:
            failures[name, runs.get(name, 0)] += 1
    for (name, run), count in failures.items():
        if count > thread.job.work(name).faults:
            yield f"{name}, run {run}: {count} failed verifications, expected {thread.job.work(name).faults}"
