"""A workspace recipe: what makes a fresh checkout one that builds, as `.treadle/workspace.toml` says it."""

from enum import StrEnum
from typing import Literal

from pydantic import AliasChoices, Field, field_validator

from domain.core.wire import Wire, whole_number
from domain.recipes.shape import CheckoutShape

FILE = ".treadle/workspace.toml"
"""Where a repository keeps its recipe."""

DEFAULT_SECONDS = 900
LAST_SECOND = 86_400
HEALTHY_SECONDS = 60
MAX_HEALTHY_SECONDS = 3_600


class User(StrEnum):
    """For whom a secret or a service is: what runs in a workspace, and the person at the page."""

    SETUP = "setup"
    AGENT = "agent"
    VERIFICATION = "verification"
    PERSON = "person"


SERVED = (User.AGENT, User.VERIFICATION, User.PERSON)
"""Those whom services can be for."""


class Secret(Wire):
    """Where a secret's value comes from when a process needs it: one of three, never the value itself.

    `keyring` is the name of a service in the system's keyring, `file` an env file, relative to the
    repository or absolute, `command` prints it, as `op read op://vault/item` does. Processes of
    `users` get it: of the set-up, of agents, of verification; or of the steps with these labels.
    """

    keyring: str | None = None
    file: str | None = None
    command: str | None = None
    users: tuple[str, ...] = Field(
        default=(User.SETUP, User.VERIFICATION), validation_alias=AliasChoices("users", "for")
    )


class Service(Wire):
    """A process that others need while they work, as a database or a server to develop with.

    It listens on the port `port`, leased for each workspace and user: TREADLE_PORT_WEB is the number
    of the port `web`. It is healthy once GET of the path `health` answers with 2xx there, or without
    one, once something listens; at the latest after `timeout` seconds. It starts after all that it
    `depends_on` is healthy, in the folder `cwd` of the workspace. A file that does not say for whom it
    is means everybody in `SERVED`.
    """

    command: str
    port: str | None = None
    health: str | None = None
    timeout: int = Field(default=HEALTHY_SECONDS, ge=1, le=MAX_HEALTHY_SECONDS)
    depends_on: tuple[str, ...] = ()
    cwd: str = "."
    environment: dict[str, str] = {}
    users: tuple[User, ...] = Field(
        default=(User.AGENT, User.VERIFICATION), validation_alias=AliasChoices("users", "for")
    )

    _is_a_number = field_validator("timeout", mode="before")(whole_number)


class WorkspaceRecipe(Wire):
    """How workspaces of a repository are set up. Empty, it does nothing.

    `setup` are commands, run by a shell in order before anybody works there; `copied` and `linked`
    are patterns, as in .gitignore, of files of the user's checkout that git ignores. `environment`
    is that of every process in a workspace. `inputs` are patterns of more files that the set-up
    depends on. `path` are folders of a workspace that come first in the PATH of its processes.
    `submodules` are checked out too, with `"recursive"` also those in them; `lfs` has files of Git LFS
    hold their contents. `sparse` are the folders to check out, all where it is empty. With
    `devcontainer` all of it, and all work, goes on in the container that the repository describes.
    `timeout` is in seconds, for each command.
    """

    setup: tuple[str, ...] = ()
    copied: tuple[str, ...] = Field(default=(), validation_alias=AliasChoices("copied", "copy"))
    linked: tuple[str, ...] = Field(default=(), validation_alias=AliasChoices("linked", "link"))
    cleanup: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    path: tuple[str, ...] = ()
    secrets: dict[str, Secret] = {}
    services: dict[str, Service] = {}
    submodules: bool | Literal["recursive"] = False
    lfs: bool = False
    sparse: tuple[str, ...] = ()
    devcontainer: bool = False
    timeout: int = Field(default=DEFAULT_SECONDS, ge=1, le=LAST_SECOND)

    _is_a_number = field_validator("timeout", mode="before")(whole_number)

    @field_validator("submodules", mode="before")
    @classmethod
    def _is_known(cls, value: object) -> object:
        if isinstance(value, bool) or value == "recursive":
            return value
        raise ValueError("give true, false or 'recursive'")

    @property
    def shape(self) -> CheckoutShape:
        """What a checkout holds beside the plain files of its commit, or leaves out of them."""
        return CheckoutShape(
            submodules=bool(self.submodules),
            is_recursive=self.submodules == "recursive",
            lfs=self.lfs,
            sparse=self.sparse,
        )

    @property
    def makes_layer(self) -> bool:
        """Whether there is something to make once and give to every workspace."""
        return bool(self.setup or self.copied or self.devcontainer)

    @property
    def acts(self) -> tuple[str, ...]:
        """What it has done without asking, as a person reads it before they trust it."""
        found = [f"runs before agents work: {command}" for command in self.setup]
        if self.devcontainer:
            found.append("builds the container that .devcontainer describes, and works in it")
        found += [f"copies ignored files into workspaces: {pattern}" for pattern in self.copied]
        found += [f"shows ignored files to workspaces: {pattern}" for pattern in self.linked]
        found += [
            f"reads the secret {name} for {', '.join(secret.users)}"
            for name, secret in sorted(self.secrets.items())
        ]
        found += [
            f"runs to read the secret {name}: {secret.command}"
            for name, secret in sorted(self.secrets.items())
            if secret.command
        ]
        found += [
            f"runs the service {name} for {', '.join(service.users)}: {service.command}"
            for name, service in sorted(self.services.items())
        ]
        if self.lfs:
            found.append("runs git-lfs, which fetches files that are not here")
        found += [f"runs when a workspace is removed: {command}" for command in self.cleanup]
        return tuple(found)

    def replaced_by(self, other: "WorkspaceRecipe") -> "WorkspaceRecipe":
        """Return this recipe with every part that another one has instead of its own."""
        usual = WorkspaceRecipe()
        parts = {name: getattr(other, name) for name in WorkspaceRecipe.model_fields}
        changes = {name: part for name, part in parts.items() if part != getattr(usual, name)}
        return self.model_copy(update=changes)
