"""Where the tools of plan files read, and how they have something changed."""

import asyncio
import uuid
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from adapters.tools.grants import Grant
from domain.core.ids import CommandId, ThreadId, TurnId
from domain.core.ports import CommandDoor, Journal
from domain.threads.plan_files.commands import ChangePlanFile
from domain.threads.plan_files.edits import PlanFileStore
from domain.threads.plan_files.files import PlanFile, check_text


@dataclass(frozen=True)
class PlanFileAccess:
    """What the tools of plan files need: where the files are, and the way to their one writer."""

    store: PlanFileStore
    journal: Journal
    door: CommandDoor
    writing: defaultdict[ThreadId, asyncio.Lock] = field(
        default_factory=lambda: defaultdict(asyncio.Lock)
    )

    async def read(self, grant: Grant, which: PlanFile) -> str:
        """Return a file as it is now, and note that the session knows it."""
        text = await self.store.read(grant.thread_id, which)
        grant.known_plan_files[which] = await self.journal.put_text(text)
        return text

    async def change(self, grant: Grant, change: dict[str, Any], content: str = "") -> str:
        """Have the thread make a change; of this host's calls one at a time is on its way."""
        check_text(content)
        reference = await self.journal.put_text(content) if "which" in change else ""
        command = ChangePlanFile(
            command_id=CommandId(uuid.uuid4().hex),
            by=grant.session_id,
            session_id=grant.session_id,
            turn_id=grant.turn_id or TurnId(""),
            content_ref=reference,
            known_ref=grant.known_plan_files.get(change.get("which", ""), ""),
            **change,
        )
        async with self.writing[grant.thread_id]:
            return (await self.door.send(grant.thread_id, command)).message
