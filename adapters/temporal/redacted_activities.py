"""The worker's interceptor that keeps secrets out of histories: results and failures of activities."""

from typing import Any

from pydantic import BaseModel
from temporalio.exceptions import ApplicationError
from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    Interceptor,
)

from adapters.redaction import Redactor


class RedactedActivities(Interceptor):
    """Redacts what activities give to workflows, before it is stored in a history."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Put the redactor behind an activity."""
        return _RedactedActivities(next, self._redactor)


class _RedactedActivities(ActivityInboundInterceptor):
    def __init__(self, inner: ActivityInboundInterceptor, redactor: Redactor) -> None:
        super().__init__(inner)
        self._redactor = redactor

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        try:
            result = await super().execute_activity(input)
        except ApplicationError as error:
            message = self._redactor.text(error.message)
            if message == error.message:
                raise
            raise ApplicationError(
                message,
                *self._redactor.tree(error.details),
                type=error.type,
                non_retryable=error.non_retryable,
                next_retry_delay=error.next_retry_delay,
                category=error.category,
            ) from None  # its cause would be stored with it
        return self._redactor.model(result) if isinstance(result, BaseModel) else result
