"""`treadle restore`: a backup back into the data folder, all of it or nothing."""

import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import typer

from adapters.disk_room import is_full, no_room
from adapters.files.state_files import try_lock
from adapters.sqlite_files import fault_of
from cli.core.console import messages, print_json, say
from settings import Settings
from treadle.archive import Manifest, flush, read_archive
from treadle.backup import DATABASES, TRUST, TRUSTED, kept_files
from treadle.databases import CHECK_SECONDS, FORMATS, database_files
from treadle.engine import (
    RESTORED,
    EngineError,
    end_leftovers,
    engine_lock,
    prepare_data_dir,
    running_engine,
)
from treadle.moves import move, set_aside
from treadle.saved_repositories import RECORD, put_back_repositories

OF_ATTEMPTS = ("fences", "refs")
"""Folders of what attempts note: their numbers begin at those of the backup again."""

AGENTS = "agents"
"""The folder of the agents' own homes, one a session."""

MADE_AT = "made-at"
"""The file that says, beside the backup's own, when it was made."""

ASIDE_AT = "aside-at"
"""The file that names where this restore keeps what is newer, however often it is begun again."""

_MOMENT = "%Y%m%d-%H%M%S.%f"

_NEWEST_OF_TURNS = """
    SELECT stream, max(position), kind FROM events
    WHERE kind IN ('prompt_sent', 'turn_ended') GROUP BY stream
"""

COMPANIONS = ("", "-wal", "-shm", "-journal")
"""A database and the files that SQLite keeps beside it."""


@dataclass(frozen=True)
class Restored:
    """A restored backup, and in words what is newer than it and where that is kept."""

    manifest: Manifest
    aside: list[str]


def restore(settings: Settings, source: Path, *, is_forced: bool, as_json: bool) -> None:
    """Put a backup back; with `is_forced` also over data that is there, which is kept aside."""
    try:
        for moved in prepare_data_dir(settings):
            say(moved)
        with engine_lock(settings) as is_ours:
            refuse_a_running_engine(settings, is_ours=is_ours)
            refuse_a_running_worker(settings)
            end_leftovers(settings)
            restored = restore_backup(settings, source, is_forced=is_forced)
    except EngineError as error:
        say(f"treadle restore: {error}", style="red")
        raise typer.Exit(1) from None
    manifest = restored.manifest
    if as_json:
        print_json({**manifest.model_dump(mode="json"), "aside": restored.aside})
        return
    for line in restored.aside:
        say(line)
    messages.print(
        f"Restored the state of {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC. Continue with `treadle up`."
    )


def refuse_a_running_engine(settings: Settings, *, is_ours: bool) -> None:
    """Refuse where this process did not get the engine's lock."""
    if not is_ours:
        holder = running_engine(settings)
        who = f"pid {holder.pid}" if holder else "another process"
        raise EngineError(f"an engine is running ({who}): stop it first with `treadle down`")


def refuse_a_running_worker(settings: Settings) -> None:
    """Refuse beside a worker that was started by itself: it would go on in what was restored."""
    lock = settings.data_dir / "worker.lock"
    if not lock.is_file():
        return
    with lock.open("r+") as file:
        if not try_lock(file.fileno()):
            pid = file.read(32) or "unknown"
            raise EngineError(
                f"a worker is running on {settings.data_dir} (pid {pid}): stop it first"
            )


def restore_backup(settings: Settings, source: Path, *, is_forced: bool) -> Restored:
    """Prove a backup whole, then put its state in place; call it with the engine's lock held.

    Killed before the backup is proven, it changed nothing; after that `finish_restore` ends it.

    Raises:
        EngineError: The backup is broken, or there is data already and `is_forced` is not set.
    """
    aside = finish_restore(settings)
    draft = settings.data_dir / f".{RESTORED}.{secrets.token_hex(4)}"
    try:
        draft.mkdir(mode=0o700)
        manifest = read_archive(source, draft)
        _check(settings, draft)
        there = [file for file in _places(settings, draft).values() if file.exists()]
        if there and not is_forced:
            raise EngineError(
                f"{there[0]} already exists: add --force to replace it; "
                "existing data is set aside, not deleted"
            )
        (draft / MADE_AT).write_text(manifest.made_at.isoformat())
        (draft / ASIDE_AT).write_text(f"{datetime.now(UTC):{_MOMENT}}")
        flush(draft)
        draft.rename(settings.data_dir / RESTORED)
        flush(settings.data_dir)
    except OSError as error:
        why = no_room(draft, _size(source)) if is_full(error) else str(error)
        raise EngineError(f"nothing was restored: {why}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Restored(manifest, [*aside, *finish_restore(settings)])


def _size(source: Path) -> int:
    return source.stat().st_size


def finish_restore(settings: Settings) -> list[str]:
    """Put a proven backup in its place; what is there goes aside first. Returns what did, in words.

    Repositories come before the files: a journal that is there still tells of what is newer. Done
    again after a crash it goes on where that was; with no restore under way it does nothing.

    Raises:
        EngineError: A file cannot be moved.
    """
    _forget_drafts(settings)
    waiting = settings.data_dir / RESTORED
    if not waiting.exists():
        return []
    try:
        aside = settings.data_dir / f"before-restore-{_moment(waiting):{_MOMENT}}"
        return _finish(settings, waiting, aside)
    except (OSError, sqlite3.Error) as error:
        is_room = isinstance(error, OSError) and is_full(error)
        why = no_room(settings.data_dir) if is_room else str(error)
        raise EngineError(f"a restore was interrupted and cannot continue: {why}") from error


def _finish(settings: Settings, waiting: Path, aside: Path) -> list[str]:
    _trust_as_saved(settings, waiting)
    journal = database_files(settings).get("journal", settings.data_dir / DATABASES["journal"])
    lines = put_back_repositories(settings, waiting / RECORD, aside, journal)
    for folder in OF_ATTEMPTS:
        _set_folder_aside(settings.data_dir / folder, aside)
    for home in _newer_homes(settings.data_dir, waiting):
        _set_folder_aside(home, aside / AGENTS / home.parent.name)
    for name, place in _places(settings, waiting).items():
        if (waiting / name).exists():
            for file in _with_companions(place):
                set_aside(file, aside)
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            move(waiting / name, place)
    flush(settings.data_dir)
    shutil.rmtree(waiting)
    return [*lines, f"what was in {settings.data_dir} is in {aside}"] if aside.exists() else lines


def _moment(waiting: Path) -> datetime:
    """Return when a restore began: what it sets aside is in one place, also where it was cut off."""
    noted = waiting / ASIDE_AT
    if not noted.exists():  # by an older Treadle
        return datetime.now(UTC)
    return datetime.strptime(noted.read_text(), _MOMENT).replace(tzinfo=UTC)


def _forget_drafts(settings: Settings) -> None:
    """Remove what restores left that were killed before their backup was proven: copies of keys."""
    for draft in settings.data_dir.glob(f".{RESTORED}.*"):
        shutil.rmtree(draft, ignore_errors=True)


def _trust_as_saved(settings: Settings, waiting: Path) -> None:
    """Trust the git metadata of repositories that nothing is known of here as the backup does."""
    for name, place in _places(settings, waiting).items():
        if name.startswith(TRUSTED) and not place.exists():
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copyfile(waiting / name, place)
            place.chmod(0o600)


def _newer_homes(data_dir: Path, waiting: Path) -> list[Path]:
    """Return the homes of agents that the backup has in the middle of a turn, and that wrote since.

    They remember what is undone now, and would be told to go on with it: they begin the turn anew.
    """
    made_at, journal = waiting / MADE_AT, waiting / DATABASES["journal"]
    if not made_at.exists() or not journal.exists():
        return []
    moment = datetime.fromisoformat(made_at.read_text()).timestamp()
    with closing(sqlite3.connect(f"{journal.as_uri()}?mode=ro", uri=True)) as database:
        newest = database.execute(_NEWEST_OF_TURNS).fetchall()
    names = {stream.replace("/", "_") for stream, _, kind in newest if kind == "prompt_sent"}
    homes = [home for home in (data_dir / AGENTS).glob("*/*") if home.name in names]
    return [home for home in homes if any(_changed(file) > moment for file in home.rglob("*"))]


def _changed(file: Path) -> float:
    try:
        return file.lstat().st_mtime
    except OSError:
        return 0


def _set_folder_aside(folder: Path, aside: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()):
        set_aside(folder, aside)


def _with_companions(place: Path) -> Iterator[Path]:
    # The log goes before its database: beside the new one it would be taken for its own.
    for suffix in reversed(COMPANIONS):
        file = place.with_name(place.name + suffix)
        if file.exists() or file.is_symlink():
            yield file


def _places(settings: Settings, unpacked: Path) -> dict[str, Path]:
    """Return where each file of an unpacked backup belongs."""
    databases = {DATABASES[name]: file for name, file in database_files(settings).items()}
    trust = settings.data_dir / TRUST
    names = (file.name for file in unpacked.glob(f"{TRUSTED}*.json"))
    trusted = {name: trust / name.removeprefix(TRUSTED) for name in names}
    return databases | kept_files(settings) | trusted


def _check(settings: Settings, draft: Path) -> None:
    places = _places(settings, draft)
    for file in draft.iterdir():
        if file.name not in {*places, RECORD}:
            raise EngineError(f"the backup holds {file.name}, which has no place in this engine")
    for name, in_backup in DATABASES.items():
        file = draft / in_backup
        if file.exists() and (fault := fault_of(file, FORMATS[name], seconds=CHECK_SECONDS)):
            raise EngineError(f"{in_backup} in the backup cannot be used: {fault}")
