"""Tells a task's workflow of its terminals."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from temporalio.service import RPCError

from adapters.terminals.ledger import Entry
from domain.core.errors import TreadleError
from domain.core.ids import CommandId, TurnId
from domain.core.ports import CommandDoor
from domain.tasks.terminal_commands import NoteTerminal

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0

logger = logging.getLogger(__name__)


class TerminalNotifications:
    """Says what is new of a terminal; a session of a thread has no workflow that wants to know."""

    def __init__(self, door: CommandDoor) -> None:
        self._door = door
        self._under_way: set[asyncio.Task[None]] = set()

    async def notify(self, entry: Entry, turn_id: TurnId | None = None) -> None:
        """Tell how a terminal is now; one that opens is told in the turn that opens it.

        Raises:
            TreadleError: The task takes no such terminal, or has ended.
        """
        if not entry.is_of_task:
            return
        terminal = entry.terminal
        command = NoteTerminal(
            command_id=CommandId(f"{entry.stream}:{terminal.status}"),
            by=entry.session_id,
            session_id=entry.session_id,
            turn_id=turn_id or TurnId(""),
            terminal=terminal,
        )
        await self._door.send(entry.owner, command)

    def notify_later(self, entry: Entry) -> None:
        """Tell, in the background, until the task knows or has ended itself."""
        self.begin(self._notify_until_known(entry))

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something in the background."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def close(self) -> None:
        """Stop; what was not told yet is told by the next worker."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _notify_until_known(self, entry: Entry) -> None:
        pause = _FIRST_PAUSE
        while True:
            try:
                await self.notify(entry)
            except TreadleError as error:
                if not error.is_retryable:
                    return
            except RPCError:
                logger.info("a terminal's end is not told yet", extra={"stream": entry.stream})
            else:
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
