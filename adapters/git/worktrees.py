"""Worktrees of Treadle's own: made, found again, fixed after a kill, and thrown away.

A worktree counts as made once its marker is in its administrative folder (`.git/worktrees/NAME`).
One without was never handed to an agent, so it holds nothing and is made anew; that is the whole
recovery of a killed `git worktree add`. `git worktree prune` is never used: it would forget
worktrees of the user's whose folder is away for a moment.
"""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, Protocol

from adapters.files.removal import remove_tree
from adapters.git.commands import Git
from adapters.git.fingerprints import read_limited
from adapters.git.locks import remove_stale_lock
from adapters.git.pending_merges import PendingMerges
from adapters.git.repositories import Repositories, Repository
from adapters.git.trash import LARGE_INDEX_BYTES, Trash
from adapters.git.worktree import (
    Handed,
    Worktree,
    fix_pointers,
)
from adapters.processes.fences import refuse_stale
from domain.core.errors import BranchConflictError, RepositoryError, WorkspaceError
from domain.core.ids import slug
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.shape import CheckoutShape

_ADD = ("worktree", "add", "--quiet", "--force", "--no-checkout")
_OUTCOMES = (0, 128, 255)
_LAST_WORDS = 500
_IN_THE_WAY = "exists; cannot create"
_HOPELESS = re.compile(f"{_IN_THE_WAY}|not a valid branch name|invalid ref format|bad name")


Take = Callable[[Worktree, WorkspaceSpec], Awaitable[bool]]
"""Turns a spare worktree into the wanted one, under the repository's lock; False where there is none."""


Dress = Callable[[Worktree, WorkspaceSpec], Awaitable[None]]
"""Sets a worktree up that was just made, before it counts as made."""


class Fitting(Protocol):
    """Has worktrees hold what their recipes say beside the files of a commit."""

    async def shape_of(self, spec: WorkspaceSpec) -> CheckoutShape:
        """Return what a spec's worktree shall be."""
        ...

    async def begin(self, worktree: Worktree, shape: CheckoutShape) -> None:
        """Note what a worktree is that has no files yet, and fetch what these need."""
        ...

    async def complete(self, worktree: Worktree) -> None:
        """Have its submodules checked out as its index says."""
        ...

    def forget(self, worktree: Worktree) -> None:
        """Remove what is kept of a worktree outside of its own folders."""
        ...


Reuse = Callable[[Path], bool]
"""Takes a folder that is not needed any more; False where it is of no use."""


class Worktrees:
    """All worktrees under the data folder."""

    def __init__(
        self, git: Git, repositories: Repositories, data_dir: Path, take: Take | None = None
    ) -> None:
        self.dress: Dress | None = None
        self.fitting: Fitting | None = None
        self.undress: Callable[[Worktree], Awaitable[None]] | None = None
        self._git = git
        self._repositories = repositories
        self._folder = data_dir / "worktrees"
        self._shared = data_dir / "several"
        self.trash = Trash(self._folder)
        self._take = take

    async def find(self, spec: WorkspaceSpec) -> Worktree:
        """Return where a worktree is or would be."""
        repository = await self._repositories.find(spec.repository)
        name = _folder_of(spec.workspace_id, spec.workspace_id)
        if spec.name:
            entry = _folder_of(spec.workspace_id, f"{spec.workspace_id}/{spec.name}")
            return Worktree(repository, self._shared / name / spec.name, entry)
        return Worktree(repository, self._folder / repository.name / name)

    async def prepare(self, spec: WorkspaceSpec, shape: CheckoutShape | None = None) -> Worktree:
        """Have a worktree ready: on its branch, made at the base if there is none, or detached.

        A new one is of the `shape` that is given, else of its recipe's.

        Raises:
            RepositoryError: No such base, or a folder with work in it was removed: told once.
            SetUpFailedError: What its shape needs is not there; says what to do.
        """
        worktree = await self.find(spec)
        if worktree.is_made:
            fix_pointers(worktree)
            worktree.mark(Handed.OUT)
            return worktree
        if worktree.is_torn_away:
            worktree.mark(Handed.KEPT)
            raise RepositoryError(
                f"the folder {worktree.path} was removed while it was worked in: what was not "
                "committed is gone. Retry to go on from the last checkpoint"
            )
        if worktree.admin.exists():
            await self.discard(worktree)
        await self._make(worktree, spec, shape)
        if spec.merging is not None:
            await PendingMerges(self._git).begin(worktree.place, spec.merging)
        if self.fitting is not None:
            await self.fitting.complete(worktree)
        if self.dress is not None:
            await self.dress(worktree, spec)
        worktree.mark(Handed.OUT)
        return worktree

    async def _make(
        self, worktree: Worktree, spec: WorkspaceSpec, shape: CheckoutShape | None
    ) -> None:
        """Register a worktree and write its files, or take a spare, which has all files as stored."""
        if shape is None and self.fitting is not None:
            shape = await self.fitting.shape_of(spec)
        is_odd = bool(worktree.entry) or (shape is not None and bool(shape.sparse or shape.lfs))
        take = None if is_odd else self._take
        async with self._repositories.lock(worktree.repository):
            is_taken = take is not None and await take(worktree, spec)
            if not is_taken:
                await self._add(worktree, spec)
        if shape is not None and self.fitting is not None:
            await self.fitting.begin(worktree, shape)
        if not is_taken:
            await self._git.run(worktree.place, "reset", "--hard", "--quiet", is_long=True)

    def named(self, repository: Repository, name: str) -> Worktree:
        """Return where a worktree of that name is or would be."""
        return Worktree(repository, self._folder / repository.name / name)

    def listed(self, repository: Repository, admin: Path) -> Worktree:
        """Return where the worktree of an administrative folder is or would be, if it is one of Treadle's."""
        pointer = read_limited(admin / "gitdir") or b""
        folder = Path(pointer.decode("utf-8", "replace").strip()).parent
        if folder.parent.parent == self._shared:
            return Worktree(repository, folder, admin.name)
        return self.named(repository, admin.name)

    def own(self, repository: Repository, admin: Path) -> Worktree | None:
        """Return the worktree of Treadle's that an administrative folder belongs to, if it is one.

        By its name: what is written in the folder may be an agent's work.
        """
        worktree = self.named(repository, admin.name)
        return worktree if worktree.admin == admin and worktree.is_made else None

    async def discard(self, worktree: Worktree, reuse: Reuse | None = None) -> None:
        """Remove a worktree whatever state it is in, or have its folder used again.

        Its work must be on a ref before.
        """
        trash = worktree.path.with_name(f"{worktree.path.name}.removed")
        async with self._repositories.lock(worktree.repository):
            refuse_stale()  # a newer attempt may have made it anew while this one was stopped
            await asyncio.to_thread(remove_tree, trash)
            if self.fitting is not None:
                await asyncio.to_thread(self.fitting.forget, worktree)
            with suppress(FileNotFoundError):
                worktree.path.rename(trash)
            await asyncio.to_thread(remove_tree, worktree.admin)
        if self.undress is not None:
            await self.undress(worktree)
        if worktree.entry:
            await asyncio.to_thread(_remove_shared, trash, worktree.path.with_name(worktree.name))
            return
        is_folder = trash.is_dir() and not trash.is_symlink()
        if is_folder and reuse is not None and reuse(trash):
            return
        if is_folder and worktree.repository.index_bytes >= LARGE_INDEX_BYTES:
            self.trash.throw(trash)
        else:
            await asyncio.to_thread(remove_tree, trash)

    async def _add(self, worktree: Worktree, spec: WorkspaceSpec) -> None:
        """Register the worktree without its files, which takes the lock for moments only."""
        made = worktree.path.with_name(worktree.name)  # git calls the entry as the folder
        made.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if made != worktree.path:
            await asyncio.to_thread(remove_tree, made)
        await self._register(worktree.repository, spec, made)
        if made != worktree.path:
            made.rename(worktree.path)
            fix_pointers(worktree)

    async def _register(self, repository: Repository, spec: WorkspaceSpec, folder: Path) -> None:
        path = ("--end-of-options", str(folder))
        head, start = ("--detach",), spec.begins_with or spec.base
        if spec.branch is not None:
            await remove_stale_lock(repository, f"refs/heads/{spec.branch}")
            head = ("--no-track", "-b", spec.branch)
        # nearly always the branch is new: asking first would cost every task one git more
        made = await self._git.run(
            repository.place, *_ADD, *head, *path, start, accepts=_OUTCOMES, is_long=True
        )
        if made.returncode == 0:
            return
        has_branch, has_base = await self._existing(repository, spec)
        if has_branch and spec.branch is not None:
            await self._git.run(repository.place, *_ADD, *path, spec.branch, is_long=True)
        elif has_base:
            refuse_branch(spec.branch or "", made.errors)
        else:
            raise RepositoryError(
                f"no commit or branch {start!r} in {spec.repository}: make it again "
                "(`git branch NAME COMMIT`), then retry the task, or cancel it"
            )

    async def _existing(self, repository: Repository, spec: WorkspaceSpec) -> tuple[bool, bool]:
        """Tell whether a spec's branch and its base exist."""
        names = (f"refs/heads/{spec.branch or ''}", spec.begins_with or spec.base)
        asked = "".join(f"{name}^{{commit}}\n" for name in names)
        answer = await self._git.run(
            repository.place, "cat-file", "--batch-check", stdin=asked.encode()
        )
        branch, base = answer.output.text().splitlines()
        return not branch.endswith(" missing"), not base.endswith(" missing")


def _folder_of(workspace_id: str, unique: str) -> str:
    """Return a readable name of a workspace, which is another one for each `unique` text."""
    digest = hashlib.sha256(unique.encode()).hexdigest()[:8]
    return f"{slug(workspace_id.rpartition('/')[2])}-{digest}"


def _remove_shared(trash: Path, half_made: Path) -> None:
    """Remove a worktree of a shared folder, and that with the last one."""
    remove_tree(trash)
    remove_tree(half_made)
    with suppress(OSError):
        trash.parent.rmdir()


def refuse_branch(branch: str, errors: str) -> NoReturn:
    """Tell why git did not make a branch.

    Raises:
        RepositoryError: No retry can fix it: the name is none, or another branch is in its way
            (`BranchConflictError`).
        WorkspaceError: Anything else.
    """
    reason = errors.strip()[-_LAST_WORDS:]
    if _HOPELESS.search(reason):
        kind = BranchConflictError if _IN_THE_WAY in reason else RepositoryError
        raise kind(
            f"there cannot be a branch {branch!r}: {reason}. Rename the branch in the way, or give "
            "the template another branchPrefix"
        )
    raise WorkspaceError(f"git could not make the branch {branch!r}: {reason}")
