"""Copies of layers made ahead: a workspace gets one by a rename, however many files it has.

A copy is whole once it has its number. It is taken by a rename, which only one can do. What a killed
worker left has a name that begins with a dot and is not of this one.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from adapters.disk_room import free_bytes
from adapters.files.removal import remove_tree
from adapters.processes.spawner import Spawner
from adapters.setup.layer_files import FILES, About, copy_layer, move_layer

READY = 4
"""Copies of a layer: four tasks begin at once by default."""

IDLE_SECONDS = 7200.0
"""How long a layer's copies stay that nobody takes."""

LEAST_FREE_BYTES = 5_000_000_000

_LOG = logging.getLogger(__name__)


class LayerCopies:
    """The copies of all layers, below a folder of their own."""

    def __init__(self, spawner: Spawner, folder: Path) -> None:
        self._spawner = spawner
        self._folder = folder
        self._own = f".{secrets.token_hex(4)}"
        self._filling: dict[Path, asyncio.Task[None]] = {}
        self.is_held = False
        """Whether none is made: the disk has no room for what nobody waits for."""

    async def give(self, layer: Path, top: Path, about: About) -> None:
        """Put a layer's files into a worktree, but for what is there: those of a copy, or copied now."""
        if (taken := self._take(layer)) is None:
            await copy_layer(self._spawner, layer / FILES, top, about)
            return
        await asyncio.to_thread(move_layer, taken, top, about)
        await asyncio.to_thread(remove_tree, taken)

    def fill(self, layer: Path, about: About) -> None:
        """Have copies of a layer made in the background, up to `READY`."""
        if layer not in self._filling and about.entries and not self.is_held:
            task = asyncio.create_task(self._fill(layer, about))
            self._filling[layer] = task
            task.add_done_callback(lambda _: self._filling.pop(layer, None))

    def forget(self, layer: Path) -> None:
        """Remove the copies of a layer that is made anew."""
        remove_tree(self._place(layer))

    async def filled(self) -> None:
        """Wait until what is being made is there."""
        await asyncio.gather(*self._filling.values())

    def sweep(self, is_there: Callable[[str], bool]) -> None:
        """Remove what a dead worker left, and copies of layers that are gone or that nobody takes."""
        for place in self._places():
            name = f"{place.parent.name}/{place.name}"
            is_idle = time.time() - place.stat().st_mtime > IDLE_SECONDS
            if is_idle or not is_there(name):
                remove_tree(place)
                continue
            for entry in list(place.iterdir()):
                if entry.name.startswith(".") and not entry.name.startswith(self._own):
                    remove_tree(entry)

    def _places(self) -> Iterator[Path]:
        yield from list(self._folder.glob("*/*"))

    def _place(self, layer: Path) -> Path:
        return self._folder / layer.parent.name / layer.name

    def _take(self, layer: Path) -> Path | None:
        """Return a copy that is nobody else's now, None where there is none."""
        place = self._place(layer)
        for number in range(READY):
            taken = place / f"{self._own}.{secrets.token_hex(4)}"
            with suppress(OSError):
                (place / str(number)).rename(taken)
                return taken
        return None

    async def _fill(self, layer: Path, about: About) -> None:
        try:
            for number in range(READY):
                await self._make(layer, number, about)
        except OSError as error:  # a full disk, or the layer was removed
            _LOG.info("no copy of a layer is made ahead", extra={"reason": str(error)})

    async def _make(self, layer: Path, number: int, about: About) -> None:
        place = self._place(layer)
        ready = place / str(number)
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        if ready.exists() or self.is_held or free_bytes(place) < LEAST_FREE_BYTES:
            return
        draft = place / f"{self._own}.{secrets.token_hex(4)}"
        try:
            draft.mkdir(mode=0o700)
            await copy_layer(self._spawner, layer / FILES, draft, about)
            draft.rename(ready)
        finally:
            await asyncio.to_thread(remove_tree, draft)
