"""The open questions of a thread, and the decisions of people on them."""

from datetime import datetime

from domain.core.approval_commands import Approve, Reject
from domain.core.approvals import ApprovalRequest
from domain.core.command import Verdict
from domain.core.decisions import Decided, answer_of, settle_verdict
from domain.core.errors import NotFoundError, NotShownError
from domain.core.four_eyes import (
    ApprovalGiven,
    FourEyes,
    Needed,
    counted,
    with_given,
    with_others,
)
from domain.threads.planning.replacing import answered_requests
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


@THREAD_RULES.handles
def decide_request(command: Approve | Reject, state: ThreadState, now: datetime) -> Decided:
    request = state.requests.get(command.request_id)
    _refuse_replaced(command, state)
    outcome = settle_verdict(command, request, state.outcomes)
    if outcome is None or request is None:
        return Decided(answer=answer_of(state.outcomes[command.request_id]))
    needed = needed_for(request, state)
    if (one_of_several := counted(needed, state.given, request, outcome)) is not None:
        return one_of_several
    outcome = with_others(outcome, state.given)
    decided = THREAD_RULES.settle(state, command, request, outcome, now)
    return decided._replace(answer=answer_of(outcome))


@THREAD_RULES.evolves
def apply_approval_given(event: ApprovalGiven, state: ThreadState) -> ThreadState:
    return state.model_copy(update={"given": with_given(state.given, event)})


def needed_for(request: ApprovalRequest, state: ThreadState) -> Needed:
    """Return what the approval of a request needs: who opened or edited a plan is one of its authors."""
    rule = state.opened.four_eyes if state.opened else FourEyes()
    amendment = state.amending.open.get(request.request_id)
    authors = (
        state.opened.opened_by if state.opened else "",
        *(plan.by for plan in state.plans),
        amendment.by if amendment else "",
    )
    return rule.needed_for(request.subject, (name for name in authors if name))


def _refuse_replaced(command: Verdict, state: ThreadState) -> None:
    """Tell of a plan that another one took the place of, and of what is asked where nothing is named."""
    if (why := state.amending.lost.get(command.request_id)) is not None:
        raise why.refusal(command.request_id)
    asked = command.request_id in state.requests or command.request_id in state.outcomes
    if asked:
        return
    waiting = ", ".join(state.requests) or "none"
    if (became := answered_requests(state).get(command.request_id)) is None:
        raise NotFoundError(f"no open request {command.request_id!r}; open here is: {waiting}")
    raise NotShownError(f"{command.request_id} {became}; open here is: {waiting}")
