"""What is carried over into a clean checkout: ignored files of the task's worktree, by a recipe.

Only what the base ignores already: what an agent ignores itself is never carried.
"""

import asyncio
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from threading import Event

from adapters.disk_room import describe_error
from adapters.files.copies import Copying
from adapters.git.commands import Git, GitPlace
from adapters.git.worktree import Worktree
from domain.core.errors import WorkspaceError

_MOST = 50_000
_CACHES = {
    *("__pycache__", ".cache", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"),
    *(".vite", ".parcel-cache", ".turbo", ".eslintcache", ".stylelintcache", "CACHEDIR.TAG"),
    *(".nyc_output", ".nox", ".tox", ".ipynb_checkpoints", ".sass-cache", ".gradle"),
}
_BYTE_CODE = (".pyc", ".pyo", ".tsbuildinfo")


class CarryOver:
    """Finds and copies what a recipe carries over."""

    def __init__(self, git: Git, *, is_shown_elsewhere: bool) -> None:
        """Make it; where checkouts cannot be shown in the worktree's place, copies name their own."""
        self._git = git
        self.is_shown_elsewhere = is_shown_elsewhere

    async def carry(
        self, source: Worktree, target: Worktree, base: str, wanted: Sequence[str]
    ) -> tuple[str, ...]:
        """Copy what is wanted, ignored and not in the commit; returns what was, by the wanted names.

        Raises:
            WorkspaceError: There is no room for it.
        """
        if not wanted or not source.is_made:
            return ()
        candidates = await self._candidates(source, wanted)
        paths = await self._ignored(target, base, candidates) if candidates else ()
        named = None
        if not self.is_shown_elsewhere:
            named = (os.fsencode(source.path), os.fsencode(target.path))
        copying = Copying(_is_left_out, Event(), named)
        work = asyncio.ensure_future(asyncio.to_thread(_copy_all, copying, source, target, paths))
        try:
            return _folders(await asyncio.shield(work), wanted)
        except asyncio.CancelledError:
            copying.stop.set()
            with suppress(OSError):
                await work
            raise
        except OSError as error:
            why = describe_error(error, target.path)
            raise WorkspaceError(f"{target.path} could not be made: {why}") from error

    async def _candidates(self, source: Worktree, wanted: Sequence[str]) -> tuple[str, ...]:
        """Return what lies in the worktree by the wanted names and is ignored there.

        Of a folder that is in the commit in part, as one with a `.gitkeep`, what is ignored in it.
        """
        listed = await self._git.run(
            source.place,
            *("ls-files", "-z", "--others", "--ignored", "--directory", "--exclude-standard"),
            is_long=True,
        )
        names = {name for name in wanted if "/" not in name.rstrip("/")}
        names = {name.rstrip("/") for name in names}
        found = [os.fsdecode(p).rstrip("/") for p in listed.output.content().split(b"\0") if p]
        by_name = [path for path in found if not names.isdisjoint(PurePosixPath(path).parts)]
        by_path = tuple(path for path in map(_plain, wanted) if "/" in path)
        in_parts = [path for path in found if path.startswith(tuple(f"{p}/" for p in by_path))]
        whole = {path for path in (*by_name, *by_path, *in_parts) if not _is_cache(path)}
        return tuple(sorted(whole))[:_MOST]

    async def _ignored(
        self, target: Worktree, base: str, candidates: Iterable[str]
    ) -> tuple[str, ...]:
        """Return the candidates that the base's own rules ignore: read in a folder with only these."""
        with (
            TemporaryDirectory(prefix="treadle-index-") as scratch,
            TemporaryDirectory(prefix="treadle-rules-") as folder,
        ):
            rules = Path(folder)
            file = str(Path(scratch, "index"))
            environment = {**target.place.environment, "GIT_INDEX_FILE": file}
            index = replace(target.place, environment=environment)
            await self._git.run(index, "read-tree", base)
            listed = await self._git.run(index, "ls-files", "-z", "--", ":(glob)**/.gitignore")
            await self._git.run(
                index,
                *("checkout-index", "--force", "-z", "--stdin", f"--prefix={rules}/"),
                stdin=listed.output.content(),
            )
            asked = [path for path in candidates if _make_like(rules, path)]
            place = GitPlace(rules, {**environment, "GIT_WORK_TREE": str(rules)}, index.guard)
            found = await self._git.run(
                place,
                *("check-ignore", "-z", "--stdin", "--no-index"),
                stdin=b"".join(os.fsencode(path) + b"\0" for path in asked),
                accepts=(0, 1),
            )
        return tuple(os.fsdecode(path) for path in found.output.content().split(b"\0") if path)


def _copy_all(
    copying: Copying, source: Worktree, target: Worktree, paths: Sequence[str]
) -> tuple[str, ...]:
    return tuple(path for path in paths if copying.copy(source.path, target.path, path))


def _plain(path: str) -> str:
    """Return a path that a template names, empty where it leads anywhere but into the worktree."""
    parts = PurePosixPath(path).parts
    is_inside = (
        bool(parts) and not path.startswith("/") and ".." not in parts and ".git" not in parts
    )
    return str(PurePosixPath(path)) if is_inside else ""


def _make_like(rules: Path, path: str) -> bool:
    """Have a folder stand where a candidate does: git tells rules for folders by what is there."""
    with suppress(OSError):
        (rules / path).mkdir(parents=True, exist_ok=True)
        return True
    return False


def _folders(paths: Iterable[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return what was carried as a person reads it: of a folder in parts, the folder."""
    names = {str(PurePosixPath(name)) for name in wanted}
    return tuple(dict.fromkeys(_folder(path, names) for path in paths))


def _folder(path: str, names: set[str]) -> str:
    if above := next((name for name in names if path.startswith(f"{name}/")), None):
        return above
    parts = PurePosixPath(path).parts
    end = next((n for n, part in enumerate(parts, 1) if part in names), len(parts))
    return "/".join(parts[:end])


def _is_cache(path: str) -> bool:
    return any(map(_is_left_out, PurePosixPath(path).parts))


def _is_left_out(name: str) -> bool:
    return name in _CACHES or name.endswith(_BYTE_CODE)
