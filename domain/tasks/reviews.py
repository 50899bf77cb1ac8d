"""Rules of the reviews of a task's work: what a reviewer says, and what follows its turn.

A review is a verification step, so only a verdict that approves passes it. Without a verdict it was
not made: that says nothing of the work, so the task's agent is not sent back to fix it and none of
its retries is used; where the review is required a person is asked (see `outcomes.verdict`).
"""

from domain.agents.agents import StopReason, TurnResult
from domain.conversations.checks import check_agent
from domain.core.agent_json import read_fenced_json
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError, WrongStateError
from domain.core.event import EventBody
from domain.tasks import events as task_events
from domain.tasks.agent_commands import SubmitReview
from domain.tasks.outcomes import onward
from domain.tasks.registry import TASK_RULES
from domain.tasks.reviewers import due_review
from domain.tasks.stages import Reviewing
from domain.tasks.state import MAX_NUDGES, TaskState
from domain.verification import review_events
from domain.verification.reviews import Finding, Review, ReviewVerdict, read_review
from domain.verification.steps import StepResult

_SAID = 1_000


@TASK_RULES.handles
def submit_review(command: SubmitReview, state: TaskState) -> Decided:
    check_agent(command, state)
    reviewing = state.reviewing
    if reviewing is None or command.session_id != reviewing.session_id:
        raise WrongStateError("only the reviewer whose turn it is reviews the work")
    review = _placed(read_review(command.review), state)
    answer = Answer(message="Recorded. End your turn now.")
    if review == reviewing.review:
        return Decided(answer=answer)
    submitted = review_events.ReviewSubmitted(session_id=command.session_id, review=review)
    return Decided((submitted,), answer)


def after_review(state: TaskState, result: TurnResult) -> tuple[EventBody, ...]:
    """Return what follows a reviewer's turn: the end of its step, or the same question again."""
    step, reviewing, attempt = due_review(state), state.reviewing, state.attempt
    if step is None or reviewing is None or attempt is None:
        return ()
    review, problem = reviewing.review, ""
    if review is None:
        review, problem = _in_reply(result.text, state)
    if review is None:
        missed = review_events.ReviewMissed(session_id=reviewing.session_id, problem=problem)
        if not (reason := _unmade(reviewing, result)):
            return (missed,)
        found = StepResult(step_id=step.id, passed=False, is_executed=False, output=reason)
    else:
        found = StepResult(
            step_id=step.id,
            passed=review.verdict is ReviewVerdict.APPROVE,
            output=review.summary,
            findings=review.findings,
        )
    conversation = state.conversations[reviewing.session_id]
    fields = {
        "label": step.label,
        "is_required": step.required,
        "reviewed_by": conversation.agent,
        "duration_ms": reviewing.work_ms,
    }
    ended = task_events.VerificationStepEnded(
        attempt=attempt.attempt, result=found.model_copy(update=fields)
    )
    return (ended, *onward(TASK_RULES.fold(state, [ended])))


def _unmade(reviewing: Reviewing, result: TurnResult) -> str:
    """Return why there is no review and will be none; empty where the reviewer is asked again."""
    if result.failure is not None:
        return result.failure[:_SAID]
    if result.stop_reason is StopReason.CANCELLED:
        return "a person stopped it"
    if reviewing.missed >= MAX_NUDGES:
        return f"the reviewer ended {reviewing.missed + 1} turns without a review"
    return ""


def _in_reply(reply: str, state: TaskState) -> tuple[Review | None, str]:
    """Return the review of one that cannot call tools, else what its reply lacks."""
    found = read_fenced_json(reply)
    if not found.is_there:
        return None, found.problem if found.is_broken else ""
    try:
        return _placed(read_review(found.value), state), ""
    except InvalidError as error:
        return None, error.message[:_SAID]


def _placed(review: Review, state: TaskState) -> Review:
    """Return a review whose files are named as the task's are, where it gives whole paths."""
    changed = state.snapshot.files if state.snapshot else ()
    findings = tuple(
        finding.model_copy(update={"file": _relative(finding, changed)})
        for finding in review.findings
    )
    return review.model_copy(update={"findings": findings})


def _relative(finding: Finding, changed: tuple[str, ...]) -> str:
    if not finding.file.startswith("/"):
        return finding.file
    return next((file for file in changed if finding.file.endswith(f"/{file}")), finding.file)
