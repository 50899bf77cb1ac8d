"""Files of the user's checkout that git ignores and that a recipe names, as `.env`."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.git.repositories import Repository

_MOST = 200_000


async def named_files(git: Git, repository: Repository, patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the paths in the user's checkout that patterns name and git ignores, folders whole."""
    if not patterns:
        return ()
    place = GitPlace(repository.root, guard=repository.place.guard)
    wanted = (word for pattern in patterns for word in ("--exclude", pattern))
    listed = await git.run(
        place,
        *("ls-files", "-z", "--others", "--ignored", "--directory", *wanted),
        is_long=True,
    )
    asked = await git.run(
        place,
        *("check-ignore", "-z", "--stdin"),
        stdin=listed.output.content(),
        accepts=(0, 1),
    )
    paths = (os.fsdecode(path).rstrip("/") for path in asked.output.content().split(b"\0") if path)
    return tuple(sorted(dict.fromkeys(paths)))


def digest_of(root: Path, paths: Sequence[str]) -> str:
    """Return a digest of files by their names, sizes and times; it changes whenever one of them does."""
    digest = hashlib.sha256()
    for number, (path, about) in enumerate(_all_files(root, paths)):
        if number == _MOST:
            break
        digest.update(f"{path}\0{about.st_size}\0{about.st_mtime_ns}\0{about.st_mode}\0".encode())
    return digest.hexdigest() if paths else ""


def link_all(root: Path, top: Path, paths: Sequence[str]) -> None:
    """Link files of the checkout into a workspace, of folders what lies in them.

    A folder itself is none: what ignores a folder, as `node_modules/`, does not ignore a link.
    """
    for path in paths:
        source, target = root / path, top / path
        if target.exists() or target.is_symlink():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if not source.is_dir():
            target.symlink_to(source)
            continue
        target.mkdir()
        for entry in source.iterdir():
            (target / entry.name).symlink_to(entry)


def _all_files(root: Path, paths: Sequence[str]) -> Iterator[tuple[str, os.stat_result]]:
    for path in paths:
        whole = root / path
        if not whole.is_dir() or whole.is_symlink():
            yield ascii(path), whole.lstat()
            continue
        for here, folders, files in os.walk(whole):
            folders.sort()
            for name in sorted(files):
                file = os.path.join(here, name)  # noqa: PTH118 (many)
                yield ascii(os.path.relpath(file, root)), os.lstat(file)
