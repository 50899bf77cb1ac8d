"""The open questions of a thread, and the decisions of people on them."""

from domain.commands import Verdict
from domain.decisions import Decided, answer_of, settle_verdict
from domain.threads.dispatch import SETTLES, handles
from domain.threads.state import ThreadState


@handles
def _settle(command: Verdict, state: ThreadState) -> Decided:
    request = state.requests.get(command.request_id)
    outcome = settle_verdict(command, request, state.outcomes)
    if outcome is None or request is None:
        return Decided(answer=answer_of(state.outcomes[command.request_id]))
    decided = SETTLES[request.subject](command, request, outcome, state)
    return decided._replace(answer=answer_of(outcome))
