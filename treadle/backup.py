"""`treadle backup`: both databases as they are at one moment, and the keys, in one file."""

import shutil
import sqlite3
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import typer

import treadle
from adapters.disk_room import is_full, no_room
from adapters.sqlite_files import copy_together, fault_of
from cli.core.console import messages, print_json, say
from settings import Settings
from treadle.archive import Manifest, member_of, write_archive
from treadle.databases import CHECK_SECONDS, FORMATS, database_files
from treadle.engine import EngineError
from treadle.saved_repositories import RECORD, save_repositories

DATABASES = {"journal": "journal.db", "temporal": "temporal.db"}
"""The names of the databases in a backup, whatever they are called where they run."""


TRUST = "trust"
"""The folder of what people trust."""

TRUSTED = "trust-"
"""What the names of its files begin with in a backup."""


def kept_files(settings: Settings) -> dict[str, Path]:
    """Return the small files without which the databases are of no use, by their names in a backup.

    The keys: what Temporal holds is sealed with one, decision codes are made with another. The
    host's id: tasks wait in a queue of that name. What people trust of each repository's git
    metadata: git is run nowhere without it.
    """
    keys = (settings.token_file, settings.code_key_file, settings.payload_key_file)
    trusted = (settings.data_dir / TRUST).glob("*.json")
    return {
        **{file.name: file for file in (*keys, settings.data_dir / "host-id")},
        **{f"{TRUSTED}{file.name}": file for file in trusted if ".refused." not in file.name},
    }


def backup(settings: Settings, target: Path, *, as_json: bool) -> None:
    """Write a backup while everything runs; `target` is its file, or a folder that it goes into."""
    try:
        file = _file_of(target)
        manifest = make_backup(settings, file)
    except EngineError as error:
        say(f"treadle backup: {error}", style="red")
        raise typer.Exit(1) from None
    for root, reason in manifest.unread.items():
        say(f"treadle backup: branches of {root} are not recorded: {reason}", style="yellow")
    if as_json:
        print_json({"file": str(file), **manifest.model_dump(mode="json")})
        return
    size = sum(member.size_bytes for member in manifest.members) / 1e6
    messages.print(f"{file} holds {', '.join(m.name for m in manifest.members)} ({size:.1f} MB).")
    messages.print(
        "It includes the keys, so protect it like a password. It records where Treadle's branches "
        "and worktrees are, but contains no files of repositories, memories of agents or your "
        "configuration folder."
    )
    if by_url := repositories_by_url(settings):
        say(by_url, style="yellow" if settings.hub_url is None else "dim")


def repositories_by_url(settings: Settings) -> str:
    """Return what is said of repositories that threads name by URLs; nothing where there are none."""
    folder = settings.data_dir / "repositories"
    if not folder.is_dir():
        return ""
    if settings.hub_url is not None:
        return f"Repositories by URL ({folder}) are not in it: the hub has their work."
    return (
        f"Repositories by URL are not in it, and work that is not merged is in {folder} alone: copy that "
        "folder as well, or set TREADLE_HUB_URL."
    )


def make_backup(settings: Settings, file: Path) -> Manifest:
    """Write a backup to a file that is not there yet.

    Temporal and the journal are copied as of one moment in which nothing is journaled, so what is
    restored is what a `kill -9` of everything would have left: neither knows of a thing that the
    other has lost.

    Raises:
        EngineError: There is nothing to save, a database is broken, or the file cannot be written.
    """
    files = {name: f for name, f in database_files(settings).items() if f.exists()}
    if not files:
        raise EngineError(f"there is nothing to back up in {settings.data_dir}")
    try:
        with tempfile.TemporaryDirectory(prefix="treadle-", dir=file.parent) as place:
            return _make(settings, file, files, Path(place))
    except FileExistsError as error:
        raise EngineError(f"{file} already exists: choose another name") from error
    except OSError as error:
        raise EngineError(f"{file} cannot be written: {_why(error, file, files)}") from error
    except sqlite3.Error as error:
        is_room = error.sqlite_errorcode != sqlite3.SQLITE_FULL
        why = str(error) if is_room else _full(file, files)
        raise EngineError(f"a database cannot be copied: {why}") from error


def _why(error: OSError, file: Path, files: dict[str, Path]) -> str:
    return _full(file, files) if is_full(error) else error.strerror or str(error)


def _full(file: Path, files: dict[str, Path]) -> str:
    needed = 2 * sum(source.stat().st_size for source in files.values())  # copied, then packed
    return no_room(file.parent, needed)


def _make(settings: Settings, file: Path, files: dict[str, Path], place: Path) -> Manifest:
    copies = {source: place / DATABASES[name] for name, source in files.items()}
    copy_together(copies)
    for name, source in files.items():
        fault = fault_of(copies[source], FORMATS[name], seconds=CHECK_SECONDS)
        if fault is not None:
            raise EngineError(f"the {name} database {source} cannot be backed up: {fault}")
    kept = {name: file for name, file in kept_files(settings).items() if file.exists()}
    for name, file_kept in kept.items():
        shutil.copyfile(file_kept, place / name)
    # after the databases: what git has by then, they may not know of yet, as after a kill
    record = place / RECORD
    unread = save_repositories(settings, place / DATABASES["journal"], record)
    members = [*copies.values(), *(place / name for name in kept), record]
    manifest = Manifest(
        treadle=treadle.__version__,
        made_at=datetime.now(UTC),
        data_dir=str(settings.data_dir),
        members=[*map(member_of, members)],
        unread=unread,
    )
    write_archive(file, place, manifest)
    return manifest


def _file_of(target: Path) -> Path:
    target = target.expanduser().absolute()
    if not target.is_dir():
        return target
    return target / f"treadle-{datetime.now(UTC):%Y%m%d-%H%M%S}.tar"
