"""The containers of worktrees: one for each, made when it is set up and gone with it.

A container has no process of its own: what works in it starts, is fenced and ends as everywhere. So a
killed worker leaves files only, and those of a worktree that is gone are removed by the next one.
"""

import hashlib
import logging
import os
from pathlib import Path

from adapters.containers.engine import Engine
from adapters.files.state_files import file_lock
from adapters.processes.toolchains import is_there
from domain.core.errors import TreadleError, WorkspaceError
from domain.recipes.containers import Container

SWEEP_SECONDS = 600.0

_ENGINE_LABEL = "treadle.engine"
_WORKTREE = "treadle.worktree"
_IMAGE = "treadle.image"
_REPOSITORY = "localhost/treadle-layer"
_LOG = logging.getLogger(__name__)


class Containers:
    """The containers of one data folder; another one's are another engine's matter."""

    def __init__(self, engine: Engine, data_dir: Path) -> None:
        self._engine = engine
        self._locks = data_dir / "containers"
        self._label = _digest(data_dir.resolve())

    def image_of(self, layer: str) -> str:
        """Return the name of a layer's image."""
        return f"{_REPOSITORY}:{self._label}-{layer}"

    async def make(self, worktree: Path, image: str, shown_at: Path | None = None) -> Container:
        """Make the container of a new worktree, of an image; one of an earlier worktree there goes.

        Its image may name the folder of the workspace: that is `shown_at`, if it is seen elsewhere.
        """
        name = self._name(worktree)
        labels = {_ENGINE_LABEL: self._label, _WORKTREE: str(worktree), _IMAGE: image}
        async with file_lock(self._locks / f".{name}.lock"):
            await self._engine.remove(name)
            await self._engine.create(name, image, labels)
            return await self._engine.opened(name, image, shown_at or worktree)

    async def of(self, worktree: Path, shown_at: Path | None = None) -> Container:
        """Return the container of a worktree.

        Raises:
            WorkspaceError: It was removed.
        """
        name = self._name(worktree)
        known = await self._engine.labelled(f"{_WORKTREE}={worktree}")
        if name not in known:
            raise WorkspaceError(f"the container {name} of {worktree} was removed")
        return await self._engine.opened(name, known[name][_IMAGE], shown_at or worktree)

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
        await self._engine.remove(self._name(worktree))

    async def sweep(self) -> None:
        """Remove the containers of worktrees that are gone."""
        try:
            known = await self._engine.labelled(f"{_ENGINE_LABEL}={self._label}")
            for name, labels in known.items():
                if not is_there(Path(labels.get(_WORKTREE, os.devnull))):
                    await self._engine.remove(name)
        except TreadleError as error:
            _LOG.info("containers stay", extra={"reason": error.message})

    def _name(self, worktree: Path) -> str:
        return f"treadle-{self._label}-{_digest(worktree)}"


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
