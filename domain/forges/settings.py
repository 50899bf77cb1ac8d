"""What a person says of a forge: its host, what it speaks, and where its token comes from."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from domain.forges.projects import ForgeKind

_NAME = "^[A-Za-z_][A-Za-z0-9_]*$"
_API_URL = "^https?://[^/@?#]+(/[^?#]*)?$"
_HOST = r"^[a-z0-9.\[\]-]([a-z0-9.:\[\]-]*[a-z0-9\]])?$"


class ForgeOptions(BaseModel, frozen=True):
    """One forge. Its token comes from a variable, from the forge's own CLI, or is a GitHub App's."""

    host: Annotated[str, Field(pattern=_HOST)]
    """Host of its projects, as remotes name it, with a port where they have one."""

    kind: ForgeKind
    """`github`, `gitlab` or `gitea`; Forgejo is `gitea`."""

    api_url: Annotated[str, Field(pattern=_API_URL)] | None = None
    """REST API; by default that of the host. The token is sent nowhere else."""

    token_env: Annotated[str, Field(pattern=_NAME)] | None = None
    """Name of the variable that holds its token."""

    cli: Literal["gh", "glab"] | None = None
    """Take the token of this CLI where it is logged in at the host."""

    app_id: Annotated[str, Field(pattern="^[A-Za-z0-9.]+$")] | None = None
    """The id of a GitHub App, which then signs in instead of a token."""

    installation_id: Annotated[int, Field(ge=1)] | None = None
    """The App's installation in the organization."""

    private_key_file: str | None = None
    """The App's private key, a PEM file with mode 0600."""

    @model_validator(mode="after")
    def _has_one_token(self) -> Self:
        app = (self.app_id, self.installation_id, self.private_key_file)
        if any(app) and not all(app):
            raise ValueError("a GitHub App needs app_id, installation_id and private_key_file")
        if any(app) and self.kind is not ForgeKind.GITHUB:
            raise ValueError("only GitHub has Apps: give token_env")
        given = [each for each in (self.token_env, self.cli, self.app_id) if each]
        if len(given) != 1:
            raise ValueError("give exactly one of token_env, cli and app_id")
        return self

    @property
    def root(self) -> str:
        """The API's address."""
        if self.api_url:
            return self.api_url.rstrip("/")
        if self.kind is ForgeKind.GITLAB:
            return f"https://{self.host}/api/v4"
        if self.kind is ForgeKind.GITEA:
            return f"https://{self.host}/api/v1"
        if self.host == "github.com" or self.host.endswith(".ghe.com"):
            return f"https://api.{self.host}"
        return f"https://{self.host}/api/v3"
