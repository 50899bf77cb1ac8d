"""Submodules as git keeps them: a repository below `modules/` of the user's own, shared by all worktrees.

A submodule in a workspace is a worktree of that repository, with an administrative folder of its own
there. So its objects are the user's, nothing is cloned, and commits made in it are there at once.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from adapters.files.removal import remove_tree
from adapters.git.commands import Git
from adapters.git.fingerprints import Fingerprints, read_limited
from adapters.git.repositories import Repository
from adapters.git.trust import Trust
from adapters.git.worktree import MADE_MARKER, Worktree
from domain.core.errors import RepositoryError
from domain.recipes.shape import CheckoutShape

_HARMLESS = re.compile(r": core\.(bare|worktree)$")


@dataclass(frozen=True)
class Submodule(Worktree):
    """A submodule in a workspace; `entry` is what git calls the workspace's own worktree."""

    @property
    def shape(self) -> CheckoutShape:
        """A plain one: what is noted is of a whole workspace, and beside this one agents write."""
        return CheckoutShape()

    @property
    def began_at(self) -> str:
        """The commit that it was checked out at."""
        return os.fsdecode(read_limited(self.admin / MADE_MARKER) or b"")


class ModuleTrust(Trust):
    """The gate before git in a submodule: its configuration says nothing that acts."""

    def __init__(self, git: Git) -> None:
        self._fingerprints = Fingerprints(git)

    async def check(self, root: Path, admin: Path | None = None) -> None:
        """Let a git command run; `root` is the submodule's folder below `modules/`.

        Raises:
            RepositoryError: Its configuration could start a program, or have git look elsewhere.
        """
        folders = (root, admin) if admin else (root,)
        files = (root / "config", *(folder / "config.worktree" for folder in folders))
        for file in files:
            found = await self._fingerprints.of_config(file)
            if acting := [name for name in found if not _HARMLESS.search(name)]:
                raise RepositoryError(
                    f"a submodule's configuration has settings that git would act on, which no workspace "
                    f"allows: {', '.join(acting[:5])}. Move them to your own configuration, then retry "
                    "(submodule_config)"
                )


def module_of(parent: Repository, name: str, trust: Trust) -> Repository:
    """Return the repository of a submodule by its name in `.gitmodules`.

    Raises:
        RepositoryError: The name leads out of `modules/`.
    """
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or {"..", ".git"} & set(parts):
        raise RepositoryError(f"a submodule has the name {name[:80]!r}, which git refuses, too")
    folder = parent.common / "modules" / name
    return Repository(folder, f"{parent.name}-{'-'.join(parts)}", folder, trust)


def modules_below(folder: Path, *, is_deep: bool = False) -> Iterator[Path]:
    """Yield the repositories of submodules in a git folder; if deep, also those of submodules in them."""
    pending = [folder / "modules"]
    while pending:
        for entry in sorted(_folders(pending.pop())):
            if not (entry / "HEAD").is_file():
                pending.append(entry)  # a name with a slash
                continue
            yield entry
            if is_deep:
                yield from modules_below(entry, is_deep=True)


def submodules_in(worktree: Worktree, trust: Trust) -> Iterator[Submodule]:
    """Yield the submodules that were checked out in a worktree and whose folder is there."""
    for folder in modules_below(worktree.repository.common):
        name = str(folder.relative_to(worktree.repository.common / "modules"))
        module = module_of(worktree.repository, name, trust)
        pointer = read_limited(folder / "worktrees" / worktree.admin.name / "gitdir") or b""
        path = Path(os.fsdecode(pointer).rstrip("\n")).parent
        if pointer and is_inside(worktree, path):
            found = Submodule(module, path, worktree.admin.name)
            if found.is_made:
                yield found


def is_inside(worktree: Worktree, path: Path) -> bool:
    """Tell whether a path is below a worktree, with no link on the way from there."""
    top = worktree.path
    if top not in path.parents or ".." in path.parts:
        return False
    return path.parent.resolve() == top.resolve() / path.parent.relative_to(top)


def forget_submodules(worktree: Worktree) -> None:
    """Remove what the repositories of submodules know of a worktree: all of its work is on refs."""
    for folder in list(modules_below(worktree.repository.common, is_deep=True)):
        remove_tree(folder / "worktrees" / worktree.admin.name)


def _folders(folder: Path) -> Iterator[Path]:
    if folder.is_dir() and not folder.is_symlink():
        yield from (e for e in folder.iterdir() if e.is_dir() and not e.is_symlink())
