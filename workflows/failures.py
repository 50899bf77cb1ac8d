"""What a failed activity says to people."""

from temporalio.exceptions import ActivityError, ApplicationError


def words_of(error: ActivityError) -> str:
    """Return the message of what made an activity fail, without Temporal's own words around it."""
    cause = error.cause
    return cause.message if isinstance(cause, ApplicationError) else str(cause or error)
