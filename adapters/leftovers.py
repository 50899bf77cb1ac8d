"""The `Removal` port: what a deleted thread leaves on its host besides its branches."""

import asyncio
import shutil
from collections.abc import Collection
from pathlib import Path

from temporalio.client import Client, WorkflowFailureError
from temporalio.service import RPCError, RPCStatusCode

from adapters.journal import SqlJournal
from domain.core.ids import StreamId, ThreadId


class Leftovers:
    """Removes events and homes, once nothing of the thread runs."""

    def __init__(self, journal: SqlJournal, client: Client, data_dir: Path) -> None:
        self._journal = journal
        self._client = client
        self._homes = data_dir / "agents"

    async def forget(self, thread: StreamId) -> None:
        """Remove a thread's events, headlines and texts from the journal."""
        await self._journal.forget(thread)

    async def remove_homes(self, thread: ThreadId) -> None:
        """Remove the homes of its agents; their names are made in adapters/acp/launch.py."""
        for home in self._homes.glob(f"*/{thread}_*"):
            await asyncio.to_thread(shutil.rmtree, home, ignore_errors=True)

    async def await_ends(self, workflow_ids: Collection[str]) -> None:
        """Wait until workflows have ended, in whatever way; ones that never were are fine."""
        for workflow_id in workflow_ids:
            try:
                await self._client.get_workflow_handle(workflow_id).result()
            except WorkflowFailureError:
                continue
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:
                    raise
