"""The `ThreadArchives` port: a thread from the journal into a store, and read back before it counts."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from adapters.archives.archive_file import Contents, digest_of, manifest_for, read_archive, spooled
from adapters.archives.stores import ArchiveStore, store_at
from domain.core.event import EventBody
from domain.core.ids import StreamId, ThreadId, thread_of
from domain.core.ports import Journal
from domain.retention.archives import (
    EVENTS,
    TEXTS,
    ArchiveCall,
    ArchivedThread,
    ArchiveManifest,
    DamagedArchiveError,
    references_in,
)
from domain.threads.children.events import ChildOpened
from domain.threads.lifecycle.counting import recorded_after

_BATCH = 500


class JournalArchives:
    """Writes archives of threads of a journal; `data_dir` is where they are made."""

    def __init__(self, journal: Journal, data_dir: Path, variables: Mapping[str, str]) -> None:
        self._journal = journal
        self._data_dir = data_dir
        self._variables = variables

    async def archive(self, call: ArchiveCall) -> ArchivedThread:
        """Write a thread's archive, read it back and compare it; see the port."""
        store = store_at(call.location, self._data_dir, self._variables)
        with spooled(self._data_dir) as spool, spooled(self._data_dir) as packed:
            manifest, newest = await self._pack(call, spool, packed)
            if await self._kept(store, manifest) is None:
                await store.put(manifest.name, packed)
            kept = await self._kept(store, manifest)
        if kept is None:
            raise DamagedArchiveError(
                f"{store.place_of(manifest.name)} is not there as it was written"
            )
        return kept.model_copy(update=newest)

    async def _pack(
        self, call: ArchiveCall, spool: IO[bytes], packed: IO[bytes]
    ) -> tuple[ArchiveManifest, dict[str, int]]:
        """Write the archive; returns its manifest, and the `position` and `recorded` of what is in it."""
        contents, references, children = Contents(spool), dict[str, None](), list[ThreadId]()
        thread, after, count, recorded = StreamId(call.thread.thread_id), 0, 0, 0
        while page := await self._journal.read(thread, after=after, limit=_BATCH, below=True):
            after = page[-1].position
            for journaled in page:
                if thread_of(journaled.event.stream) == thread:
                    line = journaled.model_dump_json(exclude={"text"})
                    references.update(dict.fromkeys(references_in(line)))
                    contents.add(f"{line}\n".encode())
                    count += 1
                if journaled.event.stream == thread:
                    recorded = recorded_after(recorded, journaled.event)
                    children += _child_of(journaled.event.body)
        contents.end(EVENTS)
        missing = [name for name in references if not await self._add_text(contents, name)]
        manifest = manifest_for(call.thread, count, tuple(missing), tuple(children))
        newest = {"position": after, "recorded": recorded}
        return await asyncio.to_thread(contents.write, manifest, packed), newest

    async def _add_text(self, contents: Contents, reference: str) -> bool:
        text = await self._journal.text(reference)
        if text is not None:
            contents.add(text.encode())
            contents.end(f"{TEXTS}{reference}")
        return text is not None

    async def _kept(self, store: ArchiveStore, wanted: ArchiveManifest) -> ArchivedThread | None:
        """Return what is kept under an archive's name, if it is whole and the same thread's."""
        with spooled(self._data_dir) as copy:
            if not await store.get(wanted.name, copy):
                return None
            try:
                found = await asyncio.to_thread(read_archive, copy)
            except DamagedArchiveError:
                return None
            if found.members != wanted.members:
                return None
            return ArchivedThread(
                place=store.place_of(wanted.name),
                sha256=await asyncio.to_thread(digest_of, copy),
                size_bytes=copy.seek(0, 2),
            )


def _child_of(body: EventBody) -> list[ThreadId]:
    return [body.thread_id] if isinstance(body, ChildOpened) else []
