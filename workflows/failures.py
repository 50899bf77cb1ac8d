"""What a failed activity says to people."""

from temporalio import exceptions
from temporalio.exceptions import ActivityError, ApplicationError


def words_of(error: ActivityError) -> str:
    """Return the message of what made an activity fail, without Temporal's own words around it."""
    cause = error.cause
    return cause.message if isinstance(cause, ApplicationError) else str(cause or error)


def is_unbegun(error: ActivityError) -> bool:
    """Tell whether an activity ended because no worker began with it in time."""
    cause = error.cause
    is_timeout = isinstance(cause, exceptions.TimeoutError)
    return is_timeout and cause.type is exceptions.TimeoutType.SCHEDULE_TO_START
