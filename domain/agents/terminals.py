"""Ports and terminals: what agents' programs listen on, and long-lived processes.

Dev servers, watchers, long builds: they outlive the call and the turn that started them, and end with
their task.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field

from domain.core.ids import SessionId
from domain.core.printable import CONTROLS, SEQUENCES
from domain.core.wire import Wire
from domain.recipes.services import ServiceRun

MAX_RUNNING = 8
"""Terminals of one owner that run at the same time."""

MAX_OPENED = 100
"""Terminals that one owner opens in all."""

MAX_KEPT = 20
"""Terminals of one owner that have ended and are kept all the same, the newest; the journal has all."""

MAX_LABEL = 80
MAX_COMMAND = 4_000
"""Characters of a label and of a command line: they are kept in a task's state."""

_AS_READ = re.compile(SEQUENCES)
_NOT_READ = re.compile(CONTROLS)


class TerminalStatus(StrEnum):
    """Whether a terminal's process is there."""

    RUNNING = "running"
    EXITED = "exited"


class Terminal(Wire):
    """A terminal as its owner knows it.

    `id` is the last part of its stream, `terminal-1` for its owner's first. `command` is the line as a person would type it, `port` the id of the port that it serves on. A
    required one must still run when the work is reported done. `note` says why it ended where its own
    exit does not: killed, lost with its worker. With a `service` it is no agent's: it runs that service
    of the workspace's recipe, whose name is the label.
    """

    id: str
    label: str
    command: str
    status: TerminalStatus = TerminalStatus.RUNNING
    exit_code: int | None = None
    signal: int | None = None
    port: str | None = None
    is_required: bool = False
    session_id: SessionId = SessionId("")
    note: str = ""
    service: ServiceRun | None = Field(default=None, exclude_if=lambda service: service is None)

    @property
    def is_running(self) -> bool:
        """Whether its process is there."""
        return self.status is TerminalStatus.RUNNING


class TerminalOutput(Wire):
    """What a terminal has said from a position on; `position` is where to go on from.

    Positions count bytes since its start. Of output that is no longer kept, `skipped` bytes are missing
    before `text`.
    """

    terminal: Terminal
    text: str = ""
    position: int = 0
    skipped: int = 0


class AllocatedPort(Wire):
    """A declared port and its number."""

    id: str
    port: int
    description: str = ""
    allocated_at: datetime | None = None
    status: Literal["active", "released"] = "active"


def port_environment(ports: Mapping[str, int]) -> dict[str, str]:
    """Return the variables by which programs know their ports: TREADLE_PORT_WEB for the id `web`."""
    return {
        f"TREADLE_PORT_{port_id.upper().replace('-', '_')}": str(port)
        for port_id, port in ports.items()
    }


def as_read(text: str) -> str:
    """Return what a reader sees of a terminal's output: no colours, no moves, no overwritten line."""
    lines = _AS_READ.sub("", text).split("\n")
    return "\n".join(_NOT_READ.sub("", line.rstrip("\r").rpartition("\r")[2]) for line in lines)
