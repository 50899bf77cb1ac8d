"""The settings of trackers, `[[trackers]]` of config.toml: which issues become work, and who may do what."""

import re
from collections import Counter
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings

from domain.forges.issues import TrackerKind
from domain.trackers.queries import check_query
from domain.trackers.source import BY_ID, TrackerSource

_HOSTS = {
    TrackerKind.GITHUB: "github.com",
    TrackerKind.GITLAB: "gitlab.com",
    TrackerKind.LINEAR: "linear.app",
    TrackerKind.JIRA: "",
}
"""The kinds that something here speaks with, and their usual hosts; Jira has none."""

_FORGES = frozenset({TrackerKind.GITHUB, TrackerKind.GITLAB})

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_PROJECT = re.compile(r"[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)+", re.ASCII)


class TrackerTable(BaseModel):
    """One table `trackers`: issues of a project that become entries of the queue."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern="^[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?$")]
    """What it is called; its workflow is `tracker-NAME`."""

    kind: TrackerKind
    """What the tracker speaks: `github`, `gitlab`, `linear` or `jira`."""

    host: Annotated[str, Field(pattern=r"^([A-Za-z0-9.-]+(:[0-9]+)?)?$")] = ""
    """Its host, by default `github.com`, `gitlab.com` or `linear.app`; Jira needs it. Another one of GitHub and GitLab is taken for a server of your own."""

    api_url: Annotated[str, Field(pattern="^https?://[^/@]+(/.*)?$")] | None = None
    """Its API, where that is not at the usual address; the token is sent nowhere else."""

    project: Annotated[str, Field(min_length=1, max_length=300)]
    """The project, as OWNER/NAME; of GitLab with all groups. Of Linear the key of a team, of Jira that of a project."""

    label: Annotated[str, Field(max_length=200)] = ""
    """Issues with this label are wanted."""

    assignee: Annotated[str, Field(max_length=200)] = ""
    """Issues that are assigned to this login are wanted, of Linear and Jira to this `id:ACCOUNT`; with a label, both must hold."""

    query: Annotated[str, Field(max_length=2000)] = ""
    """What issues must match as well: GitHub's search, parameters of GitLab's list of issues, or JQL; Linear has none."""

    repository: Annotated[str, Field(min_length=1, max_length=4096)]
    """Where the threads work: a folder or a URL."""

    template: str | None = None
    """The plan template of the threads."""

    agent: str = ""
    """The agent of the threads; `default_agent` by default."""

    allowed: tuple[str, ...] = ()
    """Accounts whose issues are taken, or who may set the label, as `id:NUMBER` or login; by default members."""

    approvers: dict[str, str] = {}
    """Accounts that approve plans by comments, and the people that they are; `id:NUMBER` is safer than a login."""

    close: bool = True
    """Whether an issue is closed once its pull request was merged."""

    token_env: Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    """Name of the variable that holds the token; `forge_token_env` by default."""

    @model_validator(mode="after")
    def _can_be_used(self) -> Self:
        """Refuse a tracker that nothing here speaks with, or that says of no issue whether it is wanted."""
        if self.kind not in _HOSTS:
            known = ", ".join(_HOSTS)
            _refuse(f"trackers of the kind {self.kind} are not supported yet: choose {known}")
        if not (self.label or self.assignee or self.query):
            _refuse("say which issues are wanted: give a label, an assignee or a query")
        if self.query:
            self._has_query()
        if self.kind in _FORGES:
            if not _PROJECT.fullmatch(self.project):
                _refuse("name the project as OWNER/NAME, and of GitLab with all groups")
        else:
            self._has_keys_and_ids()
        return self

    def _has_query(self) -> None:
        try:
            check_query(self.kind, self.query)
        except ValueError as error:
            _refuse(str(error))

    def _has_keys_and_ids(self) -> None:
        """Refuse what is of a forge in a tracker that is none: there, names of people are not their own."""
        if not _KEY.fullmatch(self.project):
            _refuse("name the project by its key, like ENG")
        if not (self.host or _HOSTS[self.kind]):
            _refuse("say where Jira is: host, like acme.atlassian.net")
        named = (self.assignee, *self.allowed, *self.approvers)
        if odd := [name for name in named if name and not name.startswith(BY_ID)]:
            _refuse(
                f"{odd[0]!r} names an account of {self.kind} by something that anybody can call themselves: "
                f"name it as {BY_ID}ACCOUNT"
            )

    @property
    def root(self) -> str:
        """The API's address."""
        if self.api_url is not None:
            return self.api_url
        where = self.server
        if self.kind is TrackerKind.GITLAB:
            return f"https://{where}/api/v4"
        if self.kind is TrackerKind.JIRA:
            return f"https://{where}/rest/api/3"
        if self.kind is TrackerKind.LINEAR:
            return f"https://api.{where}"
        usual = _HOSTS[TrackerKind.GITHUB]
        return f"https://api.{usual}" if where == usual else f"https://{where}/api/v3"

    @property
    def is_of_forge(self) -> bool:
        """Whether its project is one of a forge, whose webhooks name it."""
        return self.kind in _FORGES

    @property
    def server(self) -> str:
        """Its host, the usual one where none is named."""
        return (self.host or _HOSTS[self.kind]).lower()

    @property
    def source(self) -> TrackerSource:
        """What the rest of Treadle knows of it."""
        told = self.model_dump(exclude={"api_url", "token_env"})
        return TrackerSource.model_validate({**told, "host": self.server})


def _named_once(tables: tuple[TrackerTable, ...]) -> tuple[TrackerTable, ...]:
    twice = [name for name, n in Counter(table.name for table in tables).items() if n > 1]
    if twice:
        _refuse(f"two trackers are named {twice[0]!r}: give each its own name")
    return tables


class TrackerSettings(BaseSettings):
    """Which trackers are looked at; a part of the settings, never read alone."""

    trackers: Annotated[tuple[TrackerTable, ...], AfterValidator(_named_once)] = ()
    """Trackers whose issues become entries of the queue, each a table `[[trackers]]`; in the environment a list in JSON."""

    @property
    def tracker_variables(self) -> tuple[str, ...]:
        """The variables that hold tokens of trackers, where they are not the forge's."""
        return tuple(table.token_env for table in self.trackers if table.token_env)


def _refuse(why: str) -> None:
    raise PydanticCustomError("tracker", "{why}", {"why": why})
