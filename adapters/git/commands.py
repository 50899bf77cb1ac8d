"""Git, run safely: no hooks, no prompts, no user configuration, output that is never guessed at.

Treadle commits under an identity of its own and needs nothing of the user's or the system's
configuration; the repository's own is read, with what would start programs turned off.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from adapters.disk_room import free_bytes, fullest, is_about_full_disk, no_room
from adapters.processes.command import Command, Finished
from adapters.processes.spawner import OUTPUT_LIMIT_BYTES, Spawner
from domain.core.errors import RepositoryError, TreadleError, WorkspaceError

_CONFIG = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.addEmbeddedRepo=false",
    "advice.graftFileDeprecated=false",
    # a nested repository is not asked what changed in it: that would run git by its configuration
    "diff.ignoreSubmodules=dirty",
    "checkout.workers=0",
    "core.safecrlf=false",
)
_FLAGS = tuple(part for setting in _CONFIG for part in ("-c", setting))
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_AUTHOR_NAME": "Treadle",
    "GIT_AUTHOR_EMAIL": "treadle@localhost",
    "GIT_COMMITTER_NAME": "Treadle",
    "GIT_COMMITTER_EMAIL": "treadle@localhost",
    # a commit or a file is what its id says, whatever refs/replace or grafts an agent made
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": "/dev/null",
    "LC_ALL": "C.UTF-8",
}
_CONFIGURATION = ("GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL")
_LAST_WORDS = 500
_LIMIT_SECONDS = 900.0
_BROKEN = re.compile(
    r"object file .* is empty|(object|tree|blob|commit)\S* .*(is corrupt|is missing)|bad tree object"
    r"|failed to unpack|missing (object|tree|blob|commit)|unable to (read|find) |could(n't| not) (read|find) "
    r"(object|tree|blob)|invalid object|unable to unpack|bad object"
)
"""What git says where objects of a repository are gone or damaged."""

_UNWRITTEN = re.compile(r"(unable to|cannot|could not) (write|create)|write (error|failure)")
"""What git says where a file could not be written, often without the reason."""

_LEAST_BYTES = 1 << 16
"""A disk that has no more room than this, beside what is needed, counts as full."""

STATUS = (
    *("status", "--porcelain=v2", "--branch", "-z", "--no-renames"),
    *("--untracked-files=normal", "--ignore-submodules=dirty"),
)
"""The arguments that `read_status` reads the output of."""

DETACHED = "(detached)"
"""The `branch.head` of a head that is on no branch."""

NO_COMMIT = "(initial)"
"""The `branch.oid` of a head that is on no commit."""


@dataclass(frozen=True)
class GitPlace:
    """Where git works: a folder to discover a repository from, or explicit git folders.

    Explicit ones are used wherever an agent could have changed a worktree's `.git` file. `guard`
    is asked before every command and raises where git must not run (adapters/git/trust.py).
    `sparse` are the folders that a recipe has checked out here, all where it is empty.
    """

    cwd: Path
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    guard: Callable[[], Awaitable[None]] | None = None
    sparse: tuple[str, ...] = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        """The repository's, the worktree's in it, and where git runs."""
        named = (self.environment.get(name) for name in ("GIT_COMMON_DIR", "GIT_DIR"))
        return (*(Path(folder) for folder in named if folder), self.cwd)

    @property
    def missing(self) -> Path | None:
        """The first of its folders that is gone."""
        return next((folder for folder in self.folders if not folder.is_dir()), None)


class Git:
    """Runs git commands through the spawner."""

    def __init__(
        self,
        spawner: Spawner,
        ignored: Path | None = None,
        limit_seconds: float = _LIMIT_SECONDS,
        *,
        is_personal: bool = False,
    ) -> None:
        """Make a runner; `ignored` is a file of patterns that no worktree's commits take up.

        A personal one reads the person's and the system's configuration as well.
        """
        self.spawner = spawner
        hidden = _CONFIGURATION if is_personal else ()
        self._environment = {k: v for k, v in _ENVIRONMENT.items() if k not in hidden}
        self._limit_seconds = limit_seconds
        self._flags = (*_FLAGS, "-c", f"core.excludesFile={ignored}") if ignored else _FLAGS

    async def run(
        self,
        place: GitPlace,
        *arguments: str,
        stdin: bytes = b"",
        accepts: tuple[int | None, ...] = (0,),
        is_long: bool = False,
        output_limit_bytes: int = OUTPUT_LIMIT_BYTES,
    ) -> Finished:
        """Run a command.

        `is_long` marks one whose time grows with the files in a worktree, or that must not go on
        for a moment when its worker is killed: it gets a namespace. The rest is plumbing. None in
        `accepts` is the code of one that was ended at its time limit, or by a signal.

        Raises:
            RepositoryError: A folder that it works in is gone, its metadata is not trusted,
                objects are missing, or something keeps it from ending.
            WorkspaceError: It ended with an exit code that is not in `accepts`.
        """
        if place.guard is not None:
            _refuse_gone(place)
            await place.guard()
        environment = {**self._environment, **place.environment}
        argv = ("git", *self._flags, *arguments)
        command = Command(argv, place.cwd, environment, is_brief=not is_long, is_uncovered=True)
        try:
            done = await self.spawner.run(
                command,
                stdin=stdin,
                limit_seconds=self._limit_seconds,
                output_limit_bytes=output_limit_bytes,
            )
        except OSError as error:
            _refuse_gone(place)
            raise WorkspaceError(f"git {arguments[0]} did not start: {error}") from error
        if done.returncode not in accepts:
            raise await self._failure(place, arguments[0], done)
        return done

    async def _failure(self, place: GitPlace, name: str, done: Finished) -> TreadleError:
        _refuse_gone(place)
        is_full = is_about_full_disk(done.errors)
        if not is_full and not _UNWRITTEN.search(done.errors):
            return _failure(place, name, done)
        folder, needed = fullest(place.cwd, *place.folders), await self._tracked_bytes(place)
        free = free_bytes(folder)
        if not is_full and free >= (needed or 0) + _LEAST_BYTES:
            return _failure(place, name, done)
        # of what has room as it is, like a tree whose changes have none, the size says nothing
        required = needed if needed and needed > free else None
        return WorkspaceError(f"git {name}: {no_room(folder, required)}")

    async def _tracked_bytes(self, place: GitPlace) -> int | None:
        """Return about what a worktree's files take, by its index or its head; None where git cannot tell."""
        environment = {**self._environment, **place.environment}
        found: list[int] = []
        for listing in (("ls-files",), ("ls-tree", "-r", "HEAD")):
            argv = ("git", *self._flags, listing[0], "--format=%(objectsize)", *listing[1:])
            command = Command(argv, place.cwd, environment, is_brief=True, is_uncovered=True)
            done = await self.spawner.run(command, limit_seconds=self._limit_seconds)
            sizes = [int(line) for line in done.output.text().split() if line.isdecimal()]
            found += [sum(sizes)] if done.returncode == 0 and sizes else []
        return max(found, default=None)

    async def line(self, place: GitPlace, *arguments: str, stdin: bytes = b"") -> str:
        """Run a command that answers with one line, and return it."""
        return (await self.run(place, *arguments, stdin=stdin)).output.text().strip()


def _failure(place: GitPlace, name: str, done: Finished) -> RepositoryError | WorkspaceError:
    """Return the error of a command that failed: one that no retry can fix, or one that it can."""
    if done.is_timed_out:
        return RepositoryError(
            f"git {name} in {place.cwd} did not end in time and was ended: a named pipe in the "
            "place of a file keeps git waiting (`find FOLDER -type p`): remove it, then retry"
        )
    ending = f"signal {done.signal}" if done.signal else f"exit code {done.returncode}"
    last_words = done.errors.strip()[-_LAST_WORDS:]
    if not _BROKEN.search(last_words):
        return WorkspaceError(f"git {name} in {place.cwd}: {ending}: {last_words}")
    return RepositoryError(
        f"git {name} in {place.cwd}: {last_words}: objects of the repository are missing or broken. "
        "Look with `git fsck`, put them back (fetch, backup), then retry"
    )


def _refuse_gone(place: GitPlace) -> None:
    """Tell a failure that no retry can fix; asked after it, so that good commands cost nothing."""
    if (gone := place.missing) is not None:
        raise RepositoryError(
            f"the folder {gone} is gone: put it back, then retry the task, or cancel the task"
        )


def fields(output: bytes) -> list[str]:
    """Split the output of a command run with `-z`; names that are no UTF-8 are escaped."""
    return [part.decode("utf-8", "backslashreplace") for part in output.split(b"\0") if part]


def read_status(output: bytes) -> tuple[dict[str, str], int]:
    """Return the header of a status (`branch.oid`, `branch.head`) and the number of changed paths."""
    entries = fields(output)
    header = dict(e[2:].split(" ", 1) for e in entries if e.startswith("# branch."))
    return header, sum(not e.startswith("# ") for e in entries)
