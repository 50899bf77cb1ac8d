"""`treadle restore`: a backup back into the data folder, all of it or nothing."""

import secrets
import shutil
from datetime import UTC, datetime
from pathlib import Path

import typer

from adapters.sqlite_files import fault_of
from cli.console import messages, print_json, say
from settings import Settings
from treadle.archive import Manifest, flush, read_archive
from treadle.backup import DATABASES, TRUST, TRUSTED, kept_files
from treadle.databases import CHECK_SECONDS, FORMATS, database_files
from treadle.engine import EngineError, engine_lock, prepare_data_dir, running_engine

RESTORED = "restored"
"""The folder in the data folder that a proven backup waits in until every file is in its place."""

COMPANIONS = ("", "-wal", "-shm", "-journal")
"""A database and the files that SQLite keeps beside it."""


def restore(settings: Settings, source: Path, *, is_forced: bool, as_json: bool) -> None:
    """Put a backup back; with `is_forced` also over data that is there, which is kept aside."""
    try:
        prepare_data_dir(settings)
        with engine_lock(settings) as is_ours:
            _refuse_a_running_engine(settings, is_ours=is_ours)
            manifest = restore_backup(settings, source, is_forced=is_forced)
    except EngineError as error:
        say(f"treadle restore: {error}", style="red")
        raise typer.Exit(1) from None
    if as_json:
        print_json(manifest.model_dump(mode="json"))
    else:
        messages.print(
            f"The state of {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC is back; `treadle up` goes on."
        )


def _refuse_a_running_engine(settings: Settings, *, is_ours: bool) -> None:
    if not is_ours:
        holder = running_engine(settings)
        who = f"pid {holder.pid}" if holder else "another process"
        raise EngineError(f"an engine runs ({who}): stop it first, `treadle down`")


def restore_backup(settings: Settings, source: Path, *, is_forced: bool) -> Manifest:
    """Prove a backup whole, then put its files in place; call it with the engine's lock held.

    Killed before the backup is proven, it changed nothing; after that `finish_restore` ends it.

    Raises:
        EngineError: The backup is broken, or there is data already and `is_forced` is not set.
    """
    finish_restore(settings)
    draft = settings.data_dir / f".{RESTORED}.{secrets.token_hex(4)}"
    try:
        draft.mkdir(mode=0o700)
        manifest = read_archive(source, draft)
        _check(settings, draft)
        there = [file for file in _places(settings, draft).values() if file.exists()]
        if there and not is_forced:
            raise EngineError(
                f"{there[0]} is there already: give --force to put the backup in its place; "
                "what is there is kept aside"
            )
        flush(draft)
        draft.rename(settings.data_dir / RESTORED)
        flush(settings.data_dir)
    except OSError as error:
        raise EngineError(f"nothing was restored: {error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    finish_restore(settings)
    return manifest


def finish_restore(settings: Settings) -> None:
    """Put the files of a proven backup in their places; what is there goes aside first.

    Done again after a crash it goes on where that was; with no restore under way it does nothing.

    Raises:
        EngineError: A file cannot be moved.
    """
    waiting = settings.data_dir / RESTORED
    if not waiting.exists():
        return
    aside = settings.data_dir / f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S.%f}"
    try:
        for name, place in _places(settings, waiting).items():
            if (waiting / name).exists():
                _set_aside(place, aside)
                place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                shutil.move(waiting / name, place)
        flush(settings.data_dir)
        shutil.rmtree(waiting)
    except OSError as error:
        raise EngineError(f"a restore was cut off and cannot go on: {error}") from error


def _set_aside(place: Path, aside: Path) -> None:
    # The log goes before its database: beside the new one it would be taken for its own.
    for suffix in reversed(COMPANIONS):
        file = place.with_name(place.name + suffix)
        if file.exists():
            aside.mkdir(mode=0o700, exist_ok=True)
            shutil.move(file, aside / file.name)


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
        if file.name not in places:
            raise EngineError(f"the backup holds {file.name}, which has no place in this engine")
    for name, in_backup in DATABASES.items():
        file = draft / in_backup
        if file.exists() and (fault := fault_of(file, FORMATS[name], seconds=CHECK_SECONDS)):
            raise EngineError(f"{in_backup} in the backup cannot be used: {fault}")
