"""One worktree: its folders, what is noted of it, and how its files are written where agents write, too."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from adapters.files.safe_open import PathRefusedError, safe_write
from adapters.git.commands import GitPlace
from adapters.git.fingerprints import UNREADABLE, read_limited
from adapters.git.repositories import Repository
from adapters.git.shapes import noted_shape, shape_environment
from domain.core.errors import RepositoryError
from domain.recipes.shape import CheckoutShape

MADE_MARKER = "treadle-made"
"""The file that says that a worktree is whole, and how it was handed out last."""


class Handed(StrEnum):
    """Whether a worktree may hold work that is on no ref."""

    OUT = "out"
    KEPT = "kept"


_OUT = Handed.OUT.encode()


@dataclass(frozen=True)
class Worktree:
    """One worktree by its folder and its administrative folder.

    That is called as the folder is, but for worktrees that share one: theirs is called `entry`.
    """

    repository: Repository
    path: Path
    entry: str = ""

    @property
    def name(self) -> str:
        """What no other worktree of the repository is called."""
        return self.entry or self.path.name

    @property
    def admin(self) -> Path:
        """Where git keeps the worktree's head and index."""
        return self.repository.common / "worktrees" / self.name

    @property
    def folders(self) -> tuple[Path, Path]:
        """Where a git that works in it has its working directory."""
        return self.path, self.admin

    @property
    def has_folder(self) -> bool:
        """Whether its folder is there: a link in its place leads to somebody else's files."""
        return self.path.is_dir() and not self.path.is_symlink()

    @property
    def is_made(self) -> bool:
        """Whether it was handed out."""
        return self.has_folder and (self.admin / MADE_MARKER).exists()

    @property
    def is_lost(self) -> bool:
        """Whether there are files, and no git metadata that belongs to them."""
        return self.has_folder and not self.admin.exists()

    @property
    def is_torn_away(self) -> bool:
        """Whether its files are gone, and with them work that was on no ref."""
        return not self.has_folder and read_limited(self.admin / MADE_MARKER) == _OUT

    @property
    def head(self) -> str | None:
        """What its head says, None where there is none that can be read."""
        return read_head(self.admin)

    def mark(self, handed: Handed) -> None:
        """Note that it is whole, and whether it may hold work that is on no ref."""
        replace_file(self.admin / MADE_MARKER, handed)

    @property
    def shape(self) -> CheckoutShape:
        """What it is beside a plain checkout."""
        return noted_shape(self.path)

    @property
    def place(self) -> GitPlace:
        """Where its commands run, with explicit folders: `.git` in it may be an agent's work."""
        shape = self.shape
        folders = {
            **shape_environment(shape),
            "GIT_DIR": str(self.admin),
            "GIT_COMMON_DIR": str(self.repository.common),
            "GIT_WORK_TREE": str(self.path),
        }
        guard = partial(self.repository.trust.check, self.repository.root, self.admin)
        return GitPlace(self.path, folders, guard, shape.sparse)


def fix_pointers(worktree: Worktree) -> None:
    """Put back the pointers between a worktree and its administrative folder, if they changed.

    Treadle's own commands do not read them, those of agents and verification steps do.
    """
    pointers = {
        worktree.path / ".git": f"gitdir: {worktree.admin}\n",
        worktree.admin / "gitdir": f"{worktree.path}/.git\n",
        worktree.admin / "commondir": "../..\n",
    }
    for file, text in pointers.items():
        if file.is_dir() and not file.is_symlink():
            continue  # a repository that an agent made there: its files are taken up all the same
        if file.is_symlink() or read_limited(file) != text.encode():
            replace_file(file, text)


def read_head(admin: Path) -> str | None:
    """Return what a head says; None where it is missing, or anything but a file."""
    content = read_limited(admin / "HEAD")
    if content is None or content.startswith(UNREADABLE):
        return None
    return content.decode("utf-8", "replace").strip()


def replace_file(file: Path, text: str) -> None:
    """Replace a file where agents write too: a link in its place is replaced, never followed.

    Raises:
        RepositoryError: Its folder is a link, or a folder is in its place.
    """
    try:
        safe_write(file.parent, file.name, text.encode())
    except (PathRefusedError, IsADirectoryError) as error:
        raise RepositoryError(
            f"{file} cannot be written ({error}): its agent or somebody else put something in its "
            "place. Remove that, then retry the task"
        ) from error


def refuse_missing(worktree: Worktree) -> None:
    """Refuse to work on a worktree that is not there.

    Raises:
        RepositoryError: Its agent, or somebody else, removed it.
    """
    if not worktree.is_made:
        raise RepositoryError(
            f"the worktree {worktree.path} is gone, its agent or somebody else removed it: "
            "retry the task"
        )
