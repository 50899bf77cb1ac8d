"""Trees that are put together: a commit's files, with some as they are in other commits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.git.commands import Git, GitPlace
from domain.core.errors import RepositoryError


async def tree_with_parts(
    git: Git, place: GitPlace, base: str, parts: Mapping[str, Sequence[str]]
) -> str:
    """Return the tree of a commit, with files as they are in other commits; moves nothing.

    Raises:
        RepositoryError: A file is in none of the commits, or stands where another one has a folder.
    """
    own = await _entries(git, place, base, tuple(f for files in parts.values() for f in files))
    lines: list[bytes] = []
    for commit, files in parts.items():
        found = await _entries(git, place, commit, files)
        for file in files:
            if file not in found and file not in own:
                raise RepositoryError(f"{file!r} is neither in {commit[:12]} nor in {base[:12]}")
            lines.append(found.get(file) or _gone(base, file))
    with TemporaryDirectory(prefix="treadle-index-") as folder:
        environment = {**place.environment, "GIT_INDEX_FILE": str(Path(folder, "index"))}
        apart = replace(place, environment=environment)
        await git.run(apart, "read-tree", base)
        # those that go come first: a file may stand where a folder was
        lines.sort(key=lambda line: not line.startswith(b"0 "))
        await git.run(apart, "update-index", "-z", "--index-info", stdin=b"".join(lines))
        return await git.line(apart, "write-tree")


async def _entries(
    git: Git, place: GitPlace, commit: str, files: Sequence[str]
) -> dict[str, bytes]:
    """Return the entries of files in a commit, as an index reads them; those that are not there are left out."""
    listed = await git.run(
        place, "--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", *files
    )
    found: dict[str, bytes] = {}
    for line in listed.output.content().split(b"\0"):
        about, _, path = line.partition(b"\t")
        if b" blob " not in about:
            continue  # a folder, or the commit of a submodule
        mode, _, blob = about.split(b" ")
        found[path.decode(errors="surrogateescape")] = b"%s %s\t%s\0" % (mode, blob, path)
    return found


def _gone(base: str, file: str) -> bytes:
    return b"0 %s\t%s\0" % (b"0" * len(base), file.encode(errors="surrogateescape"))
