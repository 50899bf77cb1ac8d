"""The open questions of a thread, and the decisions of people on them."""

from datetime import datetime

from domain.core.approval_commands import Approve, Reject
from domain.core.command import Verdict
from domain.core.decisions import Decided, answer_of, settle_verdict
from domain.core.errors import NotFoundError, NotShownError
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
    decided = THREAD_RULES.settle(state, command, request, outcome, now)
    return decided._replace(answer=answer_of(outcome))


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
