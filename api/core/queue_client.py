"""Adding threads and flow runs to the queue; their inputs are kept as texts of the journal."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Request

from adapters.files.template_scopes import top_of
from adapters.host import known_host
from adapters.readings.projections import QueueProjections
from adapters.redaction import Redactor
from api.core.bodies import CommandBody
from api.core.dependencies import (
    SettingsDep,
    ThreadLists,
    WorkflowsDep,
)
from api.core.permissions import PermitsDep
from domain.core.command import Answer, Command
from domain.core.errors import DuplicateIdError, NotFoundError
from domain.core.ids import CommandId
from domain.core.remote_repositories import SCHEMES, is_remote, read_remote
from domain.flows.inputs import FlowInput
from domain.queue.commands import Enqueue
from domain.queue.entry import EntryKind, NewEntry, QueueEntry
from domain.threads.inputs import ThreadInput

MANY_HOSTS = 2
MAX_TITLE = 200
MAX_TRIES = 20
"""How many numbers are tried for a flow run whose number is queued already."""

_BEHIND_SECONDS = (0.05, 0.15, 0.3, 0.5)
"""Delays between reads of an entry that the journal does not have yet."""

_OWN_SECONDS = (*_BEHIND_SECONDS, 1.0, 3.0)
"""The same for an entry that was taken for certain."""


class QueueItem(NamedTuple):
    """A thread or flow run to queue."""

    begun: ThreadInput | FlowInput
    priority: int = 3
    after: tuple[str, ...] = ()


class QueueClient:
    """Sends the queue commands, and adds threads and flow runs to it."""

    def __init__(
        self,
        workflows: WorkflowsDep,
        journal: ThreadLists,
        settings: SettingsDep,
        permits: PermitsDep,
        request: Request,
    ) -> None:
        self._workflows = workflows
        self._journal = journal
        self._redactor: Redactor = request.app.state.redactor
        self._folds: QueueProjections = request.app.state.queue_folds
        self._settings = settings
        self._permits = permits

    async def send(self, kind: type[Command], body: CommandBody, **fields: Any) -> Answer:
        """Send the queue a command with the fields of a body and further ones.

        Raises:
            TreadleError: What the queue refused, or that none answers.
        """
        command = kind(**(body.model_dump() | fields), by=self._permits.access.caller.signature)
        return await self._workflows.send_to_queue(command, self._settings.queue)

    async def enqueue(self, items: Sequence[QueueItem], command_id: str = "") -> list[NewEntry]:
        """Add items to the queue, all or none; an item may wait for another of them.

        A flow run whose number is queued already gets the next one; the ids are in the answer. What
        is asked of the queue next finds them, unless the journal is seconds behind.

        Raises:
            TreadleError: What the queue refused, or that something to wait for is unknown.
        """
        entries = [await self.entry(item) for item in items]
        await self._refuse_unknown(entries)
        for _ in range(MAX_TRIES):
            try:
                await self._enqueue(entries, command_id)
            except DuplicateIdError:
                if not any(isinstance(item.begun, FlowInput) for item in items):
                    raise
                items = renumber(items)
                entries = [await self.entry(item) for item in items]
            else:
                await entry_of(self._folds, entries[-1].entry_id, _OWN_SECONDS)
                return entries
        raise DuplicateIdError("too many runs of this flow are queued: try again later")

    async def _enqueue(self, entries: list[NewEntry], command_id: str) -> None:
        body = CommandBody(command_id=CommandId(command_id))
        await self.send(Enqueue, body, entries=tuple(entries), defaults=self._settings.queue)

    async def entry(self, item: QueueItem) -> NewEntry:
        """Return an item as an entry of the queue; its input becomes a text of the journal."""
        begun = self._redactor.model(item.begun)
        is_flow = isinstance(begun, FlowInput)
        title = (
            (begun.title or begun.definition.name) if isinstance(begun, FlowInput) else begun.goal
        )
        return NewEntry(
            entry_id=id_of(begun),
            kind=EntryKind.FLOW if is_flow else EntryKind.THREAD,
            title=" ".join(title.split())[:MAX_TITLE],
            project=project_of(begun.repository),
            host=await self._host_of(begun),
            priority=item.priority,
            after=item.after,
            spec_ref=await self._journal.put_text(begun.model_dump_json()),
        )

    async def _host_of(self, begun: ThreadInput | FlowInput) -> str:
        """Return the id of the host that an item is to go to; what starts it may find another one."""
        if isinstance(begun, ThreadInput) and begun.on_host:
            return begun.on_host
        hosts = self._journal.hosts
        if len(await hosts.every()) < MANY_HOSTS:
            return known_host(self._settings.data_dir)
        agent = begun.agent if isinstance(begun, ThreadInput) else ""
        return (await hosts.place(id_of(begun), begun.hosts, agent))[0].host

    async def _refuse_unknown(self, entries: Sequence[NewEntry]) -> None:
        """Refuse to wait for what does not exist.

        Raises:
            NotFoundError: It is neither a thread nor a flow run nor an entry.
        """
        own = {entry.entry_id for entry in entries}
        wanted = {name for entry in entries for name in entry.after} - own
        known = {line.stream for line in await self._journal.open_headlines(sorted(wanted))}
        for name in sorted(wanted - known):
            if not await self._waits(name):
                raise NotFoundError(f"no thread, flow run or queue entry {name[:80]!r} to wait for")

    async def _waits(self, name: str) -> bool:
        return await entry_of(self._folds, name) is not None


async def entry_of(
    folds: QueueProjections, name: str, waits: Sequence[float] = _BEHIND_SECONDS
) -> QueueEntry | None:
    """Return an entry, or None; waits a moment, as the journal may lag behind the workflow."""
    for wait in waits:
        if entry := (await folds.state()).entries.get(name):
            return entry
        await asyncio.sleep(wait)
    return (await folds.state()).entries.get(name)


def project_of(repository: str) -> str:
    """Return what the queue counts together: a repository, whichever folder or branch of it is named."""
    return (
        read_remote(repository, SCHEMES).url if is_remote(repository) else str(top_of(repository))
    )


def id_of(begun: ThreadInput | FlowInput) -> str:
    """Return the id that a thread or flow run will have."""
    return begun.run_id if isinstance(begun, FlowInput) else begun.thread_id


def renumber(items: Sequence[QueueItem]) -> list[QueueItem]:
    """Return items with the next number for each flow run; what waits for one still does."""
    begun = [
        item.begun.numbered(item.begun.number + 1)
        if isinstance(item.begun, FlowInput)
        else item.begun
        for item in items
    ]
    ids = {id_of(item.begun): id_of(each) for item, each in zip(items, begun, strict=True)}
    return [
        QueueItem(each, item.priority, tuple(ids.get(name, name) for name in item.after))
        for each, item in zip(begun, items, strict=True)
    ]


QueueClientDep = Annotated[QueueClient, Depends()]
