"""Agents as data: how one is started, installed, logged in to, and spoken with."""

import re
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError

from domain.core.hosts import HostPattern


def _below(path: str) -> str:
    """Refuse a path that may lead out of the folder that it is relative to."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path:
        raise PydanticCustomError("not_below", "give a path below the folder, without '..'")
    return path


BelowHome = Annotated[str, AfterValidator(_below)]
VariableName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")]
TcpPort = Annotated[int, Field(ge=1, le=65535)]


class ProfilePart(BaseModel):
    """What a profile is made of; a key that is none is refused, so that a slip of the pen is seen."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Scope(StrEnum):
    """Where a profile comes from, the strongest first: of two with one name the earlier counts."""

    USER = "user"
    BUILT_IN = "built-in"
    REPOSITORY = "repository"


class Billing(StrEnum):
    """How an agent is paid: for what it uses, or by a flat plan in which its turns are included."""

    USAGE = "usage"
    SUBSCRIPTION = "subscription"


class Install(ProfilePart):
    """The exact version that Treadle can install, from one of the two registries.

    `node` and `python` are the least versions that it needs; `program` is the name of its
    executable, the first word of the profile's command where it is empty. `scripts` are the npm
    packages whose own install scripts run; no others may.
    """

    npm: Annotated[
        str, Field(pattern=r"^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*@[0-9][\w.+-]*$")
    ] = ""
    pypi: Annotated[
        str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*(\[[\w,.-]+\])?==[0-9][\w.+!-]*$")
    ] = ""
    node: Annotated[str, Field(pattern=r"^>=[0-9]+(\.[0-9]+)*$")] = ">=22"
    python: Annotated[str, Field(pattern=r"^>=[0-9]+(\.[0-9]+)*$")] = ">=3.11"
    program: Annotated[str, Field(pattern=r"^[\w.+-]*$")] = ""
    scripts: tuple[
        Annotated[str, Field(pattern=r"^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$")], ...
    ] = ()

    @model_validator(mode="after")
    def _is_of_one_registry(self) -> Self:
        if bool(self.npm) is bool(self.pypi):
            raise PydanticCustomError("registry", "give either npm or pypi")
        if self.scripts and not self.npm:
            raise PydanticCustomError("scripts", "only npm's packages have install scripts")
        return self

    @property
    def package(self) -> str:
        """The package with its version, as its registry's client takes it."""
        return self.npm or self.pypi

    @property
    def version(self) -> str:
        """The version that is pinned."""
        return self.npm.rpartition("@")[2] or self.pypi.rpartition("==")[2]


class Login(ProfilePart):
    """How to tell that an agent can reach its model, and what to do where it cannot.

    Any one of `variables` is a login, and so is any one of `files`, which are relative to HOME.
    One that names neither needs no login. `method` is the id of the agent's own way to log in that needs
    no person, for agents that want ACP's `authenticate` before a session.
    """

    variables: tuple[VariableName, ...] = ()
    files: tuple[BelowHome, ...] = ()
    method: str = ""
    hint: str = ""


class Quirks(ProfilePart):
    """What sets an agent apart; each is read in one place.

    `reopen_after_seconds` is the least age of a session that may be reopened. `binds_ports` says
    that the agent serves itself on a port of its own choice. `tells_last_call` says that the tokens it
    tells of a turn are those of its last call of the model; one that `tells_each_call` has them in `_meta.usage` of an
    update after each call, and not in its answer. One that `ignores_proxy` reaches port 443 of
    every host by itself, and asks for names by UDP.
    """

    reopen_after_seconds: Annotated[int, Field(ge=0, le=3600)] = 0
    binds_ports: bool = False
    tells_last_call: bool = False
    tells_each_call: bool = False
    ignores_proxy: bool = False


class AgentProfile(ProfilePart):
    """How to run one agent: data, not code.

    `command` is its argument vector; `${treadle}` in it stands for this installation's Python and
    launcher, `${treadle_agent}` for the built-in agent's. `environment` names the variables it is
    given beside the common ones; any of them may be missing. `files` are written into the agent's
    home before it starts, by relative path. Modes are ACP mode ids. `options` are config options
    to set, by id or category. `session_meta` goes with every session that is opened, as ACP's
    `_meta`, for what an agent takes only there.
    `error_signs` are places in an update, with the value there that means that the turn failed,
    for agents that end a turn well after an error: `{"_meta.codex.threadStatus.type": "systemError"}`.
    `limit_signs` are patterns of how the last message of such a turn begins when the provider
    refused, `failure_signs` patterns of how the last message of one begins that failed and ended well
    without another sign. `provider` is whose refusals this agent shares with others, where it is not known
    with which credential it works; see `provider_of`.
    `ask_mode` is taken in place of `work_mode` where the session's tools are filtered or a person is asked.
    `confined_mode` is taken in place of `work_mode` in a sandbox of Treadle's: the mode in which an agent
    does not confine its commands once more by itself.
    `client` is what of the client's side is offered to it, `mcp` how Treadle's tools reach it: `auto`
    is HTTP where it says that it can. `own_folders`, relative to HOME, it may read and write in the
    sandbox; `hosts` are those that it reaches there by HTTPS beside the registries, the usual models'
    where it names none, and `connect` more TCP ports.
    With the `billing` of a subscription its turns are included in a flat plan, and count for no spending limit.
    `aliases` are other names that it is known by, where no agent has one as its own.
    `scope` is set by the reader of the file, never by the file.
    """

    name: str
    scope: Scope = Scope.BUILT_IN
    title: str = ""
    aliases: tuple[Annotated[str, Field(min_length=1, max_length=63)], ...] = ()
    command: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]
    environment: tuple[VariableName, ...] = ()
    set_environment: dict[VariableName, str] = {}
    files: dict[BelowHome, str] = {}
    plan_mode: str | None = None
    work_mode: str | None = None
    ask_mode: str | None = None
    confined_mode: str | None = None
    options: dict[str, str | bool] = {}
    session_meta: dict[str, JsonValue] = {}
    error_signs: dict[str, str] = {}
    limit_signs: tuple[str, ...] = ()
    failure_signs: tuple[str, ...] = ()
    provider: str = ""
    compact_command: str = "compact"
    litter: tuple[str, ...] = ()
    client: tuple[Literal["fs", "terminal"], ...] = ()
    mcp: Literal["auto", "http", "stdio"] = "auto"
    own_folders: tuple[BelowHome, ...] = ()
    hosts: tuple[HostPattern, ...] = ()
    connect: tuple[TcpPort, ...] = ()
    quirks: Quirks = Quirks()
    install: Install | None = None
    install_hint: str = ""
    login: Login = Login()
    billing: Billing = Billing.USAGE
    is_scripted: bool = False


def provider_of(profile: AgentProfile, model: str | None) -> str:
    """Return whose limits a turn falls under: the profile's provider, else agent and model's."""
    if profile.provider:
        return profile.provider
    family = family_of(model)
    return f"{profile.name}/{family}" if family else profile.name


def family_of(model: str | None) -> str:
    """Return whose model it is by its name, as in `openai/gpt-5`; empty where that does not tell."""
    found = re.match(r"[^/:]+(?=[/:])", model or "")
    return found[0] if found else ""
