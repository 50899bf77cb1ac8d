"""What agents answered, until the work of their turns is committed."""

from collections import OrderedDict

from domain.agents.agents import ANSWERING, AgentAnswer, StopReason, TurnInput, TurnResult
from domain.core.errors import TreadleError

MAX_TEXT_BYTES = 4 << 10
"""What a turn's result quotes of a worker's last message; a reader's is its work, and whole."""

MOST_KEPT = 64
"""Of turns that are tried again elsewhere, or not at all."""


class Answers:
    """Answers of turns of this process whose work could not be committed yet.

    A retry commits it and does not ask again: nobody pays twice, and no limit is passed by a
    repository that cannot be committed. After a restart of the worker the agent is told, as ever,
    that it was interrupted.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, TurnResult] = OrderedDict()

    def keep(self, result: TurnResult) -> TurnResult:
        """Keep the answer of a turn, and return it."""
        self._kept[result.turn_id] = result
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return result

    def of(self, turn: TurnInput) -> TurnResult | None:
        """Return what a turn's agent answered; None where it is to be asked."""
        return self._kept.get(turn.turn_id)

    def forget(self, turn: TurnInput) -> None:
        """Forget the answer of a turn whose end is journaled."""
        self._kept.pop(turn.turn_id, None)


def result_of(turn: TurnInput, answer: AgentAnswer, provider: str) -> TurnResult:
    """Return what a turn's agent answered as a result, before its work is committed."""
    newest = answer.text.encode()[-MAX_TEXT_BYTES:].decode(errors="ignore")
    return TurnResult(
        turn_id=turn.turn_id,
        stop_reason=answer.stop_reason,
        agent_session=answer.agent_session,
        text=answer.text if turn.role in ANSWERING else newest,
        provider=provider,
        report=answer.report,
        context=answer.context,
        compact_command=answer.compact_command,
        terminals=answer.terminals,
        sandbox=answer.sandbox,
    )


def failed_by(answered: TurnResult, error: TreadleError) -> TurnResult:
    """Return a turn's result as an error leaves it that no retry helps with; its files stay.

    One that was stopped stays that: the next turn says why its files cannot be committed.
    """
    if answered.stop_reason is StopReason.CANCELLED:
        return answered
    failed = {"failure": answered.failure or error.message, "stop_reason": StopReason.REFUSAL}
    return answered.model_copy(update=failed)
