"""What tools reach that are carried out on the host, in the running turn of the session that calls."""

from dataclasses import dataclass

from adapters.tools.plan_file_access import PlanFileAccess
from adapters.tools.verification import Checks
from domain.agents.hosting import Terminals
from domain.agents.ports import AgentProfiles
from domain.core.errors import TreadleError
from domain.core.ports import CommandDoor


@dataclass(frozen=True)
class Host:
    """The host's side of the tools."""

    terminals: Terminals
    checks: Checks
    door: CommandDoor
    plan_files: PlanFileAccess | None = None
    profiles: AgentProfiles | None = None

    def why_not(self, repository: str, agent: str) -> str:
        """Say why an agent can't be used for a repository; empty where it can."""
        if self.profiles is None:
            return ""
        try:
            self.profiles.profile(agent, repository)
        except TreadleError as error:
            return error.message
        return ""
