"""The decider pattern's small change: what `decide` returns.

    decide(state, command, now) -> Decided      # or a TreadleError that says what, which, what to do
    evolve(state, event)        -> state
    effects(state)              -> effects      # what must be under way

`evolve` never raises: an event is a fact. `effects` is a function of the state alone, so a run that
starts from a carried state goes on with exactly what is left.
"""

from collections.abc import Iterable
from typing import NamedTuple

from domain.core.approval_commands import Approve, Reject
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.autonomy import Autonomy
from domain.core.command import Answer, Verdict
from domain.core.comments import LineComment, check_comments
from domain.core.errors import (
    AlreadyDecidedError,
    InvalidError,
    NotFoundError,
    NotShownError,
    WrongStateError,
)
from domain.core.event import EventBody
from domain.core.wire import size_bytes

MAX_WAITING_BYTES = 300_000


class Decided(NamedTuple):
    """The events of a command and the answer to whoever sent it."""

    events: tuple[EventBody, ...] = ()
    answer: Answer = Answer(message="done")


def settle_verdict(
    verdict: Verdict, request: ApprovalRequest | None, outcomes: dict[str, Outcome]
) -> Outcome | None:
    """Return the outcome a verdict gives the open request, None if it repeats an earlier one.

    Raises:
        NotFoundError: No such request was ever asked.
        AlreadyDecidedError: It was decided otherwise, or rejected with other feedback.
        NotShownError: The verdict names other content than was shown.
        InvalidError: A rejection without feedback, or comments or an autonomy where there can be none.
    """
    choice = Choice.APPROVE if isinstance(verdict, Approve) else Choice.REJECT
    earlier = outcomes.get(verdict.request_id)
    if earlier is not None:
        if _repeats(verdict, choice, earlier):
            return None
        raise AlreadyDecidedError(
            f"request {verdict.request_id!r} was already decided: {earlier.spoken} by {earlier.by!r}"
        )
    if request is None or request.request_id != verdict.request_id:
        open_id = request.request_id if request else "none"
        raise NotFoundError(f"no open request {verdict.request_id!r}; open here is: {open_id}")
    if request.content_hash != verdict.content_hash:
        raise NotShownError(
            f"request {verdict.request_id!r} is about content {request.content_hash[:12]}, "
            f"the decision names {verdict.content_hash[:12]}: look at it again and decide then"
        )
    comments = _comments_of(verdict, request)
    if choice is Choice.REJECT and not (verdict.feedback.strip() or comments):
        raise InvalidError("a rejection needs feedback that says what to change")
    return Outcome(
        request_id=request.request_id,
        choice=choice,
        content_hash=request.content_hash,
        by=verdict.by,
        feedback=verdict.feedback,
        comments=comments,
        autonomy=_autonomy_of(verdict, request),
    )


def _repeats(verdict: Verdict, choice: Choice, earlier: Outcome) -> bool:
    """Tell whether a verdict says nothing new; a rejection with other feedback does.

    A carried-over state has no feedback any more (`without_feedback`), so there any one repeats it.
    """
    before = (earlier.choice, earlier.content_hash, earlier.autonomy)
    if before != (choice, verdict.content_hash, _autonomy_of(verdict)):
        return False
    feedback = (earlier.feedback, earlier.comments)
    if not isinstance(verdict, Reject) or not any(feedback):
        return True
    return feedback == (verdict.feedback, verdict.comments)


def _autonomy_of(verdict: Verdict, request: ApprovalRequest | None = None) -> Autonomy | None:
    autonomy = verdict.autonomy if isinstance(verdict, Approve) else None
    if autonomy and request and request.subject is not Subject.PLAN:
        raise InvalidError(
            f"how freely a plan runs is said with the approval of a thread's plan, not of a "
            f"{request.subject.phrase}: leave it out"
        )
    return autonomy


def _comments_of(verdict: Verdict, request: ApprovalRequest) -> tuple[LineComment, ...]:
    comments = verdict.comments if isinstance(verdict, Reject) else ()
    if comments and request.subject is not Subject.GATE:
        raise InvalidError(
            f"comments on lines are of a task's diff: say what is wrong with the "
            f"{request.subject.phrase} in the feedback"
        )
    check_comments(comments)
    return comments


def answer_of(outcome: Outcome) -> Answer:
    """Return what a door answers to a verdict, the first time and every other.

    Without the feedback: answers are remembered, and many long ones would outgrow a payload.
    """
    return Answer(
        message=f"{outcome.request_id}: {outcome.spoken} by {outcome.by}",
        data=outcome.model_dump(mode="json", exclude={"feedback", "comments"}),
    )


def refuse_flood(waiting: Iterable[str], text: str) -> None:
    """Refuse a message where too much waits already: what waits lies in histories.

    Raises:
        WrongStateError: With this one it would be more than MAX_WAITING_BYTES of JSON.
    """
    waiting = [other for other in waiting if other]
    if waiting and size_bytes([*waiting, text]) > MAX_WAITING_BYTES:
        raise WrongStateError("too many messages wait for their turn: wait until some were read")
