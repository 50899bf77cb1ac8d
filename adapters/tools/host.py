"""What tools reach that are carried out on the host, in the running turn of the session that calls."""

from dataclasses import dataclass

from domain.ports import CommandDoor
from domain.terminals import Terminals


@dataclass(frozen=True)
class Host:
    """The host's side of the tools."""

    terminals: Terminals
    door: CommandDoor
