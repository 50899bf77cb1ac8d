"""The index of a worktree: what is staged for a commit, whatever an agent did to it.

Agents write to the same index. A broken one is built anew, marks that hide changes are taken off,
and the files of repositories that an agent made inside are staged like all others.
"""

import logging
import os
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from adapters.git.commands import STATUS, Git, GitPlace, read_status
from adapters.git.encodings import Encodings, explained
from adapters.git.fingerprints import read_limited
from adapters.git.locks import clear_stale
from adapters.git.worktree import Worktree
from adapters.processes.command import Finished
from adapters.processes.masks import placeholders_in
from domain.core.errors import WorkspaceError
from domain.recipes.shape import is_in_cone

_NESTED_DEPTH = 10
_LINK = b"160000"
_PLACEHOLDER = b".treadle"
_MODULES = b"/modules/"

logger = logging.getLogger(__name__)


class Staging(StrEnum):
    """What is staged: all that is not ignored, or the files that the index has, without a look at others."""

    ALL = "--all"
    KNOWN = "--update"


@dataclass(frozen=True)
class _UnusualFiles:
    """Paths whose changes `git add` passes over: nested repositories, and entries with a mark."""

    nested: list[bytes]
    unwatched: list[bytes]
    skipped: list[bytes]

    @property
    def paths(self) -> list[bytes]:
        """All of them."""
        return [*self.nested, *self.unwatched, *self.skipped]


class Index:
    """Stages what is in worktrees."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._encodings = Encodings(git)

    async def stage(self, worktree: Worktree, what: Staging = Staging.ALL) -> str:
        """Stage everything that is not ignored, or what is known already; returns the tree.

        What a killed attempt left is fixed: the caller lets one attempt at a time in here.
        """
        await clear_stale(worktree.admin / "index.lock", worktree.folders)
        try:
            return await self.stage_at(worktree.place, what)
        except WorkspaceError as error:
            await self._build_index(worktree, error)
            return await self.stage_at(worktree.place, what)

    async def status(self, worktree: Worktree) -> tuple[dict[str, str], int]:
        """Return the header of a worktree's status and the number of its changed paths."""
        await clear_stale(worktree.admin / "index.lock", worktree.folders)
        try:
            asked = await self._status(worktree.place)
        except WorkspaceError as error:
            await self._build_index(worktree, error)
            asked = await self._status(worktree.place)
        return read_status(asked.output.content())

    async def is_plain(self, worktree: Worktree) -> bool:
        """Tell whether a worktree's status can be believed: nothing in it hides changes from git.

        Of what git does not know its status tells; to look for that takes another walk through all folders.
        """
        return not (await self._oddities(worktree.place)).paths

    async def _build_index(self, worktree: Worktree, error: WorkspaceError) -> None:
        """Replace an index that may be broken by a new one of the head, or an empty one.

        The files stay. An index holds nothing else that is not on a ref.
        """
        logger.warning("an index is built anew", extra={"reason": error.message})
        draft = worktree.admin / "index.treadle"
        environment = {**worktree.place.environment, "GIT_INDEX_FILE": str(draft)}
        apart = replace(worktree.place, environment=environment)
        try:
            draft.unlink(missing_ok=True)
            try:
                await self._git.run(apart, "read-tree", "HEAD")
            except WorkspaceError:  # it is on no commit
                await self._git.run(apart, "read-tree", "--empty")
            draft.replace(worktree.admin / "index")
        except WorkspaceError:
            raise error from None
        finally:
            draft.unlink(missing_ok=True)

    async def stage_at(self, place: GitPlace, what: Staging = Staging.ALL) -> str:
        """Stage in a whole index; returns the tree.

        Raises:
            RepositoryError: A file is not in the encoding that it must have.
            WorkspaceError: Something that can be read was not taken up, as on a full disk.
        """
        await self._leave_out(place)
        added = await self._add(place, what)
        known: set[bytes] = set()
        for _ in range(_NESTED_DEPTH):
            # what `add` could take up is known by now
            odd = await self._oddities(place, has_others=bool(added.returncode))
            if known.issuperset(odd.paths):
                break
            known.update(odd.paths)
            await self._unfold(place, odd.nested)
            await self._watch(place, odd)
            added = await self._add(place, what)
        if added.returncode:
            await self._refuse_left_out(place, added.errors)
            logger.warning("not everything could be committed", extra={"git": added.errors[-500:]})
        return await self._git.line(place, "write-tree")

    async def _leave_out(self, place: GitPlace) -> None:
        """Mark what a recipe leaves out of a checkout, where it lost its mark: it is not deleted.

        A rebuilt index has no marks, nor does what an agent's own git puts there.
        """
        if not place.sparse:
            return
        gone = await self._git.run(place, "ls-files", "-z", "--deleted", is_long=True)
        names = (name for name in gone.output.content().split(b"\0") if name)
        if left_out := [n for n in names if not is_in_cone(os.fsdecode(n), place.sparse)]:
            await self._mark(place, "--skip-worktree", left_out)

    async def _add(self, place: GitPlace, what: Staging) -> Finished:
        # without --sparse a new file outside of a sparse checkout's cone is refused, and nothing kept
        add = ("add", what, "--sparse", "--ignore-errors")
        run = partial(self._git.run, place, *add, accepts=(0, 1), is_long=True)
        try:
            return await run(*_but_placeholders(place.cwd))
        except WorkspaceError as error:
            own = await self._encodings.stage(place)
            if not own:
                raise explained(error) from error
        names = (*(os.fsencode(name) for name in placeholders_in(place.cwd)), *own)
        but = b"\0".join((b".", *(b":(exclude,literal)%s" % name for name in names)))
        from_file = ("--pathspec-from-file=-", "--pathspec-file-nul")
        try:
            return await run(*from_file, stdin=but)
        except WorkspaceError as error:
            raise explained(error) from error

    async def _status(self, place: GitPlace) -> Finished:
        return await self._git.run(place, *STATUS, *_but_placeholders(place.cwd), is_long=True)

    async def _oddities(self, place: GitPlace, *, has_others: bool = False) -> _UnusualFiles:
        others = ("-o", "--exclude-standard") if has_others else ()
        listing = await self._git.run(
            place, *("ls-files", "-z", "-v", "-s", "-c", *others), is_long=True
        )
        odd = _UnusualFiles([], [], [])
        for entry in listing.output.content().split(b"\0"):
            tag, about, path = _parsed(entry)
            if (tag == b"?" and path.endswith(b"/")) or (
                about.startswith(_LINK) and _is_nested(place.cwd / os.fsdecode(path))
            ):
                odd.nested.append(path.rstrip(b"/"))
            if tag.islower():
                odd.unwatched.append(path)
            is_left_out = place.sparse and not is_in_cone(os.fsdecode(path), place.sparse)
            if tag in {b"S", b"s"} and not is_left_out:
                odd.skipped.append(path)
        return odd

    async def _unfold(self, place: GitPlace, nested: list[bytes]) -> None:
        """Have git take the next `add` of nested repositories for one of plain folders.

        It does where the index has a file in them already; one that is not there is gone by then.
        """
        if not nested:
            return
        blob = (await self._git.line(place, "hash-object", "--stdin")).encode()
        nothing = b"0" * len(blob)
        entries = b"".join(
            b"0 %s\t%s\x00100644 %s\t%s/%s\0" % (nothing, path, blob, path, _PLACEHOLDER)
            for path in nested
        )
        await self._git.run(place, "update-index", "-z", "--index-info", stdin=entries)

    async def _watch(self, place: GitPlace, odd: _UnusualFiles) -> None:
        """Take the marks off that make git pass over changes, but those of a sparse checkout."""
        skipped = odd.skipped
        if skipped and not place.sparse:
            sparse = await self._git.line(
                place, "config", "--type=bool", "--default=false", "core.sparseCheckout"
            )
            skipped = [] if sparse == "true" else skipped
        marks = (("--no-assume-unchanged", odd.unwatched), ("--no-skip-worktree", skipped))
        for option, paths in marks:
            if paths:
                await self._mark(place, option, paths)

    async def _mark(self, place: GitPlace, option: str, paths: list[bytes]) -> None:
        listed = b"".join(path + b"\0" for path in paths)
        await self._git.run(place, "update-index", option, "-z", "--stdin", stdin=listed)

    async def _refuse_left_out(self, place: GitPlace, errors: str) -> None:
        """Refuse a half-made commit; what nobody can read must not hold the rest back."""
        left = await self._git.run(
            place,
            *("ls-files", "-z", "--others", "--modified", "--exclude-standard"),
            is_long=True,
        )
        for name in left.output.content().split(b"\0"):
            if _is_readable(place.cwd / os.fsdecode(name)):
                raise WorkspaceError(f"git add in {place.cwd}: {errors.strip()[-500:]}")


def _but_placeholders(folder: Path) -> tuple[str, ...]:
    """Return the paths to look at: all but what a sandbox put there to lie its masks on."""
    names = placeholders_in(folder)
    return ("--", ".", *(f":(exclude,literal){name}" for name in names)) if names else ()


def _is_readable(file: Path) -> bool:
    """Tell whether a regular file can be read."""
    return file.is_file() and not file.is_symlink() and os.access(file, os.R_OK)


def _parsed(entry: bytes) -> tuple[bytes, bytes, bytes]:
    """Return tag, mode and path of an entry of `ls-files -v -s -o`; others have no mode."""
    tag, _, rest = entry.partition(b" ")
    if tag == b"?":
        return tag, b"", rest
    about, _, path = rest.partition(b"\t")
    return tag, about, path


def _is_nested(folder: Path) -> bool:
    """Tell whether a link stands for a repository that was made here, not for a submodule."""
    if (folder / ".git").is_dir():
        return True
    pointer = read_limited(folder / ".git")
    return pointer is not None and _MODULES not in pointer
