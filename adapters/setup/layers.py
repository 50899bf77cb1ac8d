"""Layers: what a recipe's commands make of a commit, made once and copied into every workspace.

A layer is a folder with the files that were not there before, and says where it was made: programs
in it name that folder (shebangs, `.pth` files), so copies of such files name their own. It is whole
once its `about.json` is there; one without is of a killed attempt, and made anew.
"""

import asyncio
import logging
import os
import platform
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from pydantic import ValidationError

from adapters.files.copies import Copying
from adapters.files.removal import remove_tree
from adapters.git.commands import Git
from adapters.git.fingerprints import read_limited
from adapters.git.repositories import Repositories, Repository
from adapters.git.worktree import Worktree
from adapters.git.worktrees import Worktrees
from adapters.setup.commands import Place
from adapters.setup.layer_copies import LayerCopies
from adapters.setup.layer_files import (
    ABOUT,
    About,
    empty_masks,
    hide_new_folders,
    look_at,
    name_place,
    take_into_layer,
)
from adapters.setup.making import Making
from adapters.setup.user_files import digest_of, named_files
from domain.core.ids import ThreadId
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from domain.recipes.errors import SetUpFailedError
from domain.recipes.layers import is_input, layer_key
from domain.recipes.recipe import WorkspaceRecipe
from domain.recipes.results import TAIL_BYTES, SetUpResult

KEPT = 6
"""Layers of a repository that stay, those used last."""

SWEEP_SECONDS = 3600.0

_LINK = b"160000"
_NAMED = 50
_REMEMBERED = 500
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Layer:
    key: str
    folder: Path

    @property
    def about(self) -> About | None:
        try:
            return About.model_validate_json(read_limited(self.folder / ABOUT) or b"")
        except ValidationError:
            return None


class Layers:
    """The layers of all repositories of this host, below the data folder."""

    def __init__(
        self, git: Git, repositories: Repositories, worktrees: Worktrees, data_dir: Path
    ) -> None:
        self._git = git
        self._repositories = repositories
        self._worktrees = worktrees
        self._folder = data_dir / "layers"
        self.copies = LayerCopies(git.spawner, data_dir / "layer-copies")
        self._caches = data_dir / "caches"
        self._inputs: dict[tuple[object, ...], dict[str, str]] = {}
        self._failed: dict[str, SetUpResult] = {}

    async def key(self, repository: Repository, commit: str, recipe: WorkspaceRecipe) -> str:
        """Return the name of the layer that a commit's workspaces have by a recipe."""
        inputs = await self._inputs_of(repository, commit, recipe)
        copied = await named_files(self._git, repository, recipe.copied)
        digest = await asyncio.to_thread(digest_of, repository.root, copied)
        return layer_key(recipe, inputs, digest, _platform())

    def has(self, repository: Repository, key: str) -> bool:
        """Tell whether a layer is there."""
        return self._layer(repository, key).about is not None

    async def make(
        self,
        repository: Repository,
        commit: str,
        recipe: WorkspaceRecipe,
        making: Making,
    ) -> SetUpResult:
        """Have the layer of a commit: found, or made in a worktree of its own that is removed after it.

        Of several who ask at once one makes it, the others wait.
        """
        key = await self.key(repository, commit, recipe)
        layer = self._layer(repository, key)
        async with self._repositories.lock_named(f"{repository.name}.layer-{key}"):
            if (about := layer.about) is not None and await making.is_complete(key):
                os.utime(layer.folder)
                self.copies.fill(layer.folder, about)
                return _found(key, about)
            if making.can_do_without and key in self._failed:
                return self._failed[key]
            await asyncio.to_thread(self.copies.forget, layer.folder)
            await asyncio.to_thread(remove_tree, layer.folder)
            self._failed.pop(key, None)
            try:
                result = await self._make(repository, commit, recipe, layer, making)
            except SetUpFailedError as error:  # its checkout or container can not be made
                result = SetUpResult(failure=error.message)
            if result.failure:
                self._failed[key] = result
            return result

    async def give(self, key: str, worktree: Worktree, shown_at: Path) -> bool:
        """Copy a layer's files into a worktree, but for what is there; False where there is no such layer.

        They name the folder where the worktree is shown to those who work in it.
        """
        repository = worktree.repository
        layer = self._layer(repository, key)
        about = layer.about
        if about is None:
            return False
        with suppress(OSError):
            os.utime(layer.folder)
        await self.copies.give(layer.folder, worktree.path, about)
        await asyncio.to_thread(name_place, worktree.path, shown_at, about)
        self.copies.fill(layer.folder, about)
        return True

    async def keep_sweeping(self) -> None:
        """Remove layers that are not used, now and from time to time."""
        while True:
            try:
                await self.sweep()
            except OSError as error:
                _LOG.info("layers stay", extra={"reason": str(error)})
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self) -> None:
        """Remove all but the layers of each repository that were used last, and idle copies."""
        for folder in await asyncio.to_thread(lambda: list(self._folder.glob("*"))):
            layers = sorted(folder.glob("*"), key=lambda each: each.stat().st_mtime, reverse=True)
            for old in layers[KEPT:]:
                await asyncio.to_thread(remove_tree, old)
        await asyncio.to_thread(self.copies.sweep, lambda name: (self._folder / name).is_dir())

    async def _make(
        self,
        repository: Repository,
        commit: str,
        recipe: WorkspaceRecipe,
        layer: _Layer,
        making: Making,
    ) -> SetUpResult:
        began = time.monotonic()
        spec = WorkspaceSpec(
            workspace_id=f"{repository.name}/set-up-{layer.key[:12]}",
            kind=WorkspaceKind.PLANNING,
            repository=str(repository.root),
            thread_id=ThreadId("set-up"),
            base=commit,
        )
        found = await self._worktrees.find(spec)
        await self._worktrees.discard(found)
        worktree = await self._worktrees.prepare(spec, recipe.shape)
        try:
            await self._copy_user_files(repository, recipe, worktree)
            place = self.place_of(repository, worktree.path, making.hosts)
            place = await making.begin(place, layer.key)
            printed = await making.commands.run(recipe, place, making.secrets, making.beat)
            tail = printed.output.encode()[-TAIL_BYTES:].decode(errors="ignore")
            took = round((time.monotonic() - began) * 1000)
            if printed.failure:
                return SetUpResult(
                    layer=layer.key, failure=printed.failure, output=tail, duration_ms=took
                )
            about = await self._about(worktree, tail, took)
            await making.keep(place, layer.key)
            await asyncio.to_thread(take_into_layer, worktree.path, layer.folder, about)
        finally:
            await self._worktrees.discard(worktree)
        made = layer.about
        if made is None:
            return SetUpResult()
        self.copies.fill(layer.folder, made)
        return _found(layer.key, made).model_copy(update={"is_made": True})

    def place_of(self, repository: Repository, folder: Path, hosts: tuple[str, ...] = ()) -> Place:
        """Return where a recipe's commands run in a checkout."""
        return Place(repository.root, folder, self._caches / repository.name, hosts)

    async def _copy_user_files(
        self, repository: Repository, recipe: WorkspaceRecipe, worktree: Worktree
    ) -> None:
        paths = await named_files(self._git, repository, recipe.copied)
        if not paths:
            return
        named = (os.fsencode(repository.root), os.fsencode(worktree.path))
        copying = Copying(lambda _name: False, Event(), named)
        await asyncio.to_thread(
            lambda: [copying.copy(repository.root, worktree.path, path) for path in paths]
        )

    async def _about(self, worktree: Worktree, output: str, duration_ms: int) -> About:
        """Say what the commands made: all that is ignored, and new folders, which are from now on."""
        listed = await self._git.run(
            worktree.place, "ls-files", "-z", "--others", "--directory", is_long=True
        )
        masks = await asyncio.to_thread(empty_masks, worktree.path)
        entries = (entry for entry in _names(listed.output.content()) if entry not in masks)
        visible = await self._git.run(
            worktree.place,
            *("ls-files", "-z", "--others", "--directory", "--exclude-standard"),
            is_long=True,
        )
        changed = await self._git.run(
            worktree.place, "ls-files", "-z", "--modified", "--deleted", is_long=True
        )
        new = [entry for entry in _names(visible.output.content()) if entry not in masks]
        left_out = await asyncio.to_thread(hide_new_folders, worktree.path, new)
        entries = tuple(entry for entry in entries if entry not in left_out)
        named, size = await asyncio.to_thread(look_at, worktree.path, entries)
        return About(
            made_at=str(worktree.path),
            entries=entries,
            named=named,
            left_out=left_out[:_NAMED],
            changed=_names(changed.output.content())[:_NAMED],
            output=output,
            size_bytes=size,
            duration_ms=duration_ms,
        )

    async def _inputs_of(
        self, repository: Repository, commit: str, recipe: WorkspaceRecipe
    ) -> dict[str, str]:
        """Return the blobs that count for a layer; the same for ever of one commit."""
        asked = (
            repository.name,
            commit,
            recipe.setup,
            recipe.inputs,
            bool(recipe.submodules),
            recipe.devcontainer,
        )
        if (known := self._inputs.get(asked)) is not None:
            return known
        listed = await self._git.run(
            repository.place, "ls-tree", "-r", "-z", "--end-of-options", commit, is_long=True
        )
        blobs: dict[str, str] = {}
        for entry in listed.output.content().split(b"\0"):
            about, _, path = entry.partition(b"\t")
            name = os.fsdecode(path)
            is_link = bool(recipe.submodules) and about.startswith(_LINK)
            if entry and (is_link or is_input(name, recipe)):
                blobs[ascii(name)] = about.split(b" ")[2].decode()
        if len(self._inputs) > _REMEMBERED:
            self._inputs.clear()
        self._inputs[asked] = blobs
        return blobs

    def _layer(self, repository: Repository, key: str) -> _Layer:
        return _Layer(key, self._folder / repository.name / key)


def _platform() -> str:
    return f"{platform.system()} {platform.machine()} {platform.libc_ver()[1]}"


def _names(listed: bytes) -> tuple[str, ...]:
    names = (os.fsdecode(name).rstrip("/") for name in listed.split(b"\0") if name)
    return tuple(name for name in names if name != ".git")


def _found(key: str, about: About) -> SetUpResult:
    return SetUpResult(
        layer=key,
        output=about.output,
        duration_ms=about.duration_ms,
        size_bytes=about.size_bytes,
        changed=about.changed,
        left_out=about.left_out,
    )
