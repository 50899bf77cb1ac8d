"""What there is to know of a host for its agents: folders, the user's home, and variables."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from adapters.agent_programs.known_agents import KnownAgents
from adapters.agent_programs.programs import Programs
from adapters.processes.login_path import noted_path


@dataclass(frozen=True)
class Host:
    """A host as its agents see it; `environment` returns those of the named variables that are set."""

    data_dir: Path
    programs_dir: Path
    home: Path
    environment: Callable[[tuple[str, ...]], dict[str, str]]

    @property
    def path(self) -> str:
        """The PATH that agents get."""
        return noted_path(self.data_dir, self.environment(("PATH",)).get("PATH"))

    def variables(self, names: tuple[str, ...]) -> dict[str, str]:
        """Return those of the named variables that are set, as agents get them."""
        found = self.environment(names)
        return {**found, "PATH": self.path} if "PATH" in names else found

    @property
    def programs(self) -> Programs:
        """Where agents' programs are."""
        return Programs(self.programs_dir, self.path)

    @property
    def seen(self) -> KnownAgents:
        """What agents told of themselves."""
        return KnownAgents(
            self.data_dir, self.home, lambda name: bool(self.environment((name,)).get(name))
        )
