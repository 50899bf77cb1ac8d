"""The client's file methods (ACP, "File System"): the agent's workspace and nothing outside of it.

Served only to agents whose profile says so, and never to those that only read: what the worker writes
for an agent is written outside of its sandbox.
"""

import asyncio
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from adapters.acp.requests import INVALID_PARAMS, Serve, ServedError
from adapters.files.safe_open import PathProblem, PathRefusedError, safe_read, safe_stat, safe_write
from adapters.tolerant import as_text
from domain.agents.protected import planted_among

RESOURCE_NOT_FOUND = -32002
MAX_BYTES = 4 << 20
GIT = ".git"

May = Callable[[str, str, str], Awaitable[bool]]
"""Tells whether the session may do something: its ACP kind, its title, and its command line."""


class ClientFiles:
    """The files of one session's workspace."""

    def __init__(self, root: Path, may: May) -> None:
        self._root = root
        self._may = may

    @property
    def methods(self) -> dict[str, Serve]:
        """The methods that are served."""
        return {"fs/read_text_file": self.read, "fs/write_text_file": self.write}

    async def read(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return a file's text, or so many lines of it from a line on, which is counted from 1."""
        first, limit = _count(params, "line"), _count(params, "limit")
        path = self._below(params)
        if not await self._may("read", f"Read {path}", ""):
            raise ServedError(INVALID_PARAMS, f"reading {path} is not allowed")
        try:
            raw = await asyncio.to_thread(safe_read, self._root, path, MAX_BYTES)
        except PathRefusedError as error:
            raise _refusal(params, error) from error
        text = raw.decode(errors="replace")
        if first is None and limit is None:
            return {"content": text}
        lines = text.splitlines(keepends=True)[max(0, (first or 1) - 1) :]
        return {"content": "".join(lines if limit is None else lines[:limit])}

    async def write(self, params: dict[str, Any]) -> dict[str, Any]:
        """Write a file whole; folders on the way are made, and what it may be run as stays."""
        path, content = self._below(params), params.get("content")
        if not isinstance(content, str):
            raise ServedError(INVALID_PARAMS, "content must be a text")
        if planted_among([path]):
            raise ServedError(INVALID_PARAMS, f"{path} is protected: it cannot be changed")
        if not await self._may("edit", f"Write {path}", ""):
            raise ServedError(INVALID_PARAMS, f"writing {path} is not allowed")
        try:
            await asyncio.to_thread(self._replace, path, content.encode(errors="replace"))
        except OSError as error:
            raise _refusal(params, error) from error
        return {}

    def _replace(self, path: str, content: bytes) -> None:
        is_program = False
        with suppress(PathRefusedError):
            is_program = bool(safe_stat(self._root, path).st_mode & stat.S_IXUSR)
        safe_write(self._root, path, content, is_public=True, is_program=is_program)

    def _below(self, params: dict[str, Any]) -> str:
        """Return the path in the workspace that the agent names by an absolute one."""
        path = PurePosixPath(as_text(params.get("path")))
        for root in (self._root, self._root.resolve()):
            if path.is_relative_to(root):
                below = path.relative_to(root)
                if GIT not in {part.lower() for part in below.parts}:
                    return str(below)
        raise ServedError(
            INVALID_PARAMS, f"{str(path)[:200]!r} is not a file of the workspace: {self._root}"
        )


def _count(params: dict[str, Any], name: str) -> int | None:
    value = params.get(name)
    if value is not None and (type(value) is not int or value < 0):
        raise ServedError(INVALID_PARAMS, f"{name} must be a whole number")
    return value


def _refusal(params: dict[str, Any], error: OSError) -> ServedError:
    """Return the error as agents know it; a missing file is told in the words of Node as well."""
    path = as_text(params.get("path"))
    if isinstance(error, PathRefusedError) and error.problem is PathProblem.MISSING:
        message = f"Resource not found: ENOENT: no such file or directory, open '{path[:200]}'"
        return ServedError(RESOURCE_NOT_FOUND, message, {"uri": path, "code": "ENOENT"})
    return ServedError(INVALID_PARAMS, str(error))
