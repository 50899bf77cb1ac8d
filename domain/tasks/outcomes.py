"""What follows a turn or an attempt: verification, the gate, another turn, or the end.

Rework is always verified again: the only way to the gate is a verification that passed on the tree
that the gate shows.
"""

from domain.agents.agents import StopReason, TurnResult
from domain.agents.limits.budgets import exhausted
from domain.core.approvals import ApprovalRequest, Choice, Decider, Outcome, Subject, content_hash
from domain.core.event import EventBody
from domain.core.ids import RequestId
from domain.core.wire import Wire
from domain.tasks import events as task_events
from domain.tasks.registry import TASK_RULES
from domain.tasks.resources import check_of
from domain.tasks.reviewers import known_approval, reviewer_opened
from domain.tasks.state import MAX_NUDGES, Phase, TaskState
from domain.verification.checkouts import has_unchosen
from domain.verification.judges.doubts import doubts, must_stop
from domain.verification.judges.names import with_judges
from domain.verification.steps import has_passed, next_step

POLICY = "policy"


class GateContent(Wire):
    """What a gate's approval binds to."""

    task_id: str
    run: int
    attempt: int
    base: str = ""
    commit: str = ""
    tree: str = ""


def after_opening(state: TaskState) -> tuple[EventBody, ...]:
    """Return what follows the opening of a run: nothing, or the verification of a person's work."""
    return verification(state) if state.report is not None else ()


def after_turn(state: TaskState, result: TurnResult) -> tuple[EventBody, ...]:
    """Return what follows a turn: verification, an end, or nothing but the next prompt."""
    if state.phase is not Phase.WORKING or state.messages:
        return ()
    if state.report is not None and not state.unresolved:
        return verification(state)
    if state.unresolved and state.nudges > MAX_NUDGES:
        return (failed(f"conflict markers are left in {', '.join(state.unresolved)}"),)
    if state.nudges > MAX_NUDGES:
        ended = "" if result.stop_reason is StopReason.END_TURN else f" ({result.stop_reason})"
        return (failed(f"the agent ended {state.nudges} turns without report_done{ended}"),)
    if reason := exhausted(state.budget, state.spent):
        return (failed(reason),)
    return ()


def reverified(before: TaskState, state: TaskState) -> tuple[EventBody, ...]:
    """Return what follows the turn of a session that a person opened.

    At the gate, work that it changed is verified again: what was shown is not what is there now. A person
    decides on it then, also where the doubts are gone for which an automatic gate waited.
    """
    old, new = before.snapshot, state.snapshot
    is_changed = old is not None and new is not None and old.tree != new.tree
    if before.phase is not Phase.AT_GATE or before.request is None or not is_changed:
        return ()
    withdrawn = task_events.GateWithdrawn(request_id=before.request.request_id)
    return (withdrawn, *verification(TASK_RULES.fold(state, [withdrawn])))


def failed(reason: str) -> task_events.TaskEnded:
    """Return the end of a run that failed."""
    return task_events.TaskEnded(end=task_events.TaskEnd.FAILED, reason=reason)


def verification(state: TaskState) -> tuple[EventBody, ...]:
    """Begin an attempt; resource checks are step 0 and need no activity."""
    number = len(state.attempts) + 1
    tree = state.snapshot.tree if state.snapshot else None
    events: list[EventBody] = [task_events.VerificationStarted(attempt=number, tree=tree)]
    if (result := check_of(state)) is not None:
        events.append(task_events.VerificationStepEnded(attempt=number, result=result))
        if not result.passed:
            return (*events, *verdict(TASK_RULES.fold(state, events), passed=False))
    return (*events, *onward(TASK_RULES.fold(state, events)))


def onward(state: TaskState) -> tuple[EventBody, ...]:
    """Return what follows the begin of an attempt or one of its steps.

    The verdict where no step is left, a session for a review that is due, else nothing: the next
    step runs. A review that approved the same files before is not made again.
    """
    if state.attempt is None:
        return ()
    if next_step(state.steps, state.attempt) is None:
        return verdict(state, passed=has_passed(state.steps, state.attempt))
    if (known := known_approval(state)) is None:
        return reviewer_opened(state)
    ended = task_events.VerificationStepEnded(attempt=state.attempt.attempt, result=known)
    return (ended, *onward(TASK_RULES.fold(state, [ended])))


def verdict(state: TaskState, *, passed: bool) -> tuple[EventBody, ...]:
    """End an attempt: on to the gate, back to the agent, to a person, or failed for good.

    A message that came while steps ran is read before any gate opens. Where nothing failed but
    reviews that could not be made, the agent can fix nothing: none of its retries is used. The loss of
    work with a host uses none either, and the agent goes on from what is left.
    """
    number = len(state.attempts)
    if not passed and (held := _unmade_reviews(state)):
        return (task_events.VerificationEnded(attempt=number, passed=False, held=held),)
    has_steps = state.attempt is not None and bool(state.attempt.steps)
    ended = task_events.VerificationEnded(attempt=number, passed=passed, has_steps=has_steps)
    if passed:
        return (ended,) if state.messages else (ended, *_gate(state, number))
    if not (state.attempt and state.attempt.is_lost) and state.failed_in_a_row >= state.max_retries:
        times = state.failed_in_a_row + 1
        reason = (
            f"verification failed {times} times in a row" if times > 1 else "verification failed"
        )
        return (ended, failed(reason))
    if reason := exhausted(state.budget, state.spent):
        return (ended, failed(reason))
    return (ended,)


def _unmade_reviews(state: TaskState) -> str:
    """Return why a person is asked: all that failed are required reviews that were not made."""
    results = state.attempt.steps if state.attempt else ()
    failed_steps = [r for r in results if r.is_required and not r.passed]
    if not failed_steps or any(r.is_executed or not r.reviewed_by for r in failed_steps):
        return ""
    return "; ".join(
        f"{r.label or r.step_id} by {r.reviewed_by} was not made: {r.output}" for r in failed_steps
    )


def _gate(state: TaskState, attempt: int) -> tuple[EventBody, ...]:
    snapshot, task = with_judges(state.snapshot, state.steps), state.task
    task_id = task.id if task else ""
    content = GateContent(
        task_id=task_id,
        run=state.run,
        attempt=attempt,
        base=snapshot.base if snapshot else "",
        commit=snapshot.commit if snapshot else "",
        tree=snapshot.tree if snapshot else "",
    )
    request = ApprovalRequest(
        request_id=RequestId(f"{task_id}/gate-{state.run}-{attempt}"),
        subject=Subject.GATE,
        title=task.title if task else "",
        content_hash=content_hash(content),
    )
    results = state.attempt.steps if state.attempt else ()
    known = (snapshot, state.steps, results, state.judge_policy)
    opened = task_events.GateOpened(request=request, snapshot=snapshot, doubts=doubts(*known))
    # several people approve, and a policy is none; a person looks at what makes tools run something,
    # verifies or instructs, and at what came of lines of their own; only the agent knows what the
    # dependencies are that it passed with
    is_touched = bool(state.edited or (snapshot and snapshot.planted))
    must_ask = is_touched or must_stop(*known) or has_unchosen(results)
    if state.gate_approvals > 1 or not state.is_gate_automatic or must_ask:
        return (opened,)
    if state.is_candidate:
        return (opened.model_copy(update={"passes": True}),)  # its thread chooses among several
    outcome = Outcome(
        request_id=request.request_id,
        choice=Choice.APPROVE,
        content_hash=request.content_hash,
        by=POLICY,
        decider=Decider.POLICY,
    )
    passed = opened.model_copy(update={"is_automatic": True})
    return (passed, task_events.GateDecided(outcome=outcome), accepted())


def gate_again(state: TaskState) -> tuple[EventBody, ...]:
    """Open the gate on verified work that is as it was: the same request, of the same content."""
    return _gate(state, len(state.attempts))


def accepted() -> task_events.TaskEnded:
    """Return the end of a run whose gate was passed."""
    return task_events.TaskEnded(end=task_events.TaskEnd.ACCEPTED)
