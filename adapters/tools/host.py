"""What tools reach that are carried out on the host, in the running turn of the session that calls."""

from dataclasses import dataclass

from adapters.tools.checking import Checks
from adapters.tools.plan_desk import PlanFileDesk
from domain.agents.hosting import Terminals
from domain.core.ports import CommandDoor


@dataclass(frozen=True)
class Host:
    """The host's side of the tools."""

    terminals: Terminals
    checks: Checks
    door: CommandDoor
    plan_files: PlanFileDesk | None = None
