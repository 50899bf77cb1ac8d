"""The containers of worktrees: one for each, made when it is set up and gone with it.

A container has no process of its own: what works in it starts, is fenced and ends as everywhere. So a
killed worker leaves files only, and those of a worktree that is gone are removed by the next one.
"""

import asyncio
import logging
import os
import time
from pathlib import Path
from typing import NoReturn

from pydantic import ValidationError

from adapters.containers.engine import Engine
from adapters.containers.images import DevcontainerImages
from adapters.containers.records import (
    ContainerRecord,
    container_name,
    owner_of,
    record_file,
)
from adapters.files.state_files import file_lock, write_atomic
from adapters.processes.toolchains import is_there
from domain.core.errors import TreadleError, WorkspaceError
from domain.core.ports import Beat
from domain.recipes.containers import Container

SWEEP_SECONDS = 600.0
_IMAGE_SECONDS = 24 * 3600.0
"""How old an image is at least whose layer is not there: a younger one's may be under way."""

_OWNER = "treadle.data"
_WORKTREE = "treadle.worktree"
_WORKSPACES = Path("/workspaces")
_REPOSITORY = "localhost/treadle-layer"
_LOG = logging.getLogger(__name__)


class Containers:
    """The containers of one data folder; another one's are another worker's matter."""

    def __init__(self, engine: Engine, images: DevcontainerImages, data_dir: Path) -> None:
        self._engine = engine
        self._images = images
        self._data_dir = data_dir
        self._records = data_dir / "containers"
        self._layers = data_dir / "layers"
        self._label = owner_of(data_dir)
        self._known: dict[Path, Container] = {}

    def image_of(self, layer: str) -> str:
        """Return the name of a layer's image."""
        return f"{_REPOSITORY}:{self._label}-{layer}"

    async def begin(self, checkout: Path, layer: str, repository: str, beat: Beat) -> Container:
        """Build the image that a checkout describes, and make the container that its set-up runs in.

        Raises:
            SetUpFailedError: It can't be built; the message says why.
        """
        await self._images.build(checkout, self.image_of(layer), beat)
        return await self.make(checkout, self.image_of(layer), repository)

    async def make(self, worktree: Path, image: str, repository: str) -> Container:
        """Make the container of a new worktree, of an image; one of an earlier worktree there goes.

        The workspace is seen as a folder named after the `repository`, beside where it is.
        """
        name = container_name(self._data_dir, worktree)
        record = ContainerRecord(image=image, folder=_WORKSPACES / repository)
        async with file_lock(self._records / f".{name}.lock"):
            await self._engine.remove(name)
            write_atomic(self._record(name), record.model_dump_json())
            return await self._made(worktree, record)

    async def of(self, worktree: Path) -> Container:
        """Return the container of a worktree; one that somebody removed is made anew.

        Raises:
            WorkspaceError: It never had one, or its image was removed.
        """
        known = self._known.get(worktree)
        if known is not None and is_there(known.root / "etc"):
            return known
        name = container_name(self._data_dir, worktree)
        try:
            record = ContainerRecord.model_validate_json(self._record(name).read_bytes())
        except (OSError, ValidationError) as error:
            raise WorkspaceError(f"{worktree} has no container") from error
        async with file_lock(self._records / f".{name}.lock"):
            if await self._engine.has("container", name):
                return await self._opened(worktree, record)
            _LOG.warning("a container was removed and is made anew", extra={"name_of_it": name})
            return await self._made(worktree, record)

    def has(self, worktree: Path) -> bool:
        """Tell whether a worktree was given a container."""
        return record_file(self._data_dir, worktree).is_file()

    async def _made(self, worktree: Path, record: ContainerRecord) -> Container:
        labels = {_OWNER: self._label, _WORKTREE: str(worktree)}
        await self._engine.create(container_name(self._data_dir, worktree), record.image, labels)
        return await self._opened(worktree, record)

    async def _opened(self, worktree: Path, record: ContainerRecord) -> Container:
        found = await self._engine.opened(
            container_name(self._data_dir, worktree), record.image, record.folder
        )
        self._known[worktree] = found
        return found

    def _record(self, name: str) -> Path:
        return self._records / f"{name}.json"

    async def keep_as(self, container: Container, layer: str) -> None:
        """Make a layer's image of what a container is now."""
        await self._engine.commit(container.name, self.image_of(layer))

    async def has_image(self, layer: str) -> bool:
        """Tell whether a layer's image is there."""
        return await self._engine.has("image", self.image_of(layer))

    async def forget_image(self, layer: str) -> None:
        """Remove a layer's image."""
        await self._engine.remove_image(self.image_of(layer))

    async def remove(self, worktree: Path) -> None:
        """Remove a worktree's container; one that has none is fine."""
        self._known.pop(worktree, None)
        await self._gone(container_name(self._data_dir, worktree))

    async def keep_sweeping(self) -> NoReturn:
        """Remove the containers of worktrees that are gone, now and from time to time."""
        while True:
            await self.sweep()
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self) -> None:
        """Remove the containers of worktrees that are gone, and the images of layers that were removed."""
        if not self._records.is_dir():
            return
        try:
            known = await self._engine.labelled(f"{_OWNER}={self._label}")
            for name, labels in known.items():
                await self._sweep_container(name, Path(labels.get(_WORKTREE, os.devnull)))
            await self._sweep_images()
        except (TreadleError, OSError, ValueError) as error:
            _LOG.info("containers stay", extra={"reason": str(error)})

    async def _sweep_container(self, name: str, worktree: Path) -> None:
        if is_there(worktree):
            return
        async with file_lock(self._records / f".{name}.lock"):
            if not is_there(worktree):  # nor was it made again meanwhile
                await self._gone(name)

    async def _sweep_images(self) -> None:
        oldest = time.time() - _IMAGE_SECONDS
        for tag, made_at in (await self._engine.images(_REPOSITORY)).items():
            owner, _, layer = tag.partition("-")
            is_ours = owner == self._label and made_at < oldest
            if is_ours and not any(self._layers.glob(f"*/{layer}")):
                await self.forget_image(layer)

    async def _gone(self, name: str) -> None:
        await self._engine.remove(name)
        self._record(name).unlink(missing_ok=True)
