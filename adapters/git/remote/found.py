"""A repository by URL as it was found at its origin."""

from dataclasses import dataclass

from domain.core.remote_repositories import RemoteRepository


@dataclass(frozen=True)
class Found:
    """A repository at a commit, and the branch of that name, if it is one's."""

    remote: RemoteRepository
    branch: str = ""
