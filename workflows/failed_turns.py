"""What a turn is worth whose activity ended without a result."""

from temporalio.exceptions import ActivityError, is_cancelled_exception
from temporalio.exceptions import TimeoutError as TimedOutError

from domain.agents.agents import StopReason, TurnInput, TurnResult
from domain.core.errors import WORKER_LOST


def failed_turn(turn: TurnInput, error: ActivityError) -> TurnResult:
    """Return the result of a turn whose activity ended without one: cancelled, or failed.

    A lost or silent worker is tried again without end, so it ends a turn only where a person had
    stopped it by then.
    """
    is_lost = getattr(error.cause, "type", None) == WORKER_LOST
    if is_cancelled_exception(error) or is_lost or isinstance(error.cause, TimedOutError):
        return TurnResult(turn_id=turn.turn_id, stop_reason=StopReason.CANCELLED)
    reason = str(error.cause or error)
    return TurnResult(turn_id=turn.turn_id, stop_reason=StopReason.REFUSAL, failure=reason)
