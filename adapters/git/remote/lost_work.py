"""Which commits that an activity needs were lost with the host that a thread was on before."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel

from adapters.git.commands import Git
from adapters.git.remote.hub import FOUND, Hub
from adapters.git.remote.hub_copies import HubCopies
from adapters.git.remote.hub_records import HubCopy
from adapters.git.repositories import Repositories
from adapters.processes.spawner import Spawner
from domain.core.ids import ThreadId
from domain.core.remote_repositories import is_remote
from domain.hosts.lost_work import LostWork
from domain.threads.publishing.publication import without_secrets

_OID = re.compile(r"[0-9a-f]{40}")
_NAME = re.compile(r"[^\s\0]{1,300}")
_STARTS = frozenset({"base", "begins_with"})
"""The fields that name where work begins, by a commit or a branch."""

NameOf = Callable[[str], Awaitable[str]]


class LostCommits:
    """Looks for commits of threads that moved to this host, when something failed that needs them."""

    def __init__(
        self, spawner: Spawner, hub: Hub, copies: HubCopies, data_dir: Path, name_of: NameOf
    ) -> None:
        """Make it for a host; `name_of` gives the name of the host with an id."""
        self._git = Git(spawner)
        self._hub = hub
        self._repositories = Repositories(self._git, data_dir)
        self._copies = copies
        self._data_dir = data_dir
        self._name_of = name_of

    async def look(
        self, thread_id: ThreadId, repositories: set[str], calls: Sequence[Any]
    ) -> LostWork | None:
        """Return what of the calls is on no disk that can be reached; None where all is here.

        What somebody has pushed to the hub since the thread moved is brought here first.

        Raises:
            TreadleError: The hub cannot be reached, or a repository cannot be read.
        """
        moved = list(filter(None, (self._copies.moved_copy(thread_id, n) for n in repositories)))
        wanted = tuple(dict.fromkeys(name for call in calls for name in _named(call)))
        if not moved or not wanted:
            return None
        roots = [*(copy.root for copy in moved), *(n for n in repositories if not is_remote(n))]
        if not await self._missing(roots, wanted):
            return None
        for copy in moved:
            await self._hub.fetch_more(copy)
        missing = await self._missing(roots, wanted)
        return await self._lost(moved[0], missing) if missing else None

    async def _lost(self, copy: HubCopy, missing: tuple[str, ...]) -> LostWork:
        root = Path(copy.root)
        folder = root.relative_to(self._data_dir) if root.is_relative_to(self._data_dir) else root
        return LostWork(
            names=missing,
            thread=copy.thread_id,
            host=await self._name_of(copy.came_from) if copy.came_from else "",
            folder=str(folder),
            url=without_secrets(copy.url),
            ref=copy.there(f"refs/treadle/{copy.thread_id}/{FOUND}"),
        )

    async def _missing(self, roots: list[str], wanted: tuple[str, ...]) -> tuple[str, ...]:
        """Return which of the names no repository knows."""
        missing = wanted
        for root in dict.fromkeys(roots):
            place = (await self._repositories.find(root)).place
            asked = "".join(f"{name}^{{object}}\n" for name in missing)
            answer = await self._git.run(place, "cat-file", "--batch-check", stdin=asked.encode())
            lines = answer.output.text().splitlines()
            missing = tuple(
                name for name, line in zip(missing, lines, strict=True) if line.endswith(" missing")
            )
            if not missing:
                break
        return missing


def _named(value: Any, field: str = "") -> Iterator[str]:
    """Yield what a call names in its repositories: commits anywhere, and branches that work begins at."""
    if isinstance(value, BaseModel):
        value = value.model_dump()
    if isinstance(value, Mapping):
        for key, part in cast("Mapping[str, Any]", value).items():
            yield from _named(part, key)
    elif isinstance(value, tuple | list):
        for part in cast("tuple[Any, ...] | list[Any]", value):
            yield from _named(part, field)
    elif isinstance(value, str) and value:
        is_start = field in _STARTS and _NAME.fullmatch(value) is not None
        if is_start or _OID.fullmatch(value):
            yield value
