"""What lies in the data folder and in repositories and belongs to no thread that the journal knows."""

import hashlib
import shlex
import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from adapters.disk.inventory import is_treadles_own
from adapters.git.checkouts import CLEAN
from adapters.git.fingerprints import git_folders
from adapters.port_leases import leases_in
from adapters.processes.run_ledger import Run, is_alive
from adapters.sqlite_files import reading
from domain.core.ids import thread_of
from settings import Settings
from treadle.databases import database_files

HIDDEN_REFS = "refs/treadle"
WORKSPACES = """
    SELECT stream, 0 FROM headlines WHERE kind = 'session'
    UNION SELECT stream, count(*) FROM events WHERE kind = 'task_opened' GROUP BY stream
"""
"""Sessions have a workspace of their own, tasks one for each run."""


class Strays(NamedTuple):
    """Things of one kind without an owner, and how to remove them."""

    name: str
    found: list[str]
    fix: str


class _Known(NamedTuple):
    threads: set[str]
    repositories: set[Path]
    worktrees: set[str]
    """The ends of the names of all workspaces' folders."""


def strays(settings: Settings) -> list[Strays]:
    """Look for what is left; nothing is said where the journal cannot be read from here."""
    journal = database_files(settings).get("journal")
    if journal is None or not journal.exists():
        return []
    try:
        known = _known(journal)
    except sqlite3.Error:
        return []  # told as a broken database
    return [
        Strays(
            "worktrees without a thread",
            sorted(str(folder) for folder in _worktrees(settings.data_dir, known)),
            "save what you need, then delete each folder and run `git worktree prune` in "
            "its repository",
        ),
        Strays(
            "leased ports without a thread",
            [f"{port} ({owner})" for owner, port in _leases(settings.data_dir, known)],
            f"they stay reserved: run `treadle down`, then remove them from "
            f"{settings.data_dir / 'ports.json'}",
        ),
        Strays(
            "run ledger entries of dead workers",
            sorted(str(file) for file in _entries(settings.data_dir)),
            "the next start of a worker ends these processes and removes the entries",
        ),
        Strays("checkpoints without a thread", *_checkpoints(known)),
    ]


def _known(journal: Path) -> _Known:
    with reading(journal) as connection:
        threads = dict(
            connection.execute("SELECT stream, project FROM headlines WHERE kind = 'thread'")
        )
        workspaces = connection.execute(WORKSPACES).fetchall()
    ids = [f"{stream}/run-{n}" for stream, runs in workspaces for n in range(1, runs + 1)]
    ids += [stream for stream, _ in workspaces]
    ids += [f"{each}{CLEAN}" for each in ids]
    digests = {hashlib.sha256(each.encode()).hexdigest()[:8] for each in ids}
    return _Known(set(threads), {Path(project) for project in threads.values()}, digests)


def _worktrees(data_dir: Path, known: _Known) -> Iterator[Path]:
    for folder in chain((data_dir / "worktrees").glob("*/*"), (data_dir / "several").glob("*")):
        is_known = folder.name.rpartition("-")[2] in known.worktrees
        if not is_known and not is_treadles_own(folder.name):
            yield folder


def _leases(data_dir: Path, known: _Known) -> Iterator[tuple[str, int]]:
    for lease in leases_in(data_dir / "ports.json"):
        if thread_of(lease.owner) not in known.threads:
            yield lease.owner, lease.port


def _entries(data_dir: Path) -> Iterator[Path]:
    for file in (data_dir / "runs").glob("*.json"):
        try:
            run = Run.model_validate_json(file.read_bytes())
        except (OSError, ValidationError):
            continue  # ended meanwhile, or torn: the next start removes it
        if not is_alive(run.worker):
            yield file


def _checkpoints(known: _Known) -> tuple[list[str], str]:
    found: list[str] = []
    commands: list[str] = []
    for repository in sorted(known.repositories):
        lost = Counter(ref.split("/")[2] for ref in _hidden_refs(git_folders(repository)[1]))
        for name in known.threads:
            del lost[name]
        for name, count in sorted(lost.items()):
            found.append(f"{count} of {name} in {repository}")
            git = f"git -C {shlex.quote(str(repository))}"
            commands.append(
                f"{git} for-each-ref --format='delete %(refname)' {HIDDEN_REFS}/{name} "
                f"| {git} update-ref --stdin"
            )
    return found, "; ".join(commands)


def _hidden_refs(common: Path) -> set[str]:
    """Read refs as files: no git runs in a repository for this."""
    folder = common / HIDDEN_REFS
    refs = {str(file.relative_to(common)) for file in folder.rglob("*") if file.is_file()}
    try:
        lines = (common / "packed-refs").read_text(errors="replace").splitlines()
    except OSError:
        return refs
    names = (line.partition(" ")[2] for line in lines if not line.startswith(("#", "^")))
    return refs | {name for name in names if name.startswith(f"{HIDDEN_REFS}/")}
