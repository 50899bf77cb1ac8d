"""The worker's interceptor that journals the events an activity carries."""

from collections.abc import Sequence
from typing import Any

from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    Interceptor,
)

from domain.effects import Effect
from domain.ports import Journal


class JournalFirst(Interceptor):
    """Journals the events that an activity carries before the activity does its own work."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Put the journal before an activity."""
        return _JournalFirst(next, self._journal)


class _JournalFirst(ActivityInboundInterceptor):
    def __init__(self, inner: ActivityInboundInterceptor, journal: Journal) -> None:
        super().__init__(inner)
        self._journal = journal

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        carried: Sequence[Any] = input.args
        for call in carried:
            if isinstance(call, Effect) and (call.events or call.headlines):
                await self._journal.append(call.events, call.headlines)
        return await super().execute_activity(input)
