"""What a session remembers on disk, so that a killed agent goes on where it was."""

import json
import os
from pathlib import Path
from typing import Any

from adapters.scripted_agent.scenario import Step


def state_folder() -> Path:
    """Return the agent's own folder: TREADLE_SCRIPTED_STATE, else one in the home."""
    return Path(os.environ.get("TREADLE_SCRIPTED_STATE") or "~/.treadle-scripted").expanduser()


class SessionState:
    """One session's memory; `save` replaces its file in one move, so a kill leaves old or new.

    `said` is what was said so far, by kind of update. `steps` are those of the turn that is under way or was cut off, `done` how many are finished.
    """

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.role = "chat"
        self.task: str | None = None
        self.title: str | None = None
        self.asked = ""
        self.has_greeted = False
        self.hits: dict[str, int] = {}
        self.steps: list[Step] = []
        self.done = 0
        self.values: dict[str, str] = {}
        self.cwd = ""
        self.said: list[tuple[str, str]] = []

    @property
    def is_cut_off(self) -> bool:
        """Whether a turn was begun and not finished."""
        return self.done < len(self.steps)

    def begin(self, steps: list[Step]) -> None:
        """Take the steps of a new turn; those of an unfinished one are forgotten."""
        self.steps, self.done = steps, 0
        self.save()

    def finish_step(self) -> None:
        """Count a step as done."""
        self.done += 1
        self.save()

    def save(self) -> None:
        """Write it down."""
        path = _path(self.session_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(vars(self)))
        new.replace(path)


def new_session() -> SessionState:
    """Make a session with an id of its own."""
    state = SessionState(f"scripted-{os.urandom(8).hex()}")
    state.save()
    return state


def load_session(session_id: str) -> SessionState | None:
    """Return a session of an earlier process, or None."""
    if not session_id.replace("-", "").isalnum():
        return None
    try:
        raw: dict[str, Any] = json.loads(_path(session_id).read_text())
    except (OSError, ValueError):
        return None
    state = SessionState(session_id)
    vars(state).update(raw)
    return state


def known_sessions(cwd: str) -> list[SessionState]:
    """Return the sessions of a folder, the newest first."""
    files = sorted(state_folder().glob("*.json"), key=lambda f: f.stat().st_mtime, reverse=True)
    found = (load_session(file.stem) for file in files)
    return [each for each in found if each is not None and each.cwd == cwd]


def _path(session_id: str) -> Path:
    return state_folder() / f"{session_id}.json"
