"""Which files of a session's worktree a person means by what they type after `@`."""

from collections.abc import Iterable

from pydantic import Field

from domain.core.ids import ThreadId
from domain.core.summaries import Summarized
from domain.core.wire import Wire
from domain.core.workspaces import WorkspaceSpec

MAX_FILES = 1_000
MAX_FILES_BYTES = 64 << 10
MAX_QUERY = 200
MAX_PATH = 1_000


class FileQuery(Summarized):
    """A question of one person, asked by a workflow with this id on the worktree's host."""

    query_id: str
    thread_id: ThreadId
    host: str
    workspace: WorkspaceSpec
    text: str = Field(default="", max_length=MAX_QUERY)
    place: str | None = Field(default=None, max_length=MAX_PATH)
    """The one file whose place is asked for, in place of a search; empty for that of the worktree."""
    limit: int = Field(default=MAX_FILES, ge=1, le=MAX_FILES)

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"{'find files' if self.place is None else 'find a place'} of {self.thread_id}"


class FoundFiles(Wire):
    """The files that fit best, the best first, and how many fit at all; or the `place` that was asked for."""

    paths: tuple[str, ...] = ()
    total: int = 0
    failure: str = ""
    place: str = Field(default="", exclude_if=lambda place: not place)


class WorktreePlace(Wire):
    """Where a worktree, or a file of it, is: its path on the `host`, which is the API's machine if `is_here`."""

    path: str
    host: str
    is_here: bool


def fitting(paths: Iterable[str], text: str, limit: int) -> FoundFiles:
    """Return the files that fit what was typed.

    First those whose name begins with it, then those whose path does, then those that hold it in
    the name, in the path, and last those that hold its letters in this order. A name that nobody
    could type or read, with control characters or a quotation mark in it, is left out.
    """
    wanted = text.lower()
    ranked = [
        (rank, path.count("/"), len(path), path)
        for path in paths
        if len(path) <= MAX_PATH and path.isprintable() and '"' not in path
        if (rank := _rank(path.lower(), wanted)) is not None
    ]
    ranked.sort()
    kept: list[str] = []
    room = MAX_FILES_BYTES
    for *_, path in ranked[:limit]:
        room -= len(path.encode())
        if room < 0:
            break
        kept.append(path)
    return FoundFiles(paths=tuple(kept), total=len(ranked))


def _rank(path: str, wanted: str) -> int | None:
    name = path.rpartition("/")[2]
    if name.startswith(wanted):
        return 0
    if path.startswith(wanted):
        return 1
    if wanted in name:
        return 2
    if wanted in path:
        return 3
    letters = iter(path)
    return 4 if all(letter in letters for letter in wanted) else None
