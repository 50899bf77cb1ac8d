"""Which terminals are open on this host, so that a new worker can tell of those that a dead one lost."""

import hashlib
import logging
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from adapters.files.state_files import write_atomic
from domain.agents.terminals import Terminal
from domain.core.ids import SessionId, StreamId
from domain.core.wire import Wire

logger = logging.getLogger(__name__)


class Entry(Wire):
    """One terminal, its owner, and the session that opened it."""

    owner: StreamId
    session_id: SessionId
    terminal: Terminal

    @property
    def stream(self) -> StreamId:
        """The terminal's stream."""
        return StreamId(f"{self.owner}/{self.terminal.id}")

    @property
    def is_of_task(self) -> bool:
        """Whether a task's workflow wants to know of it; a session has none that does."""
        return self.owner != self.session_id


class TerminalLedger:
    """One file for each terminal that its owner has not done with."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def write(self, entry: Entry) -> None:
        """Write a terminal down, as it is now."""
        write_atomic(self._file(entry.stream), entry.model_dump_json())

    def forget(self, stream: StreamId) -> None:
        """Forget a terminal; unknown ones are fine."""
        self._file(stream).unlink(missing_ok=True)

    def entries(self) -> list[Entry]:
        """Return all that are written down."""
        found: list[Entry] = []
        for file in sorted(self._folder.glob("*.json")):
            try:
                found.append(Entry.model_validate_json(file.read_bytes()))
            except (OSError, ValidationError):
                logger.warning("unreadable terminal entry passed over: %s", file)
                with suppress(OSError):  # a folder in its place stays
                    file.unlink(missing_ok=True)
        return found

    def _file(self, stream: StreamId) -> Path:
        return self._folder / f"{hashlib.sha256(stream.encode()).hexdigest()[:32]}.json"
