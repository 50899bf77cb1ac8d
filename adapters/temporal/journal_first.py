"""The worker's interceptor that journals the events an activity carries, and its troubles."""

import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from temporalio import activity
from temporalio.exceptions import ApplicationError
from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    Interceptor,
)

from adapters.disk_room import describe_error, fullest, is_full
from domain.core.effects import Effect
from domain.core.event import Event
from domain.core.ids import EventId, StreamId, thread_of
from domain.core.notices import ResourceWarned
from domain.core.ports import Journal
from domain.core.seals import Unsealed

WARNED_ATTEMPT = 3
"""The attempt of an activity whose failure people are told of."""


class JournalFirst(Interceptor):
    """Journals the events that an activity carries before the activity does its own work.

    `places` are where work is written: a full disk is looked for there where an error names no file.
    """

    def __init__(self, journal: Journal, *places: Path) -> None:
        self._journal = journal
        self._places = (*places, Path(tempfile.gettempdir()))

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Put the journal before an activity."""
        return _JournalFirst(next, self._journal, self._places)


class _JournalFirst(ActivityInboundInterceptor):
    def __init__(
        self, inner: ActivityInboundInterceptor, journal: Journal, places: Sequence[Path]
    ) -> None:
        super().__init__(inner)
        self._journal = journal
        self._places = places

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        carried: Sequence[Any] = input.args
        if any(isinstance(call, Unsealed) for call in carried):
            raise ApplicationError("not asked by Treadle", type="forbidden", non_retryable=True)
        for call in carried:
            if isinstance(call, Effect) and (call.events or call.headlines):
                await self._journal.append(call.events, call.headlines)
        try:
            return await super().execute_activity(input)
        except ApplicationError as error:
            if not error.non_retryable:
                await self._warn(error)
            raise
        except OSError as error:
            await self._warn(error)
            raise

    async def _warn(self, error: ApplicationError | OSError) -> None:
        """Tell people of an activity that keeps failing and is tried again without end.

        An error of the machine (a full disk, a folder that may not be written) names its file.
        """
        info = activity.info()
        if info.attempt != WARNED_ATTEMPT:
            return
        message = f"{info.activity_type} of {info.workflow_id} is tried again and again: {self._reason(error)}"
        warning = Event(
            id=EventId(f"{info.workflow_run_id}:{info.activity_id}:warning"),
            stream=StreamId(thread_of(info.workflow_id or "")),
            at=datetime.now(UTC),
            body=ResourceWarned(message=message),
        )
        await self._journal.append([warning])

    def _reason(self, error: ApplicationError | OSError) -> str:
        if isinstance(error, OSError) and is_full(error):
            return describe_error(error, fullest(*self._places))
        if isinstance(error, OSError) and error.filename is not None:
            return f"{error.strerror}: {error.filename}"
        return str(error)
