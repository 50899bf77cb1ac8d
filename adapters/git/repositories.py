"""Repositories as threads find them: what is there, where its git folder is, and its lock."""

import hashlib
import os
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from adapters.files.project_map import read_project
from adapters.files.state_files import file_lock
from adapters.git.commands import DETACHED, NO_COMMIT, STATUS, Git, GitPlace, read_status
from adapters.git.fingerprints import git_folders
from adapters.git.remotes import remotes_of
from adapters.git.trust import Trust
from domain.core.errors import RepositoryError
from domain.core.ids import slug
from domain.core.workspaces import RepositoryFacts

SHOWN = 200
"""How much of a path that is no folder a message repeats."""


@dataclass(frozen=True)
class Repository:
    """A repository by the git folder that all its worktrees share; `name` is unique on this host.

    `root` is the top folder of the checkout that a person gave: trust is theirs for that folder.
    """

    common: Path
    name: str
    root: Path
    trust: Trust = field(repr=False, compare=False)

    @property
    def is_there(self) -> bool:
        """Whether the checkout still belongs to this git folder."""
        return self.common.is_dir() and git_folders(self.root)[1] == self.common

    @property
    def index_bytes(self) -> int:
        """The size of the user's index, which tells how many files there are; 0 where there is none."""
        with suppress(OSError):
            return (self.common / "index").stat().st_size
        return 0

    @property
    def place(self) -> GitPlace:
        """Where commands run that touch no worktree."""
        guard = partial(self.trust.check, self.root)
        return GitPlace(self.common, {"GIT_DIR": str(self.common)}, guard)


def lock_of(data_dir: Path, name: str) -> AbstractAsyncContextManager[None]:
    """Hold the lock of a repository, or of something of it, that is known by its name only."""
    return file_lock(data_dir / "locks" / f"{name}.lock")


class Repositories:
    """Looks at repositories; keeps the lock file of each in the data folder."""

    def __init__(self, git: Git, data_dir: Path) -> None:
        self._git = git
        self._trust = Trust(git, data_dir)
        self._data_dir = data_dir
        self._found: dict[str, Repository] = {}

    async def find(self, path: str) -> Repository:
        """Return the repository that a folder belongs to.

        Raises:
            RepositoryError: There is none, or none any more.
        """
        known = self._found.get(path)
        if known is None or not known.is_there:
            common, root = await self._resolve(Path(path))
            digest = hashlib.sha256(str(common).encode()).hexdigest()[:8]
            named = common.parent if common.name == ".git" else common
            self._found[path] = Repository(
                common, f"{slug(named.name)}-{digest}", root, self._trust
            )
        return self._found[path]

    async def open(self, path: str) -> Repository:
        """Find a repository for a person who opens a thread on it: the first time, it is trusted.

        Raises:
            RepositoryError: There is none, or its metadata is not what was trusted before.
        """
        repository = await self.find(path)
        await self._trust.begin(repository.root)
        return repository

    def lock(self, repository: Repository) -> AbstractAsyncContextManager[None]:
        """Hold what git itself does not: one writer of a repository's shared metadata at a time."""
        return self.lock_named(repository.name)

    def lock_named(self, name: str) -> AbstractAsyncContextManager[None]:
        """Hold the lock of a repository that is known by its name only."""
        return lock_of(self._data_dir, name)

    async def inspect(self, path: str) -> RepositoryFacts:
        """Look at a folder; changes nothing, not even the index (GIT_OPTIONAL_LOCKS).

        Raises:
            RepositoryError: It cannot be worked on; the message says what to do.
        """
        repository = await self.open(path)
        root = repository.root
        place = GitPlace(root, guard=repository.place.guard)
        status = await self._git.run(place, *STATUS, is_long=True)
        header, uncommitted = read_status(status.output.content())
        if header["branch.oid"] == NO_COMMIT:
            raise RepositoryError(f"{root} has no commit yet: make a first commit, then try again")
        branch = header["branch.head"]
        project_map, survey = await read_project(self._git, place)
        return RepositoryFacts(
            root=str(root),
            head=header["branch.oid"],
            head_branch=None if branch == DETACHED else branch,
            uncommitted=uncommitted,
            remotes=await remotes_of(self._git, repository.place),
            project_map=project_map,
            survey=survey,
        )

    async def _resolve(self, path: Path) -> tuple[Path, Path]:
        """Return the git folder and the top folder of the checkout that a path is in."""
        _refuse_no_folder(path)
        asked = await self._git.run(
            GitPlace(path),
            *("rev-parse", "--path-format=absolute", "--is-bare-repository"),
            *("--git-common-dir", "--show-toplevel"),
            accepts=(0, 128),
        )
        lines = asked.output.text().splitlines()
        if lines and lines[0] == "true":
            raise RepositoryError(f"{path} is a bare repository: clone it and give the clone")
        if asked.returncode == 0:
            return _own(path, Path(lines[1]), Path(lines[2]))
        if lines:
            raise RepositoryError(f"{path} is inside a git folder: give the project's own folder")
        if "dubious ownership" in asked.errors:
            raise RepositoryError(
                f"{path} belongs to another user: run Treadle as its owner, or change the owner"
            )
        raise RepositoryError(
            f"{path} is not a git repository: run `git init` there and commit, or give another folder"
        )


def _own(path: Path, common: Path, root: Path) -> tuple[Path, Path]:
    """Return a path's git folder and top folder; refuse a top folder that is not above the path."""
    resolved = path.resolve()
    if root.resolve() != resolved and root.resolve() not in resolved.parents:
        raise RepositoryError(
            f"git looks for the files of {path} in {root} (core.worktree): give that folder"
        )
    return common.resolve(), root


def _refuse_no_folder(path: Path) -> None:
    if not path.is_absolute():
        raise RepositoryError(f"{path} is not an absolute path: give the whole path")
    try:
        found = _found_at(path)
    except OSError as error:  # a name that is too long, a folder that may not be looked into
        reason = error.strerror or "unreadable"
        raise RepositoryError(
            f"{str(path)[:SHOWN]} cannot be looked at: {reason}; give the folder of a repository"
        ) from error
    if found:
        raise RepositoryError(f"{path} {found}: give the folder of a git repository")


def _found_at(path: Path) -> str:
    """Return what is wrong with a path, empty for a folder that can be entered."""
    if not path.is_dir():
        return "is a file, not a folder" if path.exists() else "does not exist"
    if not os.access(path, os.R_OK | os.X_OK):
        return "may not be looked into by this user"
    return ""
