"""The worker's interceptor that has turns wait which would begin in a new worktree while the disk is short of room.

What has its worktree goes on: to end it is what makes room.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

from temporalio import activity
from temporalio.exceptions import ApplicationError
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from adapters.temporal.draining import BENIGN, WORKER_DRAINING
from adapters.temporal.repositories_here import beating
from domain.conversations.calls import TurnCall
from domain.core.errors import TreadleError
from domain.core.ids import ThreadId
from domain.core.workspaces import WorkspaceSpec

LOOK_SECONDS = 5.0

FindWorktree = Callable[[WorkspaceSpec], Awaitable[Path | None]]
"""Returns where a worktree is, None where it is not made."""

Tell = Callable[[ThreadId, str], Awaitable[None]]


class Disk(Protocol):
    """The disk of a host, as new work asks for it."""

    def is_short(self) -> bool:
        """Tell whether new work must wait for room."""
        ...

    @property
    def words(self) -> str:
        """What people are told of it, once no room could be made; empty until then."""
        ...


class RoomForTurns(Interceptor):
    """Lets a turn begin once there is room for it, or where it needs none."""

    def __init__(
        self, disk: Disk, find: FindWorktree, tell: Tell, look_seconds: float = LOOK_SECONDS
    ) -> None:
        """Make it for a host; `tell` is given what the people of a thread should know."""
        self._disk = disk
        self._find = find
        self._tell = tell
        self._look_seconds = look_seconds

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Look at each turn before it begins."""
        return _Asking(next, self)

    async def admit(self, workspace: WorkspaceSpec) -> None:
        """Wait until a turn in a workspace may begin.

        Raises:
            ApplicationError: The worker ends before; the turn is tried again.
        """
        if not self._disk.is_short() or await self._has_worktree(workspace):
            return
        async with beating():
            await self._wait(workspace.thread_id)

    async def _wait(self, thread_id: ThreadId) -> None:
        is_told = False
        ends = asyncio.create_task(activity.wait_for_worker_shutdown())
        try:
            while self._disk.is_short() and not ends.done():
                if self._disk.words and not is_told:
                    await self._tell(thread_id, self._disk.words)
                    is_told = True
                await asyncio.wait({ends}, timeout=self._look_seconds)
        finally:
            ends.cancel()
        if self._disk.is_short():
            raise ApplicationError(
                "its worker ends while it waits for room on the disk",
                type=WORKER_DRAINING,
                category=BENIGN,
            )

    async def _has_worktree(self, workspace: WorkspaceSpec) -> bool:
        try:
            return await self._find(workspace) is not None
        except TreadleError:
            return True  # the turn itself says what is wrong


class _Asking(ActivityInboundInterceptor):
    def __init__(self, inner: ActivityInboundInterceptor, room: RoomForTurns) -> None:
        super().__init__(inner)
        self._room = room

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        call = input.args[0] if input.args else None
        if activity.info().activity_type == "run_agent_turn" and isinstance(call, TurnCall):
            await self._room.admit(call.turn.workspace)
        return await super().execute_activity(input)
