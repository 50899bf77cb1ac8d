"""The status of a thread in words: one rule for all that lists threads."""

WAITING = "waiting"
FAILED = "failed"
WAITING_FOR_YOU = "waiting for you"

UNPLANNED = "a new attempt at planning"
"""What a thread waits for whose planning ended without a plan."""

COMPLETED = "completed"

NO_MORE = ("cancelled", "terminated")
"""The statuses of threads that were ended before they were done."""

ENDED = (COMPLETED, *NO_MORE)
"""The statuses of threads that ended; a failed one may still be resumed."""

UNDER_WAY = ("planning", "running")
"""The statuses in which something goes on by itself."""

ASKABLE = ("chat", "planning", "running", "paused")
"""A thread of these waits as soon as anything of it is in the inbox."""


def asking_status(status: str, *, asks: bool) -> str:
    """Return a thread's status, told whether a person is asked anything in it."""
    return WAITING if asks and status in ASKABLE else status


def shown_status(status: str, waiting_for: str) -> str:
    """Return the status that is shown: after failed planning a person is asked to try again."""
    is_unplanned = status == FAILED and waiting_for.startswith(UNPLANNED)
    return WAITING if is_unplanned else asking_status(status, asks=waiting_for != "")


def status_words(status: str, waiting_for: str) -> str:
    """Return the status as people read it."""
    shown = shown_status(status, waiting_for)
    return WAITING_FOR_YOU if shown == WAITING else shown
