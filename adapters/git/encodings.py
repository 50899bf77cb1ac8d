"""Files of a worktree that git does not take up: they are not in the encoding that `.gitattributes` says they are in.

Git then gives up the whole commit. Agents write UTF-8 whatever the attributes say, and commits hold UTF-8 in any
case: so such a file is staged as it is.
"""

import asyncio
import os
import re
from collections.abc import Collection

from adapters.files.safe_open import PathRefusedError, safe_read
from adapters.git.commands import Git, GitPlace
from domain.core.errors import RepositoryError, WorkspaceError

MOST_FILES = 2_000
MOST_BYTES = 32 << 20
"""Of one file; a larger one, and more files than that, are left to git, which refuses them."""

_ATTRIBUTE = "working-tree-encoding"
_PLAIN = frozenset({b"unspecified", b"unset"})
_UNENCODED = re.compile(
    r"failed to encode '|BOM is (required|prohibited) in '|encoding '.*' from .* is not the same"
)
"""What git says of a file that it gives a commit up for."""


class Encodings:
    """Stages files that their attributes say to be in an encoding of their own."""

    def __init__(self, git: Git) -> None:
        self._git = git

    async def stage(self, place: GitPlace) -> Collection[bytes]:
        """Stage changed files with an encoding, those as they are that are not in it; returns their names."""
        known = await self._names(place, "diff-files", "-z", "--name-only")
        new = await self._names(place, "ls-files", "-z", "--others", "--exclude-standard")
        look = ("check-attr", "-z", "--stdin", _ATTRIBUTE)
        asked = b"".join(name + b"\0" for name in {*known, *new})
        told = await self._names(place, *look, stdin=asked)
        named = zip(told[0::3], told[2::3], strict=False)
        found = sorted(name for name, value in named if value not in _PLAIN)
        if len(found) > MOST_FILES:
            return ()
        lines = {name: line for name in found if (line := await self._line(place, name))}
        entries = b"".join(lines.values())
        await self._git.run(place, "update-index", "-z", "--index-info", stdin=entries)
        return tuple(lines)

    async def _names(self, place: GitPlace, *arguments: str, stdin: bytes = b"") -> list[bytes]:
        done = await self._git.run(place, *arguments, stdin=stdin, is_long=True)
        return done.output.content().split(b"\0")[:-1]

    async def _line(self, place: GitPlace, name: bytes) -> bytes:
        """Return what puts a file into an index; empty of what is no file, or is gone."""
        path = os.fsdecode(name)
        try:
            content = await asyncio.to_thread(safe_read, place.cwd, path, MOST_BYTES)
        except PathRefusedError:
            return b""
        keep = ("hash-object", "-w", "--stdin")
        try:
            blob = await self._git.line(place, *keep, f"--path={path}", stdin=content)
        except WorkspaceError:
            blob = await self._git.line(place, *keep, "--no-filters", stdin=content)
        mode = b"100755" if os.access(place.cwd / path, os.X_OK) else b"100644"
        return b"%s %s\t%s\0" % (mode, blob.encode(), name)


def explained(error: WorkspaceError) -> RepositoryError | WorkspaceError:
    """Return why files could not be staged; where it is an encoding, that no retry helps before a person did."""
    if not _UNENCODED.search(error.message):
        return error
    return RepositoryError(
        f"{error.message}: git commits nothing as long as a file is not in the encoding that .gitattributes "
        "says. Write it in that, or take the line out of .gitattributes, then try again"
    )
