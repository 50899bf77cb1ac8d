"""Where a repository's Treadle refs and worktrees are, saved with a backup and put back with it.

Only what belongs to known threads and runs of flows is looked at. Whatever is newer than the backup
stays: refs below refs/treadle/aside/, worktrees as folders. Doing it twice is the same as once.
"""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from adapters.containers.records import record_file
from adapters.files.removal import remove_tree
from adapters.git.commands import STATUS, Git, read_status
from adapters.git.commits import Commits
from adapters.git.fingerprints import read_limited
from adapters.git.fitting import forget_worktree
from adapters.git.index import Index
from adapters.git.locks import remove_stale_lock
from adapters.git.repositories import Repositories, Repository
from adapters.git.salvage import Salvage
from adapters.git.worktree import Handed, Worktree, read_head
from adapters.git.worktrees import Worktrees
from adapters.processes.spawner import Spawner
from domain.core.wire import Wire

ASIDE = "refs/treadle/aside"
"""Below it are refs that were newer than a backup, by the moment at which that was restored."""

_HEADS = "refs/heads/"
_HIDDEN = "refs/treadle/"
_ON_BRANCH = "ref: "


class KnownWork(Wire):
    """What Treadle has in a repository: branches of threads and runs of flows, and their ids."""

    root: str
    branches: frozenset[str] = frozenset()
    streams: frozenset[str] = frozenset()

    def owns(self, ref: str) -> bool:
        """Tell whether a ref is of this work: a branch, a task's branch, or a checkpoint."""
        if ref.startswith(_HEADS):
            return ref.removeprefix(_HEADS).partition("--")[0] in self.branches or (
                ref.removeprefix(_HEADS) in self.branches
            )
        return ref.removeprefix(_HIDDEN).partition("/")[0] in self.streams


class SavedWorktree(Wire):
    """A worktree: its head as git spells it, the commit that it is on, whether all is committed.

    One `is_fitted` that is more than a plain checkout, or works in a container, by its recipe.
    """

    name: str
    head: str
    commit: str
    is_clean: bool
    is_merging: bool = False
    is_fitted: bool = False


class SavedRepository(Wire):
    """A repository's Treadle refs, by name, and worktrees."""

    work: KnownWork
    refs: dict[str, str] = {}
    worktrees: tuple[SavedWorktree, ...] = ()


@dataclass(frozen=True)
class Aside:
    """Where what is newer than a backup goes: a name for refs, a folder for worktrees."""

    name: str
    folder: Path


class SavedState:
    """Reads the state of repositories, and puts it back."""

    def __init__(self, spawner: Spawner, data_dir: Path) -> None:
        self._git = Git(spawner, data_dir / "litter")
        self._repositories = Repositories(self._git, data_dir)
        self._worktrees = Worktrees(self._git, self._repositories, data_dir)
        index = Index(self._git)
        self._salvage = Salvage(self._git, Commits(self._git, index), index)
        self._data_dir = data_dir
        self._folder = data_dir / "worktrees"

    async def read(self, work: KnownWork) -> SavedRepository:
        """Return the state of a repository; changes nothing.

        Raises:
            RepositoryError: It is gone, broken, or not trusted.
        """
        repository = await self._repositories.find(work.root)
        worktrees = [
            await self._look_at(worktree) for worktree in self._own(repository) if worktree.is_made
        ]
        return SavedRepository(
            work=work, refs=await self._refs(repository, work), worktrees=tuple(worktrees)
        )

    async def put_back(self, saved: SavedRepository, now: KnownWork, aside: Aside) -> list[str]:
        """Put the state of a repository back; returns what went aside, and what could not.

        `now` is what is known in it beside what was saved.

        Raises:
            RepositoryError: It is gone, broken, or not trusted.
            WorkspaceError: A git command failed, which may go well the next time.
        """
        work = KnownWork(
            root=saved.work.root,
            branches=saved.work.branches,
            streams=saved.work.streams | now.streams,
        )
        repository = await self._repositories.find(saved.work.root)
        async with self._repositories.lock(repository):
            notes = await self._set_worktrees_aside(repository, saved, aside)
            notes += await self._put_refs_back(repository, (saved, work), aside)
            await self._make_worktrees(repository, saved)
        return notes

    async def set_aside(self, root: str, aside: Aside, owns: Callable[[str], bool]) -> list[str]:
        """Move the worktrees aside that are on branches of one's own; returns where each is, in words.

        What they hold is on hidden refs first. They are made again from their branches when they are needed.

        Raises:
            RepositoryError: The repository is gone, broken, or not trusted.
            WorkspaceError: A git command failed, which may go well the next time.
        """
        repository = await self._repositories.find(root)
        notes: list[str] = []
        async with self._repositories.lock(repository):
            for worktree in list(self._own(repository)):
                head = worktree.head or ""
                if not (
                    head.startswith(_ON_BRANCH) and owns(head.removeprefix(_ON_BRANCH).strip())
                ):
                    continue
                if worktree.is_made:
                    await self._salvage.keep(worktree)
                notes.append(await self._move_aside(worktree, aside))
        return notes

    async def _refs(self, repository: Repository, work: KnownWork) -> dict[str, str]:
        listed = await self._git.run(
            repository.place,
            *("for-each-ref", "--format=%(refname) %(objectname)", _HEADS, _HIDDEN),
        )
        found = (line.partition(" ") for line in listed.output.text().splitlines())
        return {ref: oid for ref, _, oid in found if work.owns(ref)}

    def _own(self, repository: Repository) -> Iterator[Worktree]:
        """Yield all folders that are worktrees of a repository, or were."""
        folder = self._folder / repository.name
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            worktree = self._worktrees.named(repository, path.name)
            if worktree.has_folder and not path.name.endswith(".removed"):
                yield worktree

    async def _look_at(self, worktree: Worktree) -> SavedWorktree:
        """Describe a worktree that an agent may work in: nothing is written, no lock is waited for."""
        status = await self._git.run(worktree.place, *STATUS, accepts=(0, 1, 128), is_long=True)
        is_read = status.returncode == 0
        header, changed = read_status(status.output.content()) if is_read else ({}, 1)
        return SavedWorktree(
            name=worktree.path.name,
            head=worktree.head or "",
            commit=header.get("branch.oid", ""),
            is_clean=not changed,
            is_merging=(worktree.admin / "MERGE_HEAD").exists(),
            is_fitted=not worktree.shape.is_plain
            or record_file(self._data_dir, worktree.path).is_file(),
        )

    async def _set_worktrees_aside(
        self, repository: Repository, saved: SavedRepository, aside: Aside
    ) -> list[str]:
        known = {worktree.name: worktree for worktree in saved.worktrees}
        notes: list[str] = []
        for worktree in list(self._own(repository)):
            then = known.get(worktree.path.name)
            if worktree.is_made:
                found = await self._look_at(worktree)
                if then is not None and _is_as_saved(then, found):
                    continue
                await self._salvage.keep(worktree)
            notes.append(await self._move_aside(worktree, aside))
        await self._forget_torn_away(repository, aside)
        return notes

    async def _move_aside(self, worktree: Worktree, aside: Aside) -> str:
        name = worktree.path.name
        place = aside.folder / "worktrees" / worktree.repository.name / name
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        await asyncio.to_thread(shutil.move, worktree.path, place)
        await asyncio.to_thread(forget_worktree, worktree)
        await asyncio.to_thread(remove_tree, worktree.admin)
        return f"the worktree {name} is in {place}"

    async def _forget_torn_away(self, repository: Repository, aside: Aside) -> None:
        """Remove git's entries of worktrees whose folder is gone; their heads stay on refs."""
        for admin in list((repository.common / "worktrees").glob("*")):
            worktree = self._worktrees.named(repository, admin.name)
            pointer = f"{worktree.path}/.git\n".encode()
            if worktree.has_folder or read_limited(admin / "gitdir") != pointer:
                continue
            head = worktree.head or ""
            if not head.startswith(_ON_BRANCH) and await self._is_there(repository, head):
                ref = f"{ASIDE}/{aside.name}/worktrees/{admin.name}"
                await self._git.run(repository.place, "update-ref", "--no-deref", ref, head)
            await asyncio.to_thread(remove_tree, admin)

    async def _put_refs_back(
        self, repository: Repository, saved: tuple[SavedRepository, KnownWork], aside: Aside
    ) -> list[str]:
        then, work = saved
        now = await self._refs(repository, work)
        changed = {ref for ref in {*now, *then.refs} if now.get(ref) != then.refs.get(ref)}
        # those that go come first: their names may be folders in the names of others
        return [
            await self._put_ref_back(repository, (ref, then.refs.get(ref)), now, aside)
            for ref in sorted(changed, key=lambda ref: (ref in then.refs, ref))
        ]

    async def _put_ref_back(
        self,
        repository: Repository,
        wanted: tuple[str, str | None],
        now: dict[str, str],
        aside: Aside,
    ) -> str:
        ref, then = wanted
        if _is_checked_out(repository, ref):
            return f"{ref} stays as it is: it is checked out. It was at {then}"
        if then is not None and not await self._is_there(repository, then):
            return f"{ref} stays as it is: its commit {then} is gone"
        place = f"{ASIDE}/{aside.name}/{ref.removeprefix('refs/')}"
        moves = f"update {place}\0{now[ref]}\0\0" if ref in now else ""
        if then is None:
            moves += f"delete {ref}\0{now[ref]}\0"
        else:
            moves += f"update {ref}\0{then}\0{now.get(ref, '')}\0"
        await remove_stale_lock(repository, ref)
        await self._git.run(
            repository.place, *("update-ref", "--no-deref", "-z", "--stdin"), stdin=moves.encode()
        )
        return f"{ref} is at {place}" if ref in now else f"{ref} was removed, and is there again"

    async def _is_there(self, repository: Repository, commit: str) -> bool:
        asked = await self._git.run(
            repository.place, "cat-file", "-e", f"{commit}^{{commit}}", accepts=(0, 1, 128)
        )
        return asked.returncode == 0

    async def _make_worktrees(self, repository: Repository, saved: SavedRepository) -> None:
        """Make those again that went aside or are gone: on a branch, or detached where they were.

        One with a merge under way is made by its task, which begins that again; so is one whose recipe
        has more than git alone checks out.
        """
        for then in saved.worktrees:
            worktree = self._worktrees.named(repository, then.name)
            start = then.head.removeprefix(f"{_ON_BRANCH}{_HEADS}")
            is_wanted = not (worktree.is_made or then.is_merging or then.is_fitted)
            if not is_wanted or not await self._is_there(repository, start):
                continue
            worktree.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            detached = () if then.head.startswith(_ON_BRANCH) else ("--detach",)
            await self._git.run(
                repository.place,
                *("worktree", "add", "--quiet", "--force", "--no-checkout", *detached),
                *("--end-of-options", str(worktree.path), start),
                is_long=True,
            )
            await self._git.run(worktree.place, "reset", "--hard", "--quiet", is_long=True)
            worktree.mark(Handed.KEPT)


def _is_as_saved(then: SavedWorktree, now: SavedWorktree) -> bool:
    is_same = (then.head, then.commit) == (now.head, now.commit)
    return is_same and (now.is_clean or not then.is_clean)


def _is_checked_out(repository: Repository, ref: str) -> bool:
    """Tell whether a ref is on a checkout by now, other than those of Treadle that go along."""
    admins = (repository.common, *(repository.common / "worktrees").glob("*"))
    return any(read_head(admin) == f"{_ON_BRANCH}{ref}" for admin in admins)
