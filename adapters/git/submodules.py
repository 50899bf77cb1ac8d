"""Submodules of workspaces: checked out as recorded, and what is changed in them kept.

An agent's edits in a submodule become a commit in the repository of that submodule, under a ref below
refs/treadle/submodules/, and the task's commit names it.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from adapters.git.commands import Git
from adapters.git.index import Index, Staging
from adapters.git.modules import (
    ModuleTrust,
    Submodule,
    is_inside,
    module_of,
    modules_below,
    submodules_in,
)
from adapters.git.worktree import MADE_MARKER, Worktree, fix_pointers, replace_file
from domain.core.errors import RepositoryError
from domain.recipes.errors import SetUpFailedError
from domain.recipes.shape import is_in_cone

KEPT = "refs/treadle/submodules"
"""Below it are commits that workspaces made in a submodule, by the workspace."""

_LINK = "160000"
_MESSAGE = b"Work of an agent in a submodule\n"


class Submodules:
    """Checks submodules out, and commits what is in them."""

    def __init__(self, git: Git, index: Index) -> None:
        self._git = git
        self._index = index
        self._trust = ModuleTrust(git)

    async def update(self, worktree: Worktree) -> None:
        """Have a worktree's submodules at the commits that its index says, with no other files.

        Raises:
            SetUpFailedError: The user's checkout has not got one, or not that commit of it.
            RepositoryError: Git would act by its configuration, or its place is not in the worktree.
        """
        shape = worktree.shape
        if shape.submodules:
            await self._update(worktree, worktree.repository.root, is_recursive=shape.is_recursive)

    async def _update(self, worktree: Worktree, root: Path, *, is_recursive: bool) -> None:
        names = await self._names(worktree)
        folders = worktree.shape.sparse
        for path, commit in (await self._links(worktree, names)).items():
            if folders and not is_in_cone(f"{path}/file", folders):
                continue
            module = module_of(worktree.repository, names[path], self._trust)
            place = worktree.path / path
            if not is_inside(worktree, place) or place.is_symlink():
                raise RepositoryError(f"a link is in the place of the submodule {place}: remove it")
            found = Submodule(module, place, worktree.admin.name)
            await self._require(found, root, path, commit)
            await self._check_out(found, commit)
            if is_recursive:
                await self._update(found, root / path, is_recursive=True)

    async def keep(self, worktree: Worktree) -> None:
        """Commit what is changed in a worktree's submodules, under a ref of their repositories.

        Raises:
            RepositoryError: Its agent cloned a submodule, whose commits are in the workspace only.
        """
        if not worktree.shape.submodules:
            return
        if cloned := next(modules_below(worktree.admin), None):
            raise RepositoryError(
                f"the agent cloned the submodule {cloned.name} into its workspace, where its commits would "
                f"be lost: add it to your own checkout (`git submodule add URL PATH` in "
                f"{worktree.repository.root}), fetch what you need of it from {cloned}, remove that "
                "folder, then retry (submodule_cloned)"
            )
        for found in list(submodules_in(worktree, self._trust)):
            await self._keep(found)

    async def altered(self, worktree: Worktree, what: Staging, prefix: str = "") -> tuple[str, ...]:
        """Return which files in submodules differ from the commit that each is at."""
        names: list[str] = []
        if prefix or worktree.shape.submodules:
            for found in list(_whole(submodules_in(worktree, self._trust))):
                here = f"{prefix}{found.path.relative_to(worktree.path)}/"
                tree = await self._index.stage(found, what)
                asked = ("diff-tree", "-r", "-z", "--name-only", "--no-renames")
                listed = await self._git.run(found.place, *asked, "HEAD", tree)
                differ = listed.output.content().split(b"\0")
                names += [f"{here}{os.fsdecode(name)}" for name in differ if name]
                names += await self.altered(found, what, here)
        return tuple(names)

    async def _keep(self, found: Submodule) -> None:
        """Commit in a submodule, those in it first: it records their commits."""
        if not any(found.path.iterdir()):
            return  # emptied as `git submodule deinit` does it: the link stays
        fix_pointers(found)
        for inner in list(submodules_in(found, self._trust)):
            await self._keep(inner)
        place = found.place
        head = await self._git.line(place, "rev-parse", "--verify", "HEAD^{commit}")
        tree = await self._index.stage(found)
        if tree != await self._git.line(place, "rev-parse", "--verify", f"{head}^{{tree}}"):
            new = ("commit-tree", "-p", head, "-F", "-", tree)
            head = await self._git.line(place, *new, stdin=_MESSAGE)
        if head != found.began_at:
            ref = f"{KEPT}/{found.entry}/{head[:12]}"
            await self._git.run(place, "update-ref", "--no-deref", ref, head)
            replace_file(found.admin / "HEAD", f"{head}\n")

    async def _check_out(self, found: Submodule, commit: str) -> None:
        admin = found.admin
        is_new = not found.is_made
        admin.mkdir(parents=True, exist_ok=True)
        found.path.mkdir(exist_ok=True)
        if is_new:
            replace_file(admin / "HEAD", f"{commit}\n")
        fix_pointers(found)
        if not is_new:
            await self._index.stage(found)  # what it does not know stays where it is
        reset = ("read-tree", "--reset", "-u", "--no-recurse-submodules", commit)
        await self._git.run(found.place, *reset, is_long=True)
        replace_file(admin / "HEAD", f"{commit}\n")
        replace_file(admin / MADE_MARKER, commit)

    async def _require(self, found: Submodule, root: Path, path: str, commit: str) -> None:
        """Refuse a submodule that the user's own checkout has not got: nothing is fetched for a task."""
        has = False
        if (found.repository.common / "HEAD").is_file():
            asked = await self._git.run(
                found.repository.place,
                *("cat-file", "-e", f"{commit}^{{commit}}"),
                accepts=(0, 1, 128),
            )
            has = asked.returncode == 0
        if not has:
            raise SetUpFailedError(
                f"the submodule {path} is not in {root} at {commit[:12]}: run `git submodule update "
                f"--init --recursive` there, then retry (submodule_missing)"
            )

    async def _names(self, worktree: Worktree) -> dict[str, str]:
        """Return the names of submodules by their paths, as the index's `.gitmodules` has them."""
        listed = await self._git.run(
            worktree.place,
            *("config", "--blob", ":.gitmodules", "--no-includes", "-z"),
            *("--get-regexp", r"^submodule\..*\.path$"),
            accepts=(0, 1, 128),
        )
        pairs = (each.partition(b"\n") for each in listed.output.content().split(b"\0") if each)
        return {
            os.fsdecode(path).rstrip("/"): os.fsdecode(key)[len("submodule.") : -len(".path")]
            for key, _, path in pairs
        }

    async def _links(self, worktree: Worktree, names: Mapping[str, str]) -> dict[str, str]:
        """Return which commit the index records for each of these paths that is a submodule there."""
        if not names:
            return {}
        listed = await self._git.run(
            worktree.place, "--literal-pathspecs", "ls-files", "-s", "-z", "--", *names
        )
        links: dict[str, str] = {}
        for entry in listed.output.content().split(b"\0"):
            about, _, path = os.fsdecode(entry).partition("\t")
            if about.startswith(_LINK) and path in names:
                links[path] = about.split(" ")[1]
        return links


def _whole(found: Iterator[Submodule]) -> Iterator[Submodule]:
    return (each for each in found if any(each.path.iterdir()))
