"""Pictures that a step left in its workspace: found by globs, read without trust in any name, and kept."""

import asyncio
import base64
import hashlib
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from adapters.files.safe_open import PathRefusedError, safe_read
from domain.core.text import counted
from domain.verification.pictures import (
    LIMIT_BYTES,
    MAX_PICTURES,
    TOTAL_BYTES,
    Picture,
    picture_type,
)

MAX_ENTRIES = 20_000
"""Names in folders that are looked at for one step."""

_MAX_LOOKED_AT = 50
"""Files that are opened for one step: one that is no picture costs a look as well."""

_MAX_NOTES = 5


class PictureRefusedError(Exception):
    """A file is not kept; the text says why."""


class KeptPictures:
    """Keeps pictures as texts of the journal, in base64 as attachments are; `put_text` must not change them."""

    def __init__(self, put_text: Callable[[str], Awaitable[str]]) -> None:
        self._put_text = put_text

    async def keep(self, root: Path, globs: Sequence[str]) -> tuple[tuple[Picture, ...], list[str]]:
        """Return the pictures that match, kept, and in words what was not; names decide the order."""
        names, notes = await asyncio.to_thread(find_files, root, globs)
        kept: list[Picture] = []
        looked_at = 0
        while names[looked_at:] and looked_at < _MAX_LOOKED_AT and len(kept) < MAX_PICTURES:
            room = TOTAL_BYTES - sum(each.size_bytes for each in kept)
            name = names[looked_at]
            looked_at += 1
            try:
                content = await asyncio.to_thread(_read, root, name, room)
            except PictureRefusedError as error:
                notes.append(str(error))
                continue
            kept.append(await self.put(name, content))
        if left := len(names) - looked_at:
            notes.append(f"{counted(left, 'more file')} not kept: at most {MAX_PICTURES} pictures")
        return tuple(kept), _first_of(notes)

    async def put(self, name: str, content: bytes) -> Picture:
        """Keep one picture."""
        return Picture(
            name=name,
            mime_type=picture_type(content),
            size_bytes=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
            content_ref=await self._put_text(base64.b64encode(content).decode()),
        )


def find_files(root: Path, globs: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what matches globs below a folder, sorted, and in words what is wrong.

    Links are never followed. What is found may be gone or another when it is read.
    """
    budget = _Budget()
    found: set[str] = set()
    notes: list[str] = []
    for glob in globs:
        parts = [part for part in glob.split("/") if part not in {"", "."}]
        matches = set(_matches(root, "", parts, budget))
        if not matches:
            notes.append(f"no file matches {glob!r}")
        found |= matches
    if budget.is_spent:
        notes.append(f"only {MAX_ENTRIES} files and folders were looked at: use narrower globs")
    return sorted(found), notes


class _Budget:
    """How many names may still be looked at."""

    def __init__(self) -> None:
        self._left = MAX_ENTRIES

    def take(self) -> bool:
        self._left -= 1
        return not self.is_spent

    @property
    def is_spent(self) -> bool:
        return self._left < 0


def _matches(root: Path, folder: str, parts: Sequence[str], budget: _Budget) -> Iterator[str]:
    """Yield the paths below a folder that match the parts of a glob; `**` is any number of folders."""
    if not parts:
        return
    first, *rest = parts
    if first == "**":
        yield from _matches(root, folder, rest or ["*"], budget)
    for name, is_folder in _entries(root, folder, budget):
        path = f"{folder}/{name}" if folder else name
        if first == "**":
            if is_folder and name != ".git":
                yield from _matches(root, path, parts, budget)
        elif fnmatchcase(name, first):
            if is_folder:
                yield from _matches(root, path, rest, budget)
            elif not rest:
                yield path


def _entries(root: Path, folder: str, budget: _Budget) -> Iterator[tuple[str, bool]]:
    """Yield the names in a folder, and whether each is a folder itself; a link is none."""
    try:
        with os.scandir(root / folder) as entries:
            for entry in entries:
                if not budget.take():
                    return
                yield entry.name, entry.is_dir(follow_symlinks=False)
    except OSError:
        return  # gone meanwhile, or not to be read: it has no pictures


def _read(root: Path, name: str, room: int) -> bytes:
    """Return a picture's content.

    Raises:
        PictureRefusedError: It is none, or must not be read.
    """
    if not name.isprintable():
        raise PictureRefusedError(f"{ascii(name)[:100]} not kept: its name has control characters")
    try:
        content = safe_read(root, name, LIMIT_BYTES)
    except PathRefusedError as error:
        raise PictureRefusedError(f"not kept: {error}") from error
    if not picture_type(content):
        raise PictureRefusedError(f"{name[:100]!r} not kept: it is no PNG, JPEG or WebP")
    if len(content) > room:
        words = f"the pictures of a step have at most {TOTAL_BYTES >> 20} MB"
        raise PictureRefusedError(f"{name[:100]!r} not kept: {words}")
    return content


def _first_of(notes: list[str]) -> list[str]:
    more = len(notes) - _MAX_NOTES
    return [*notes[:_MAX_NOTES], f"and {more} more"] if more > 0 else notes
