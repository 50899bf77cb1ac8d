"""What there is to know of a host for its agents: folders, the user's home, and variables."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from adapters.agent_programs.programs import Programs
from adapters.agent_programs.seen import SeenAgents


@dataclass(frozen=True)
class Host:
    """A host as its agents see it; `environment` returns those of the named variables that are set."""

    data_dir: Path
    programs_dir: Path
    home: Path
    environment: Callable[[tuple[str, ...]], dict[str, str]]

    @property
    def path(self) -> str | None:
        """The PATH that agents get."""
        return self.environment(("PATH",)).get("PATH")

    @property
    def programs(self) -> Programs:
        """Where agents' programs are."""
        return Programs(self.programs_dir, self.path)

    @property
    def seen(self) -> SeenAgents:
        """What agents told of themselves."""
        return SeenAgents(
            self.data_dir, self.home, lambda name: bool(self.environment((name,)).get(name))
        )
