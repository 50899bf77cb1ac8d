"""The settings of forges, where pull requests and issues are."""

from collections import Counter
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings

from domain.forges.projects import ForgeKind
from domain.forges.settings import ForgeOptions

_KNOWN = (
    ("github.com", ForgeKind.GITHUB, ""),
    ("gitlab.com", ForgeKind.GITLAB, "GITLAB_TOKEN"),
    ("codeberg.org", ForgeKind.GITEA, "CODEBERG_TOKEN"),
)


class ForgeTable(ForgeOptions, extra="forbid", frozen=True):
    """A table `[[forges]]`; one that names a setting which is none is refused."""


def _named_once(tables: tuple[ForgeTable, ...]) -> tuple[ForgeTable, ...]:
    twice = [host for host, n in Counter(table.host for table in tables).items() if n > 1]
    if twice:
        why = f"two tables are of the host {twice[0]!r}: keep one"
        raise PydanticCustomError("host_twice", "{why}", {"why": why})
    return tables


class ForgeSettings(BaseSettings):
    """Where pull requests are opened, and with which tokens."""

    forges: Annotated[tuple[ForgeTable, ...], AfterValidator(_named_once)] = ()
    """Forges, each with `host`, `kind` (`github`, `gitlab`, `gitea`) and `token_env`, `cli` or `app_id`; see docs/how-to/forges.md."""

    push_receipts: bool = True
    """Push the signed receipt of a published branch with it, as a git note at `refs/notes/treadle`; else it stays on this host."""

    forge_token_env: Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$")] = "GITHUB_TOKEN"  # noqa: S105 - a name
    """Name of the variable that holds the token for pull requests; the token itself is in no setting."""

    forge_api_url: Annotated[str, Field(pattern="^https?://[^/@]+(/.*)?$")] | None = None
    """REST API of a GitHub Enterprise server, like `https://git.example/api/v3`; the token is sent nowhere else."""

    @property
    def known_forges(self) -> tuple[ForgeOptions, ...]:
        """All forges with a host: those in config.toml, then the public ones that are not among them."""
        named = {each.host for each in self.forges}
        public = (
            ForgeOptions(host=host, kind=kind, token_env=variable or self.forge_token_env)
            for host, kind, variable in _KNOWN
            if host not in named and not (self.forge_api_url and kind is ForgeKind.GITHUB)
        )
        return (*self.forges, *public)

    @property
    def forge_variables(self) -> tuple[str, ...]:
        """The variables that hold tokens."""
        named = [each.token_env for each in self.known_forges if each.token_env]
        return tuple(dict.fromkeys([self.forge_token_env, *named]))
