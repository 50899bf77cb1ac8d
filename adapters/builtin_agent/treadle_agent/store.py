"""Where conversations are kept: one SQLite file in the agent's home, committed at every step."""

import json
import os
import sqlite3
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    session_id TEXT PRIMARY KEY, cwd TEXT NOT NULL, updated_at TEXT NOT NULL, record TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS messages (
    session_id TEXT NOT NULL, n INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (session_id, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS results (
    session_id TEXT NOT NULL, call_id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (session_id, call_id)
) WITHOUT ROWID;
"""
LISTED = 50
"""Sessions in one page of a list."""


@dataclass
class Record:
    """What is kept of a session beside its messages.

    `allowed` are the rules that the person allowed always, in this session. `cost` is in US dollars,
    `used` the tokens of the context at its newest answer. `effort` is how much the model thinks.
    """

    session_id: str
    cwd: str
    mode: str
    model: str
    effort: str = "default"
    title: str = ""
    allowed: list[str] = field(default_factory=list[str])
    cost: float = 0.0
    is_cost_known: bool = True
    used: int = 0
    updated_at: str = ""


def agent_home() -> Path:
    """Return the agent's own folder: TREADLE_AGENT_HOME, else in the user's state folder."""
    if own := os.environ.get("TREADLE_AGENT_HOME"):
        return Path(own)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "treadle-agent"


def new_session_id() -> str:
    """Return an id that nothing else has."""
    return str(uuid.uuid4())


class Store:
    """The sessions of one home. What a method wrote is on the disk when it returns."""

    def __init__(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._db = sqlite3.connect(home / "sessions.db", timeout=10, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.executescript(SCHEMA)
        self._bodies: dict[str, list[str]] = {}

    def save(self, record: Record) -> None:
        """Keep a session's record."""
        record.updated_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        row = (record.session_id, record.cwd, record.updated_at, json.dumps(vars(record)))
        with self._db:
            self._db.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?)", row)

    def find(self, session_id: str) -> Record | None:
        """Return a session's record, None where there is no such session."""
        query = "SELECT record FROM sessions WHERE session_id = ?"
        row = self._db.execute(query, (session_id,)).fetchone()
        return Record(**json.loads(row[0])) if row else None

    def page(self, cwd: str | None, offset: int) -> list[Record]:
        """Return sessions, the newest first, of one folder or of all; at most `LISTED` of them."""
        query = "SELECT record FROM sessions WHERE ?1 IS NULL OR cwd = ?1 ORDER BY updated_at DESC LIMIT ?2 OFFSET ?3"
        rows = self._db.execute(query, (cwd, LISTED, offset)).fetchall()
        return [Record(**json.loads(row[0])) for row in rows]

    def messages(self, session_id: str) -> list[str]:
        """Return the conversation, each message as JSON."""
        query = "SELECT body FROM messages WHERE session_id = ? ORDER BY n"
        bodies = [row[0] for row in self._db.execute(query, (session_id,))]
        self._bodies[session_id] = bodies
        return list(bodies)

    def results(self, session_id: str) -> dict[str, str]:
        """Return the results of tool calls that no message holds yet, as JSON by the call's id."""
        query = "SELECT call_id, body FROM results WHERE session_id = ?"
        return dict(self._db.execute(query, (session_id,)).fetchall())

    def commit(self, session_id: str, bodies: Sequence[str]) -> None:
        """Make this the conversation; what is new or changed is written, in one step."""
        kept = self._bodies.get(session_id, [])
        pairs = enumerate(zip(kept, bodies, strict=False))
        same = next((n for n, (old, new) in pairs if old != new), min(len(kept), len(bodies)))
        rows = [(session_id, n, body) for n, body in enumerate(bodies[same:], same)]
        with self._db:
            query = "DELETE FROM messages WHERE session_id = ? AND n >= ?"
            self._db.execute(query, (session_id, same))
            self._db.executemany("INSERT INTO messages VALUES (?, ?, ?)", rows)
            self._db.execute("DELETE FROM results WHERE session_id = ?", (session_id,))
        self._bodies[session_id] = list(bodies)

    def add_result(self, session_id: str, call_id: str, body: str) -> None:
        """Keep the result of one tool call until the message that holds it is committed."""
        with self._db:
            row = (session_id, call_id, body)
            self._db.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", row)
