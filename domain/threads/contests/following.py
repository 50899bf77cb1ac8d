"""What follows in a contest by itself: its task's status, what is asked, who is stopped and told."""

from collections.abc import Iterable, Iterator

from domain.conversations.messages import A_PERSON
from domain.core.approvals import ApprovalRequest, Choice, Decider, Outcome, Subject
from domain.core.event import EventBody
from domain.core.ids import RequestId, TaskId
from domain.core.task_names import task_name
from domain.plans.best_of import BestOfEnd, letter_of
from domain.plans.templates.template import GatePolicy
from domain.tasks.events import TaskEnd
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads.autonomy import gate_of as gate_policy_of
from domain.threads.contests.deciding import taken_by
from domain.threads.contests.effects import TellCandidate
from domain.threads.contests.events import (
    CandidatePassed,
    CandidateReleased,
    CandidatesShown,
    CandidatesWithdrawn,
    ContestEnded,
)
from domain.threads.contests.standing import (
    Candidates,
    contest_of,
    gate_of,
    hash_of,
    is_ready,
    rows_of,
)
from domain.threads.contests.state import CandidateDecision, CandidateStanding, Contest
from domain.threads.effects import ThreadEffect
from domain.threads.registry import THREAD_RULES
from domain.threads.running.coordination import escalated
from domain.threads.running.execution import blocked, updated
from domain.threads.running.plan_tasks import WAITING
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState

POLICY = "policy"
BEST_OF = "best-of"
_ENDED = frozenset({TaskStatus.FAILED, TaskStatus.CANCELLED, TaskStatus.BLOCKED})


@THREAD_RULES.reacts
def follow_contests(state: ThreadState) -> Iterable[EventBody]:
    """Let each task that several agents do follow its candidates, and those follow it.

    One thing at a time: each sees what the one before brought.
    """
    for task_id, entry in state.tasks.contests():
        contest, candidates = contest_of(task_id, state), state.tasks.candidates_of(task_id)
        if contest.is_over and entry.status is TaskStatus.COMPLETED:
            continue
        for rule in (_release, _abort, _stop, _pass, _status, _ask, _take):
            events = tuple(rule(task_id, contest, candidates, state))
            if events:
                yield from events
                break


def _release(
    task_id: TaskId, contest: Contest, candidates: Candidates, state: ThreadState
) -> Iterator[EventBody]:
    """Take back the choice of a candidate that is no longer as it was shown."""
    del candidates
    if contest.taken is None:
        return
    entry, decision = state.tasks[contest.taken], contest.decided[contest.taken]
    if reason := _lost(entry, decision):
        yield CandidateReleased(task_id=task_id, candidate=contest.taken, reason=reason)


def _lost(entry: ThreadTask, decision: CandidateDecision) -> str:
    """Say why a candidate that was taken is not merged; empty while it is, or will be."""
    if entry.status in _ENDED:
        return entry.notes or "it ended before it was merged"
    if entry.run != decision.run:
        return "its work is done again"
    gate = gate_of(entry)
    is_told = entry.end is not None or entry.status is TaskStatus.COMPLETED
    if not is_told and (gate is None or gate.request_id != decision.gate):
        return "its work changed meanwhile"
    return ""


def _pass(
    task_id: TaskId, contest: Contest, candidates: Candidates, state: ThreadState
) -> Iterator[EventBody]:
    """Note who has passed, in the order in which they did."""
    del state
    for name, entry in candidates:
        if is_ready(name, entry, contest) and name not in contest.passed:
            yield CandidatePassed(
                task_id=task_id,
                candidate=name,
                run=entry.run,
                agent=entry.task.agent or "",
                model=entry.task.model,
                is_first=not contest.passed,
            )
            return


def _abort(
    task_id: TaskId, contest: Contest, candidates: Candidates, state: ThreadState
) -> Iterator[EventBody]:
    """Abort all where their task is to be aborted, whoever asked for it; what is being merged goes on."""
    del contest
    above = state.tasks[task_id]
    if not above.is_abort_requested:
        return
    by, reason = above.aborted_by, above.abort_reason
    for name, entry in candidates:
        is_stoppable = entry.end is None or name in state.merges.open
        if entry.status.is_at_work and not entry.is_abort_requested and is_stoppable:
            yield thread_events.TaskAbortRequested(task_id=name, by=by, reason=reason)
        elif entry.status in WAITING:
            yield updated(state, name, TaskStatus.CANCELLED, f"aborted by {by or A_PERSON}")


def _stop(
    task_id: TaskId, contest: Contest, candidates: Candidates, state: ThreadState
) -> Iterator[EventBody]:
    """Stop the others once one is taken and has ended, or once the first has passed, as the plan says."""
    why = _why_stopped(task_id, contest, candidates, state)
    if not why:
        return
    keeps = contest.taken or next((n for n, e in candidates if is_ready(n, e, contest)), None)
    for name, entry in candidates:
        if name == keeps:
            continue
        if entry.status.is_at_work and not entry.is_abort_requested and entry.end is None:
            yield thread_events.TaskAbortRequested(task_id=name, by=BEST_OF, reason=why)
        elif entry.status in WAITING:
            yield updated(state, name, TaskStatus.CANCELLED, f"stopped: {why}")


def _why_stopped(
    task_id: TaskId, contest: Contest, candidates: Candidates, state: ThreadState
) -> str:
    taken = state.tasks[contest.taken] if contest.taken else None
    if taken is not None and (
        taken.end is TaskEnd.ACCEPTED or taken.status is TaskStatus.COMPLETED
    ):
        return f"candidate {letter_of(taken.task.id)} was taken"
    best_of = state.tasks[task_id].task.best_of
    is_first = best_of is not None and best_of.ends is BestOfEnd.FIRST_PASSED
    ready = [name for name, entry in candidates if is_ready(name, entry, contest)]
    # those that a person has going again, or adds, after the first had passed work to their end
    if is_first and contest.number == 0 and contest.taken is None and ready:
        return f"candidate {letter_of(ready[0])} passed first"
    return ""


def _status(
    task_id: TaskId, contest: Contest, candidates: Candidates, state: ThreadState
) -> Iterator[EventBody]:
    """Let the task stand where its candidates do."""
    entry = state.tasks[task_id]
    statuses = [each.status for _, each in candidates]
    if contest.taken is not None and state.tasks[contest.taken].status is TaskStatus.COMPLETED:
        if not any(status.is_at_work for status in statuses):
            yield from _completed(task_id, contest, state)
        return
    if any(status.is_at_work for status in statuses):
        if not entry.status.is_at_work:
            yield updated(state, task_id, TaskStatus.RUNNING, run=state.next_run(task_id))
        return
    yield from _down(entry, candidates, state)
    if any(status in WAITING for status in statuses):
        is_undecided = TaskStatus.NEEDS_DECISION in statuses
        wanted = TaskStatus.NEEDS_DECISION if is_undecided else TaskStatus.PENDING
        if entry.status in WAITING and entry.status is not wanted:
            yield updated(state, task_id, wanted)
    elif entry.status.is_at_work:
        yield from _failed(task_id, candidates, state)


def _completed(task_id: TaskId, contest: Contest, state: ThreadState) -> Iterator[EventBody]:
    if contest.taken is None:
        return
    taken = state.tasks[contest.taken].task
    if not contest.is_over:
        yield ContestEnded(
            task_id=task_id,
            candidate=contest.taken,
            agent=taken.agent or "",
            model=taken.model,
            passed=contest.passed,
        )
    yield updated(state, task_id, TaskStatus.COMPLETED, f"by candidate {letter_of(contest.taken)}")


def _down(entry: ThreadTask, candidates: Candidates, state: ThreadState) -> Iterator[EventBody]:
    """Let candidates that have not begun follow their task: blocked, cancelled, or free again."""
    for name, each in candidates:
        if entry.status in {TaskStatus.BLOCKED, TaskStatus.CANCELLED} and each.status in WAITING:
            yield updated(state, name, entry.status, entry.notes)
        elif entry.status is TaskStatus.PENDING and each.status is TaskStatus.BLOCKED:
            yield updated(state, name, TaskStatus.PENDING, "unblocked")


def _failed(task_id: TaskId, candidates: Candidates, state: ThreadState) -> Iterator[EventBody]:
    """End a task of which no candidate is left: it failed where one did, else it was aborted."""
    entry = state.tasks[task_id]
    failed = [each for _, each in candidates if each.status is TaskStatus.FAILED]
    words = [f"{letter_of(n)}: {e.notes or e.status}" for n, e in candidates]
    notes = f"no candidate has passed ({'; '.join(words)})"
    if entry.is_abort_requested or not failed or not state.plan_status.is_live:
        yield updated(state, task_id, TaskStatus.CANCELLED, notes)
        is_of_all = any(each.is_aborted_with_all for _, each in candidates)
        if not is_of_all or entry.is_abort_requested:
            yield from blocked(state, task_id, f"{task_name(task_id, '')} was aborted")
        return
    yield updated(state, task_id, TaskStatus.FAILED, notes)
    yield from blocked(state, task_id, f"{task_name(task_id, '')} failed")
    yield from escalated(state, task_id, entry.run, f"failed for good: {notes}")


def _ask(
    task_id: TaskId, contest: Contest, candidates: Candidates, state: ThreadState
) -> Iterator[EventBody]:
    """Ask whose work is taken, once no candidate works any more; what is shown is what is there."""
    rows = rows_of(candidates, contest)
    going = {CandidateStanding.WORKING, CandidateStanding.WAITING}
    is_due = any(row.standing is CandidateStanding.READY for row in rows)
    is_due = is_due and not any(row.standing in going for row in rows)
    entry = state.tasks[task_id]
    is_due = is_due and contest.taken is None and not entry.is_abort_requested
    shown, now = contest.request, hash_of(task_id, rows)
    if shown is not None and (not is_due or shown.content_hash != now):
        yield CandidatesWithdrawn(task_id=task_id, request_id=shown.request_id)
    if is_due and (shown is None or shown.content_hash != now):
        request = ApprovalRequest(
            request_id=RequestId(f"{task_id}/best-of-{entry.run}-{contest.number + 1}"),
            subject=Subject.BEST_OF,
            title=entry.task.title,
            content_hash=now,
        )
        yield CandidatesShown(task_id=task_id, request=request, rows=rows)


def _take(
    task_id: TaskId, contest: Contest, candidates: Candidates, state: ThreadState
) -> Iterator[EventBody]:
    """Take the first that passed where its gate is closed by policy; among several a person chooses."""
    opened, task, request = state.opened, state.tasks[task_id].task, contest.request
    if opened is None or request is None or task.best_of is None:
        return
    if task.best_of.ends is not BestOfEnd.FIRST_PASSED or opened.four_eyes.gate_approvals > 1:
        return
    if gate_policy_of(task, opened, state.autonomy) is not GatePolicy.AUTO:
        return
    ready = [(n, e) for n, e in candidates if is_ready(n, e, contest)]
    gates = [gate for _, entry in ready if (gate := gate_of(entry)) is not None]
    if len(ready) != 1 or not gates[0].passes:
        return
    name, entry = ready[0]
    outcome = Outcome(
        request_id=request.request_id,
        choice=Choice.APPROVE,
        content_hash=request.content_hash,
        by=POLICY,
        decider=Decider.POLICY,
        candidate=name,
    )
    yield taken_by(task_id, name, entry, outcome)


@THREAD_RULES.requires
def tell_candidates(state: ThreadState) -> Iterable[ThreadEffect]:
    """Tell candidates what was decided, as long as they wait at the gate that it is about."""
    for task_id, _ in state.tasks.contests():
        for name, decision in contest_of(task_id, state).decided.items():
            entry = state.tasks.get(name)
            gate = gate_of(entry) if entry is not None else None
            if entry is None or gate is None or entry.end is not None:
                continue
            if (entry.run, gate.request_id) == (decision.run, decision.gate):
                yield TellCandidate(task_id=name, run=entry.run, decision=decision)
