"""The files of a layer: taken from where they were made, and copied into workspaces under their own names."""

import os
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from adapters.files.removal import remove_tree
from adapters.files.state_files import write_atomic
from adapters.processes.command import Command
from adapters.processes.spawner import Spawner
from domain.agents.protected import PROTECTED_FOLDERS
from domain.core.wire import Wire

ABOUT = "about.json"
"""The file that makes a layer whole."""

FILES = "files"
"""The folder of a layer's files."""

_TEXT_BYTES = 1 << 20
_LAST_WORDS = 500
_COPY = ("cp", "--archive", "--reflink=auto", "--")


class About(Wire):
    """What a layer says of itself: where it was made, and which of its files name that place."""

    made_at: str
    entries: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    output: str = ""
    size_bytes: int = 0
    duration_ms: int = 0


def empty_masks(top: Path) -> frozenset[str]:
    """Return the empty folders that a sandbox may have put where it protects one: no command made them."""
    folders = (name for name in PROTECTED_FOLDERS if (top / name).is_dir())
    return frozenset(name for name in folders if not any((top / name).iterdir()))


def hide_new_folders(top: Path, entries: Iterable[str]) -> tuple[str, ...]:
    """Have new folders ignored, as virtual environments are by their own; returns the files that are not."""
    left: list[str] = []
    for entry in entries:
        folder = top / entry
        if folder.is_dir() and not folder.is_symlink():
            ignore = folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n")
        else:
            left.append(entry)
    return tuple(left)


def look_at(top: Path, entries: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """Return the files that name the folder they lie in, and how many bytes all have."""
    own = os.fsencode(top)
    named: list[str] = []
    size = 0
    for file in _files(top, entries):
        about = file.lstat()
        if file.is_symlink():
            if own in os.fsencode(os.readlink(file)):  # noqa: PTH115 - bytes
                named.append(str(file.relative_to(top)))
            continue
        size += about.st_size
        if about.st_size <= _TEXT_BYTES:
            content = file.read_bytes()
            if own in content and b"\0" not in content:
                named.append(str(file.relative_to(top)))
    return tuple(named), size


def _files(top: Path, entries: Iterable[str]) -> Iterable[Path]:
    for entry in entries:
        whole = top / entry
        if not whole.is_dir() or whole.is_symlink():
            yield whole
            continue
        for here, folders, files in os.walk(whole):
            yield from (Path(here, name) for name in files)
            yield from (Path(here, name) for name in folders if Path(here, name).is_symlink())


def take_into_layer(top: Path, folder: Path, about: About) -> None:
    """Move what was made into a layer's folder, which is whole when this ends."""
    draft = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    try:
        for entry in about.entries:
            target = draft / FILES / entry
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            shutil.move(top / entry, target)
        (draft / FILES).mkdir(parents=True, exist_ok=True)
        write_atomic(draft / ABOUT, about.model_dump_json())
        draft.rename(folder)
    finally:
        remove_tree(draft)


async def copy_layer(spawner: Spawner, files: Path, top: Path, about: About) -> None:
    """Copy what a layer holds into a worktree, but for what is there; blocks are shared where they can be.

    What copies ends where a newer attempt takes the worktree over.

    Raises:
        OSError: It cannot be copied, as on a full disk.
    """
    for entry in about.entries:
        target = top / entry
        if target.exists() or target.is_symlink():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        argv = (*_COPY, str(files / entry), str(target))
        done = await spawner.run(Command(argv, files, is_brief=True))
        if done.returncode != 0:
            raise OSError(f"a layer cannot be copied: {done.errors.strip()[-_LAST_WORDS:]}")


def move_layer(files: Path, top: Path, about: About) -> None:
    """Move a copy of what a layer holds into a worktree, but for what is there."""
    for entry in about.entries:
        target = top / entry
        if not (target.exists() or target.is_symlink()):
            target.parent.mkdir(parents=True, exist_ok=True)
            (files / entry).rename(target)


def name_place(top: Path, shown_at: Path, about: About) -> None:
    """Have files that name the folder where a layer was made name another one."""
    own, new = os.fsencode(about.made_at), os.fsencode(shown_at)
    for name in about.named:
        file = top / name
        with suppress(FileNotFoundError):
            if file.is_symlink():
                to = os.fsencode(os.readlink(file)).replace(own, new)  # noqa: PTH115
                file.unlink()
                file.symlink_to(os.fsdecode(to))
                continue
            status = file.stat()
            file.write_bytes(file.read_bytes().replace(own, new))
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
