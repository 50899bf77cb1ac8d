"""What recipes are carried out with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from adapters.containers.containers import Containers
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
        environment: Callable[[tuple[str, ...]], dict[str, str]],
        *,
        containers: Containers | None = None,
    ) -> "SetUpMeans":
        """Return those of a worker; `environment` picks variables of its own by their names."""
        return cls(
            SetUpCommands(spawner, rules, environment(CERTIFICATES)),
            RecipeTexts(text),
            RecipeSecrets(spawner, redactor.learn),
            spawner.path,
            environment(PUSH_VARIABLES),
            containers,
        )
