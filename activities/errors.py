"""Domain errors become Temporal's, with their stable type and whether a retry can help."""

from collections.abc import Generator
from contextlib import contextmanager

from temporalio.exceptions import ApplicationError

from domain.core.errors import TreadleError


@contextmanager
def translated() -> Generator[None]:
    """Translate a domain error raised in this block."""
    try:
        yield
    except TreadleError as error:
        raise ApplicationError(
            error.message, type=error.type, non_retryable=not error.is_retryable
        ) from error
