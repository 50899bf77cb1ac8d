"""The repositories of a backup: where their refs and worktrees were, and how they are put back."""

import asyncio
import json
import sqlite3
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from adapters.git.saved_state import Aside, KnownWork, SavedRepository, SavedState
from adapters.processes.spawner import Spawner
from adapters.sqlite_files import reading
from domain.core.errors import TreadleError
from domain.core.wire import Wire
from settings import Settings, environment

RECORD = "repositories.json"
"""The name of the record in a backup."""

_ENVIRONMENT = ("PATH", "HOME", "TMPDIR")
_OPENED = "SELECT stream, kind, body FROM events WHERE kind IN ('thread_opened', 'flow_started')"

_T = TypeVar("_T")


class Repositories(Wire):
    """What a backup knows of repositories; `unread` are those that could not be looked at, and why."""

    repositories: tuple[SavedRepository, ...] = ()
    unread: dict[str, str] = {}


def save_repositories(settings: Settings, journal: Path, record: Path) -> dict[str, str]:
    """Write the state of all repositories that a journal tells of; returns which could not be read."""
    found = _in_a_loop(_read(settings, known_work(journal)))
    record.write_text(found.model_dump_json())
    return found.unread


def put_back_repositories(
    settings: Settings, record: Path, aside: Path, journal: Path
) -> list[str]:
    """Put the repositories of a backup back; returns what went aside, and what could not be done.

    `journal` is the one from before the restore: it tells of what was begun after the backup. What
    dead workers left is ended first. Done again it goes on.
    """
    try:
        saved = Repositories.model_validate_json(record.read_bytes())
    except FileNotFoundError:
        return ["the backup was made by an older Treadle: branches and worktrees were not compared"]
    except ValidationError as error:
        return [f"branches and worktrees were not compared: {record} cannot be read: {error}"]
    return _in_a_loop(_put_back(settings, saved, aside, known_work(journal)))


def known_work(journal: Path) -> dict[str, KnownWork]:
    """Return what a journal's file knows of each repository; what of it cannot be read is left out."""
    found: dict[str, KnownWork] = {}
    for stream, (root, branch) in _opened(journal):
        known = found.get(root, KnownWork(root=root))
        found[root] = KnownWork(
            root=root,
            branches=known.branches | {branch},
            streams=known.streams | {stream},
        )
    return found


def _opened(journal: Path) -> list[tuple[str, tuple[str, str]]]:
    """Return each thread and run of a flow, with its repository and its branch."""
    if not journal.exists():
        return []
    try:
        with reading(journal) as connection:
            connection.text_factory = _text
            rows = connection.execute(_OPENED).fetchall()
    except sqlite3.Error:
        return []  # a damaged journal is what is restored
    found = ((stream, _place(kind, body)) for stream, kind, body in rows)
    return [(stream, place) for stream, place in found if place is not None]


def _place(kind: str, body: str) -> tuple[str, str] | None:
    """Return a repository and a branch; None where the event is damaged, the others count even so."""
    try:
        read = json.loads(body)
        root = read["facts"]["root"] if kind == "thread_opened" else read["repository"]
        branch = read["branch"]
    except (ValueError, LookupError, TypeError):
        return None
    return (root, branch) if isinstance(root, str) and isinstance(branch, str) else None


def _text(stored: bytes) -> str:
    return stored.decode(errors="replace")


async def _read(settings: Settings, work: dict[str, KnownWork]) -> Repositories:
    if not work:
        return Repositories()
    state = SavedState(_spawner(settings), settings.data_dir)
    found: list[SavedRepository] = []
    unread: dict[str, str] = {}
    for root, known in work.items():
        try:
            found.append(await state.read(known))
        except TreadleError as error:
            unread[root] = error.message
    return Repositories(repositories=tuple(found), unread=unread)


async def _put_back(
    settings: Settings, saved: Repositories, aside: Path, now: dict[str, KnownWork]
) -> list[str]:
    lines = [f"{root} is not compared: {reason}" for root, reason in saved.unread.items()]
    then = {repository.work.root: repository for repository in saved.repositories}
    if not (then or now):
        return lines
    spawner = _spawner(settings)
    await spawner.reap_leftovers()
    state = SavedState(spawner, settings.data_dir)
    place = Aside(f"{datetime.now(UTC):%Y%m%d-%H%M%S}", aside)
    for root in dict.fromkeys((*then, *now)):
        later = now.get(root, KnownWork(root=root))
        before = then.get(root, SavedRepository(work=KnownWork(root=root)))
        try:
            lines += [f"{root}: {line}" for line in await state.put_back(before, later, place)]
        except (TreadleError, OSError) as error:
            lines.append(f"{root} is not compared: {error}")
    return lines


def _spawner(settings: Settings) -> Spawner:
    return Spawner(settings.data_dir / "runs", environment(_ENVIRONMENT))


def _in_a_loop(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine to its end, also where a loop runs already."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()
