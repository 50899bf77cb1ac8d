"""What is known of a turn whose activity gave no result."""

import pytest
from temporalio.exceptions import (
    ActivityError,
    ApplicationError,
    CancelledError,
    RetryState,
    TimeoutType,
)
from temporalio.exceptions import TimeoutError as TimedOutError

from domain.agents.agents import StopReason
from domain.core.errors import WORKER_LOST
from domain.core.money import Money
from tests.activities.test_turns import TURN
from workflows.conversations import failed_turn

SILENT = TimedOutError("no heartbeat", type=TimeoutType.HEARTBEAT, last_heartbeat_details=[])


def ended_by(cause: BaseException) -> ActivityError:
    error = ActivityError(
        "the activity ended",
        scheduled_event_id=1,
        started_event_id=2,
        identity="",
        activity_type="run_agent_turn",
        activity_id="1",
        retry_state=RetryState.CANCEL_REQUESTED,
    )
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("cause", "money"),
    [
        (CancelledError(), None),
        (ApplicationError("its worker is gone", type=WORKER_LOST), Money(unknown=1)),
        (SILENT, Money(unknown=1)),
    ],
    ids=["cancelled", "its worker was lost", "its worker fell silent"],
)
def test_a_stopped_turn_is_cancelled_however_it_ended(
    cause: BaseException, money: Money | None
) -> None:
    """Of one whose worker was lost, the report says as the ledger does that nobody knows its cost."""
    result = failed_turn(TURN, ended_by(cause))
    assert (result.stop_reason, result.failure) == (StopReason.CANCELLED, None)
    assert result.money == money


def test_any_other_error_is_a_failure() -> None:
    result = failed_turn(TURN, ended_by(ApplicationError("no such agent", type="unknown_agent")))
    assert result.failure is not None
