"""What tools reach that are carried out on the host, in the running turn of the session that calls."""

from dataclasses import dataclass

from adapters.tools.plan_file_access import PlanFileAccess
from adapters.tools.verification import Checks
from domain.agents.hosting import Terminals
from domain.core.ports import CommandDoor
from domain.plans.named_agents import NamedAgents


@dataclass(frozen=True)
class Host:
    """The host's side of the tools."""

    terminals: Terminals
    checks: Checks
    door: CommandDoor
    plan_files: PlanFileAccess | None = None
    named: NamedAgents | None = None
