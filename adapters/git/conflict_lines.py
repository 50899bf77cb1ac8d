"""The lines of a merge that conflicts: the merge is made again on trial, nothing of it is kept."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.git.commands import Git, GitPlace
from adapters.git.repositories import Repository
from adapters.git.trees import SIDES, MergedTree, Trees, apart, name_of
from domain.core.conflict_lines import (
    MARKER_LENGTH,
    SHOWN_FILES,
    ConflictingFile,
    ConflictLines,
    file_of,
)
from domain.core.workspaces import ConflictSide

_MOST_BYTES = 1 << 20
_REFUSED = 128


async def read_conflict(git: Git, repository: Repository, ours: str, theirs: str) -> ConflictLines:
    """Return what conflicts when `theirs` is merged into `ours`.

    Raises:
        RepositoryError: One of them is gone, or they have no history in common.
    """
    with TemporaryDirectory(prefix="treadle-conflict-") as folder:
        place = _marking(apart(repository.place, repository.common, folder), Path(folder))
        merged = await Trees(git).merge(place, ours, theirs)
        shown = merged.paths[:SHOWN_FILES]
        files = [await _file(git, place, merged, path) for path in shown]
    return ConflictLines(files=tuple(files), files_left=len(merged.paths) - len(shown))


def _marking(place: GitPlace, folder: Path) -> GitPlace:
    """Return a place in which conflicts are marked by lines that no file has itself."""
    attributes = folder / "attributes"
    attributes.write_text(f"* conflict-marker-size={MARKER_LENGTH}\n")
    settings = {"core.attributesFile": str(attributes), "merge.conflictStyle": "merge"}
    named = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        named |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return replace(place, environment={**place.environment, **named})


async def _file(git: Git, place: GitPlace, merged: MergedTree, path: bytes) -> ConflictingFile:
    name = name_of(path)
    there = {entry.stage for entry in merged.staged if entry.path == path}
    if SIDES[ConflictSide.BRANCH] not in there:
        return ConflictingFile(path=name, about="deleted in A, changed in B")
    if SIDES[ConflictSide.TASK] not in there:
        return ConflictingFile(path=name, about="changed in A, deleted in B")
    asked = f"{merged.tree}:{name}"
    size = await git.run(place, "cat-file", "-s", asked, accepts=(0, _REFUSED))
    if size.returncode != 0:
        return ConflictingFile(path=name, about="a file in one, something else in the other")
    if int(size.output.text()) > _MOST_BYTES:
        return ConflictingFile(path=name, about="too large to show")
    content = (await git.run(place, "cat-file", "blob", asked)).output.content()
    if b"\0" in content:
        return ConflictingFile(path=name, about="a binary file that both changed")
    found = file_of(name, content.decode(errors="replace"))
    about = "" if found.hunks else "both changed it, but not by lines: see what git says"
    return found.model_copy(update={"about": about})
