"""What recipes are carried out with."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from adapters.agent_programs.host import Host
from adapters.containers.containers import Containers
from adapters.containers.host_containers import host_containers
from adapters.processes.host_spawner import PUSH_VARIABLES
from adapters.processes.spawner import Spawner
from adapters.redaction import Redactor
from adapters.setup.commands import CERTIFICATES, SetUpCommands
from adapters.setup.secrets import RecipeSecrets
from adapters.setup.texts import ReadText, RecipeTexts
from domain.agents.sandbox import RulesNow


@dataclass(frozen=True)
class SetUpMeans:
    """What runs recipes' commands, their texts, their secrets, and the PATH of commands.

    `reaching` are variables of the worker's that git needs to fetch as the user does; `containers`
    are those of recipes that name a devcontainer.
    """

    commands: SetUpCommands
    texts: RecipeTexts
    secrets: RecipeSecrets
    programs: str = ""
    reaching: Mapping[str, str] = field(default_factory=dict[str, str])
    containers: Containers | None = None

    @classmethod
    def on(
        cls,
        spawner: Spawner,
        rules: RulesNow,
        text: ReadText,
        redactor: Redactor,
        host: Host,
    ) -> "SetUpMeans":
        """Return those of a worker on a host; nothing of containers is looked for before one is asked for."""
        return cls(
            SetUpCommands(spawner, rules, host.environment(CERTIFICATES)),
            RecipeTexts(text),
            RecipeSecrets(spawner, redactor.learn),
            spawner.path,
            host.environment(PUSH_VARIABLES),
            host_containers(spawner, host),
        )
