"""The settings of repositories by URL, and of the hub that work is copied to."""

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings

from domain.core.remote_errors import InvalidRepositoryUrlError
from domain.core.remote_repositories import SAFE_SCHEMES, SCHEMES, read_remote

ORIGIN = "origin"
"""The hub of each thread is the repository that it was opened on by URL."""


def _schemes(text: str) -> str:
    unknown = sorted({*text.split()} - {*SCHEMES})
    if unknown or not text.split():
        raise ValueError(f"choose among {' '.join(SCHEMES)}")
    return text


def _hub(text: str) -> str:
    if text == ORIGIN:
        return text
    try:
        found = read_remote(text, SCHEMES)
    except InvalidRepositoryUrlError as error:
        raise ValueError(f"{error.message}; or `{ORIGIN}`") from error
    if found.ref:
        raise ValueError("a hub has no branch: leave out the @")
    return found.url


class RepositorySettings(BaseSettings):
    """What URLs may name repositories, and where work is copied to."""

    repository_schemes: Annotated[str, AfterValidator(_schemes)] = " ".join(SAFE_SCHEMES)
    """Schemes that URLs of repositories may have, with spaces between; `http` and `file` are for tests and closed networks."""

    hub_url: Annotated[str, AfterValidator(_hub)] | None = None
    """Repository that checkpoints are copied to, as `refs/treadle/*`: `origin` for that of each thread's URL, or a URL."""

    hub_warn_minutes: Annotated[int, Field(ge=1, le=1440)] = 10
    """You are told of a thread whose work could not be copied to the hub for this many minutes."""

    @property
    def schemes(self) -> tuple[str, ...]:
        """The schemes that URLs of repositories may have."""
        return tuple(self.repository_schemes.split())
