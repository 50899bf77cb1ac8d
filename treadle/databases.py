"""The engine's two databases before it starts: whole, and not lost without anybody knowing."""

import sqlite3
from pathlib import Path

from adapters.journal_file import JOURNAL_FORMAT, journal_file, prepare_file
from adapters.sqlite_files import Format, fault_of, reading
from domain.core.errors import JournalError
from domain.core.text import counted
from settings import Settings
from treadle.engine import EngineError, own_temporal, temporal_file

CHECK_SECONDS = 5.0
"""How long the pages of one database are looked through: 100 MB take half a second."""

TEMPORAL_FORMAT = Format(
    frozenset({"namespaces", "executions", "current_executions", "history_node"})
)
FORMATS = {"journal": JOURNAL_FORMAT, "temporal": TEMPORAL_FORMAT}
KEYS = "file of payload keys"
LOST = {
    "journal": "past events of its threads are lost; the threads continue",
    "temporal": "its threads stay readable, but cannot continue",
    KEYS: "existing threads stay readable, but cannot continue",
}


def database_files(settings: Settings) -> dict[str, Path]:
    """Return the databases that are files of this engine: not those on a server of their own.

    The journal comes first where it is one of them.

    Raises:
        EngineError: The journal's URL is of no database that it can be in.
    """
    try:
        journal = journal_file(settings.journal)
    except JournalError as error:
        raise EngineError(f"TREADLE_JOURNAL_URL: {error.message}") from error
    files = {"journal": journal, "temporal": temporal_file(settings) if own_temporal() else None}
    return {name: file for name, file in files.items() if file is not None}


def check_databases(settings: Settings, *, is_loss_accepted: bool = False) -> list[str]:
    """Refuse databases that an engine must not start on; returns what else people should know.

    Raises:
        EngineError: One is broken; or one is gone that the other tells of, or the keys that Temporal's
            needs are, and that is not accepted.
    """
    files = database_files(settings)
    for name, file in files.items():
        if (fault := database_fault(name, file)) is not None:
            raise EngineError(fault)
    if not is_loss_accepted and (lost := lost_files(settings)):
        raise EngineError(lost)
    if "journal" in files:
        _prepare(files["journal"])
    return [missing_words(missing)] if (missing := threads_without_history(settings)) else []


def lost_files(settings: Settings) -> str:
    """Say which file is gone that threads need, and what to do; empty where none is."""
    files, keys = database_files(settings), settings.payload_key_file
    return _lost_database(files) or _lost_keys(keys, files)


def database_fault(name: str, file: Path) -> str | None:
    """Say what is wrong with a database that is there, and what to do; None where all is well."""
    if not file.exists():
        return None
    fault = fault_of(file, FORMATS[name], seconds=CHECK_SECONDS)
    if fault is None:
        return None
    return (
        f"the {name} database {file} cannot be used: {fault}. Restore a backup with "
        f"`treadle restore BACKUP --force`. Without one, move it and {file.name}-wal away: {LOST[name]}"
    )


def threads_without_history(settings: Settings) -> list[str]:
    """Return the threads that the journal tells of and Temporal's file does not know."""
    files = database_files(settings)
    journal, temporal = files.get("journal"), files.get("temporal")
    if journal is None or temporal is None or not (journal.exists() and temporal.exists()):
        return []
    known = set(_column(temporal, "SELECT workflow_id FROM current_executions"))
    return [thread for thread in _threads(journal) if thread not in known]


def _prepare(journal: Path) -> None:
    """Make the journal before anything starts, so that a place which cannot hold it is told here."""
    try:
        prepare_file(journal)
    except JournalError as error:
        raise EngineError(error.message) from error


def _lost_database(files: dict[str, Path]) -> str:
    journal, temporal = files.get("journal"), files.get("temporal")
    if journal is None or temporal is None:
        return ""
    if not temporal.exists() and journal.exists() and (threads := _threads(journal)):
        return _lost_words("temporal", temporal, len(threads))
    if not journal.exists() and temporal.exists() and (count := _count_threads(temporal)):
        return _lost_words("journal", journal, count)
    return ""


def _lost_keys(keys: Path, files: dict[str, Path]) -> str:
    """Threads that were sealed with other keys than new ones would stand still."""
    temporal = files.get("temporal")
    if temporal is None or keys.exists() or not temporal.exists():
        return ""
    count = _count_threads(temporal)
    return _lost_words(KEYS, keys, count) if count else ""


def _count_threads(temporal: Path) -> int:
    threads = "SELECT workflow_id FROM current_executions WHERE workflow_id LIKE 'thread-%'"
    return len([workflow for workflow in _column(temporal, threads) if "/" not in workflow])


def _lost_words(name: str, file: Path, threads: int) -> str:
    what = name if name == KEYS else f"{name} database"
    return (
        f"the {what} {file} is missing, and {counted(threads, 'thread')} cannot continue without it: put it back, or run "
        f"`treadle restore BACKUP --force`. `treadle up --accept-loss` starts a new one: {LOST[name]}"
    )


def missing_words(threads: list[str]) -> str:
    """Say what threads without a history mean."""
    return (
        f"no history in Temporal's database of {counted(len(threads), 'thread')}: {', '.join(threads)}. "
        "They stay readable, but cannot continue; an older copy of the database may have been restored"
    )


def _threads(journal: Path) -> list[str]:
    return _column(journal, "SELECT stream FROM headlines WHERE kind = 'thread' ORDER BY stream")


def _column(file: Path, query: str) -> list[str]:
    try:
        with reading(file) as connection:
            return [row[0] for row in connection.execute(query)]
    except sqlite3.Error as error:
        raise EngineError(f"{file} cannot be read: {error}") from error
