"""What is read at the end of a run: the journal, the log of the commands, git, and what is left."""

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from domain.core.event import JournaledEvent
from tests.chaos.engine import SupervisedEngine
from tests.chaos.jobs import Job, Line
from tests.chaos.person import Person, Sent, own_of
from tests.e2e.job import git

PAGE = 1000
CLEAN_SECONDS = 60.0
FORM = "%(trailers:key=Treadle-Merge,valueonly,separator=)|%ct|%H"


@dataclass(frozen=True)
class Merge:
    """A merge commit on the thread's branch, by the key that its trailer carries."""

    key: str
    at: datetime
    commit: str


@dataclass(frozen=True)
class Repository:
    """What a repository holds after a thread; `own` is what belongs to its user."""

    merges: tuple[Merge, ...]
    files: dict[str, str]
    own: dict[str, str]
    own_before: dict[str, str]
    worktrees: int
    locks: tuple[str, ...]
    damage: str


@dataclass(frozen=True)
class Thread:
    """All that is known of one thread."""

    thread_id: str
    job: Job
    events: tuple[JournaledEvent, ...]
    streamed: tuple[JournaledEvent, ...]
    sent: tuple[Sent, ...]
    lines: tuple[Line, ...]
    repository: Repository
    is_done: bool = True


@dataclass(frozen=True)
class Leftovers:
    """What no ended thread may hold: processes, entries of the ledgers, ports."""

    processes: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    activities: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()


async def thread_of(person: Person, http: httpx.AsyncClient) -> Thread:
    """Read everything about one person's thread."""
    return Thread(
        thread_id=person.thread,
        job=person.job,
        events=tuple(await stored_events(http, person.thread)),
        streamed=tuple(person.events),
        sent=tuple(person.sent),
        lines=tuple(person.log.lines()),
        repository=repository_of(person.repository, person.thread, person.own),
        is_done=person.is_done,
    )


async def stored_events(http: httpx.AsyncClient, thread: str) -> list[JournaledEvent]:
    """Return the events of a thread as the pages of the journal have them."""
    events: list[JournaledEvent] = []
    while True:
        after = events[-1].position if events else 0
        path = f"/v1/threads/{thread}/events"
        answer = await http.get(path, params={"after": after, "limit": PAGE})
        answer.raise_for_status()
        page = [JournaledEvent.model_validate(row) for row in answer.json()["events"]]
        events += page
        if len(page) < PAGE:
            return events


def repository_of(path: Path, thread: str, own_before: dict[str, str]) -> Repository:
    """Return what a repository holds."""
    branch = f"treadle/{thread.removeprefix('thread-')}"
    has_branch = bool(git(path, "for-each-ref", f"refs/heads/{branch}"))
    log = git(path, "log", "--first-parent", f"--format={FORM}", branch) if has_branch else ""
    merges = [line.split("|") for line in log.splitlines()]
    names = git(path, "ls-tree", "-r", "--name-only", branch).splitlines() if has_branch else []
    return Repository(
        merges=tuple(
            Merge(key.strip(), datetime.fromtimestamp(int(at), UTC), commit)
            for key, at, commit in merges
            if key.strip()
        ),
        files={n: git(path, "show", f"{branch}:{n}") for n in names if not n.startswith(".")},
        own=own_of(path),
        own_before=own_before,
        worktrees=len(git(path, "worktree", "list").splitlines()),
        locks=tuple(str(lock) for lock in (path / ".git").rglob("*.lock")),
        damage=git(path, "fsck", "--no-dangling", "--no-progress"),
    )


async def cleaned(look: Callable[[], Leftovers]) -> Leftovers:
    """Look until nothing is held, or for too long; returns what was seen last."""
    with suppress(TimeoutError):
        async with asyncio.timeout(CLEAN_SECONDS):
            while (left := look()) != Leftovers():  # noqa: ASYNC110  (other processes)
                await asyncio.sleep(0.1)
            return left
    return look()


def leftovers_of(engine: SupervisedEngine) -> Leftovers:
    """Return what is held now."""
    return leftovers_in([engine.settings.data_dir], engine.children())


def leftovers_in(folders: Sequence[Path], processes: Sequence[str]) -> Leftovers:
    """Return what data folders hold now, with the processes that are left."""
    tables = [table for data in folders if (table := data / "ports.json").exists()]
    return Leftovers(
        processes=tuple(processes),
        runs=tuple(file.name for data in folders for file in (data / "runs").glob("*.json")),
        activities=tuple(f.name for data in folders for f in (data / "activities").glob("*.json")),
        ports=tuple(
            owner
            for table in tables
            for owner in re.findall(r'"owner":"([^"]*)"', table.read_text())
        ),
    )
