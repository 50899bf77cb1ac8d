"""Merged trees, made without a checkout: what two commits give together, and where they conflict."""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.git.commands import Git, GitPlace
from domain.core.errors import RepositoryError
from domain.core.workspaces import ConflictSide

LISTED_CONFLICTS = 100
_LISTED_NOTES = 20
_NOTE_LENGTH = 300
_CONFLICTS = 1
SIDES = {ConflictSide.BRANCH: 2, ConflictSide.TASK: 3}
"""The stage at which git has the version of a side."""

_MARKERS = ("^<<<<<<<<* ", "^>>>>>>>>* ")
"""Lines that git puts into a conflicting file; a repository's attributes can make them longer."""


@dataclass(frozen=True)
class Staged:
    """One side's version of a conflicting file; stage 1 is the common base, 2 ours, 3 theirs."""

    mode: bytes
    blob: bytes
    stage: int
    path: bytes


@dataclass(frozen=True)
class MergedTree:
    """What a merge gives: a tree, in which conflicting files hold markers, and their versions."""

    tree: str
    ours: str
    theirs: str
    staged: tuple[Staged, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[bytes, ...]:
        """The conflicting files, each once, in git's order."""
        return tuple(dict.fromkeys(entry.path for entry in self.staged))

    @property
    def conflicts(self) -> tuple[str, ...]:
        """The names of the first of them; what is no UTF-8 is escaped."""
        return tuple(name_of(path) for path in self.paths[:LISTED_CONFLICTS])

    @property
    def versions(self) -> str:
        """A name of what both sides have in the conflicting files; empty where none conflicts."""
        sides = [s for s in self.staged if s.stage in SIDES.values()]
        listed = b"".join(b"%d %s %s\t%s\0" % (s.stage, s.mode, s.blob, s.path) for s in sides)
        return hashlib.sha256(listed).hexdigest() if self.staged else ""


class Trees:
    """Merges trees of commits; moves nothing."""

    def __init__(self, git: Git) -> None:
        self._git = git

    async def merge(self, place: GitPlace, ours: str, theirs: str) -> MergedTree:
        """Return what merging `theirs` into `ours` gives.

        Raises:
            RepositoryError: One of them is gone, or they have no history in common.
        """
        done = await self._git.run(
            place,
            *("merge-tree", "--write-tree", "-z", "--messages"),
            *("--end-of-options", ours, theirs),
            is_long=True,
            accepts=(0, _CONFLICTS),
        )
        tree, *rest = done.output.content().split(b"\0")
        if done.returncode == 0:
            return MergedTree(tree.decode(), ours, theirs)
        if not tree:
            raise RepositoryError(f"{theirs} cannot be merged into {ours}: {done.errors.strip()}")
        # an empty field stands between the versions of files and the messages
        end = rest.index(b"")
        staged = tuple(_staged(entry) for entry in rest[:end])
        return MergedTree(
            tree.decode(), ours, theirs, staged, _notes(rest[end + 1 :], (ours, theirs))
        )

    async def keep(self, place: GitPlace, merged: MergedTree, side: ConflictSide) -> str:
        """Return the tree in which every conflicting file is one side's version, or gone with it.

        Raises:
            RepositoryError: A file stands where the other side has a folder: no side can be kept.
        """
        invented = [p for p in merged.paths if p.endswith(_labels(merged))]
        if invented:
            raise RepositoryError(
                f"{name_of(invented[0])}: one side has a file where the other has a folder, so neither "
                "can simply be kept: resolve it by hand, or have the agent do it"
            )
        kept = {s.path: s for s in merged.staged if s.stage == SIDES[side]}
        gone = [path for path in merged.paths if path not in kept]
        nothing = b"0" * len(merged.tree)
        entries = b"".join(b"0 %s\t%s\0" % (nothing, path) for path in gone)
        entries += b"".join(b"%s %s\t%s\0" % (s.mode, s.blob, s.path) for s in kept.values())
        with TemporaryDirectory(prefix="treadle-index-") as folder:
            environment = {**place.environment, "GIT_INDEX_FILE": str(Path(folder, "index"))}
            apart = replace(place, environment=environment)
            await self._git.run(apart, "read-tree", merged.tree)
            await self._git.run(apart, "update-index", "-z", "--index-info", stdin=entries)
            return await self._git.line(apart, "write-tree")

    async def marked(self, place: GitPlace, tree: str, merged: MergedTree) -> tuple[str, ...]:
        """Return which conflicting files of a merge still hold conflict markers in a tree."""
        if not merged.paths:
            return ()
        found = await self._git.run(
            place,
            *("grep", "-z", "-l", "-G", "--all-match", "--no-recurse-submodules"),
            *(part for marker in _MARKERS for part in ("-e", marker)),
            *(tree, "--"),
            is_long=True,
            accepts=(0, 1),
        )
        held = {entry.partition(b":")[2] for entry in found.output.content().split(b"\0")}
        return tuple(name_of(path) for path in merged.paths if path in held)[:LISTED_CONFLICTS]


def apart(place: GitPlace, common: Path, folder: str) -> GitPlace:
    """Return a place whose new objects go to a folder of their own, not into the repository."""
    objects = {
        "GIT_OBJECT_DIRECTORY": folder,
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(common / "objects"),
    }
    return replace(place, environment={**place.environment, **objects})


def _staged(entry: bytes) -> Staged:
    about, _, path = entry.partition(b"\t")
    mode, blob, stage = about.split(b" ")
    return Staged(mode, blob, int(stage), path)


def _notes(parts: list[bytes], sides: tuple[str, str]) -> tuple[str, ...]:
    """Return git's words on conflicts: of each, a number of paths, those, a type and a message.

    The sides are called A and B in them, as people are asked about them.
    """
    notes: list[str] = []
    rest = iter(parts)
    for count in rest:
        if not count.isdigit():
            break
        for _ in range(int(count)):
            next(rest, b"")
        kind, message = next(rest, b""), next(rest, b"")
        if kind.startswith(b"CONFLICT"):
            words = name_of(message).strip().replace(sides[0], "A").replace(sides[1], "B")
            notes.append(words[:_NOTE_LENGTH])
    return tuple(notes[:_LISTED_NOTES])


def _labels(merged: MergedTree) -> tuple[bytes, ...]:
    """Return the ends of names that git invents where a file and a folder are in each other's way."""
    return tuple(f"~{label}".encode() for label in (merged.ours, merged.theirs))


def name_of(name: bytes) -> str:
    """Return the name of a file as it is shown; what is no UTF-8 is escaped."""
    return name.decode("utf-8", "backslashreplace")
