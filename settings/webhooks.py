"""The settings of webhooks: where they come in, from whom, and what each of them wakes."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings

LISTEN = r"([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\]):([0-9]{1,5})"
Variable = Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$")]
MAX_SENDERS = 50


def _wrong(words: str) -> PydanticCustomError:
    return PydanticCustomError("webhook", "{why}", {"why": words})


class WebhookSender(BaseModel):
    """One sender: a forge with its own signature, or a program that signs as Standard Webhooks says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern="^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$")]
    """Its name in the address: `/hooks/NAME`."""

    kind: Literal["github", "gitlab", "gitea", "standard"]
    """How it signs, and what its events look like."""

    secret_env: Variable | None = None
    """Name of the variable with the secret; while it is replaced two, with a space between them."""

    secret_file: Annotated[Path, AfterValidator(Path.expanduser)] | None = None
    """File with the secret, a line each; the newest first."""

    events: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = ()
    """Events that are taken, by the forge's names; all that are understood where none is named."""

    hosts: tuple[Annotated[str, Field(pattern="^[a-z0-9.:-]+$")], ...] = ()
    """Forges whose projects it may speak of, like `github.com`; any where none is named."""

    template: Annotated[str, Field(max_length=200)] | None = None
    """Workflow template that each event of a `standard` sender starts; without one it makes trackers look."""

    repository: Annotated[str, Field(max_length=4_000)] | None = None
    """Repository in which the template is started."""

    agent: Annotated[str, Field(max_length=200)] | None = None
    """Agent of the template's goals that name none."""

    @model_validator(mode="after")
    def _check_whole(self) -> Self:
        """Refuse a sender without a secret, and what means nothing for its kind."""
        if (self.secret_env is None) == (self.secret_file is None):
            raise _wrong(f"{self.name}: give either secret_env or secret_file")
        if self.template is None and (self.repository or self.agent):
            raise _wrong(f"{self.name}: repository and agent are those of a template: name one")
        if self.template is not None and self.kind != "standard":
            raise _wrong(f"{self.name}: only a sender of the kind standard starts a template")
        if self.template is not None and self.repository is None:
            raise _wrong(f"{self.name}: name the repository in which {self.template} starts")
        return self


class WebhooksTable(BaseModel):
    """The table `webhooks`: where deliveries come in, and how many."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    listen: Annotated[str, Field(pattern=f"^{LISTEN}$")] | None = None
    """Address and port, like `127.0.0.1:8430`, of the webhooks' own listener; no webhooks without one."""

    senders: tuple[WebhookSender, ...] = Field(default=(), max_length=MAX_SENDERS)
    """Who may send: `[[webhooks.senders]]`, in the environment a list in JSON; see the guide."""

    max_bytes: Annotated[int, Field(ge=1024, le=26_214_400)] = 1_048_576
    """Largest body that is read, in bytes; a larger one is refused before it is read."""

    per_minute: Annotated[int, Field(ge=1, le=100_000)] = 600
    """Signed deliveries that are taken of one sender in a minute."""

    at_once: Annotated[int, Field(ge=1, le=1_000)] = 32
    """Deliveries that are handled at the same time; more are told to come back."""

    remember_hours: Annotated[int, Field(ge=1, le=720)] = 72
    """How long deliveries are remembered: one that comes again within it is a duplicate."""

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        """Refuse two senders of one name, and a port that is none."""
        names = Counter(sender.name for sender in self.senders)
        if twice := [name for name, times in names.items() if times > 1]:
            raise _wrong(f"there are two senders called {twice[0]}")
        if self.listen is not None and not 0 < self.address[1] <= 65_535:  # noqa: PLR2004
            raise _wrong(f"{self.listen}: a port is between 1 and 65535")
        return self

    @property
    def address(self) -> tuple[str, int]:
        """The host and the port of `listen`."""
        host, _, port = (self.listen or ":0").rpartition(":")
        return host.strip("[]"), int(port)

    @property
    def is_on(self) -> bool:
        """Whether anything comes in."""
        return self.listen is not None


class WebhookSettings(BaseSettings):
    """What comes in by webhooks; a part of the settings, never read alone."""

    webhooks: WebhooksTable = WebhooksTable()
    """Webhooks: where they come in, and from whom."""
