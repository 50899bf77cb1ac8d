"""Collects hints for a moment, so that a storm of deliveries becomes one look, and tells the watchers."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator

from temporalio.service import RPCError

from adapters.temporal import Watchers
from domain.forges.hints import ForgeHint

_LOG = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0
"""How long hints are collected: a run of CI reports dozens of checks within it."""

LONGEST_PAUSE_SECONDS = 60.0
"""Between two attempts while Temporal does not answer; each is longer than the one before."""

MOST = 1_000
"""How many different hints wait at most; then only their projects are remembered."""


class Waking:
    """Hints that wait to be told. They are lost with the process: looking by the clock finds the same."""

    def __init__(self, watchers: Watchers, pause: float = PAUSE_SECONDS) -> None:
        self._watchers = watchers
        self._pause = pause
        self._waiting: dict[ForgeHint, ForgeHint] = {}
        self._is_any = asyncio.Event()
        self._failed = 0

    def add(self, hint: ForgeHint) -> None:
        """Have a hint told soon; one about the same thing is told once."""
        if len(self._waiting) >= MOST:
            self._widen()
        same = hint.model_copy(update={"hint_id": ""})
        self._waiting.setdefault(same, hint)
        self._is_any.set()

    def _widen(self) -> None:
        wider = [
            ForgeHint(hint_id=hint.hint_id, project=hint.project, tracker=hint.tracker)
            for hint in self._waiting.values()
        ]
        self._waiting = {hint.model_copy(update={"hint_id": ""}): hint for hint in wider[-MOST:]}

    async def tell(self) -> int:
        """Tell what waits now; what could not be told waits on. Returns how many signals were sent."""
        told, self._waiting = self._waiting, {}
        try:
            sent = await self._watchers.tell([*told.values()])
        except (RPCError, RuntimeError) as error:
            _LOG.warning("hints of webhooks wait until Temporal answers: %s", error)
            self._waiting = {**told, **self._waiting}
            self._is_any.set()
            self._failed += 1
            return 0
        self._failed = 0
        return sent

    @contextlib.asynccontextmanager
    async def going(self) -> AsyncGenerator[None]:
        """Tell what is added, until the block ends; then tell the rest."""
        telling = asyncio.create_task(self._go())
        try:
            yield
        finally:
            telling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await telling
            await self.tell()

    async def _go(self) -> None:
        while True:
            await self._is_any.wait()
            await asyncio.sleep(
                min(self._pause * 2 ** min(self._failed, 10), LONGEST_PAUSE_SECONDS)
            )
            self._is_any.clear()
            await self.tell()
