"""Roles: what a person may do in a project, each with all that those below it may."""

from enum import StrEnum

from domain.core.remote_errors import InvalidRepositoryUrlError
from domain.core.remote_repositories import SCHEMES, is_remote, read_remote

EVERY_PROJECT = "*"
"""The project of a role that holds in all of them, and of what belongs to the server."""


class Role(StrEnum):
    """What a person may do in a project."""

    NONE = "none"
    VIEWER = "viewer"
    PROPOSER = "proposer"
    AUTHOR = "author"
    APPROVER = "approver"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        """Where the role stands: a higher one may do all that a lower one may."""
        return _ORDER.index(self)

    def allows(self, needed: "Role") -> bool:
        """Tell whether the role is enough where another one is needed."""
        return self.rank >= needed.rank


_ORDER = (
    *(Role.NONE, Role.VIEWER, Role.PROPOSER),
    *(Role.AUTHOR, Role.APPROVER, Role.ADMIN),
)


def highest(*roles: Role) -> Role:
    """Return the highest of some roles; `none` without any."""
    return max(roles, key=lambda role: role.rank, default=Role.NONE)


def lowest(*roles: Role) -> Role:
    """Return the lowest of some roles; `admin` without any."""
    return min(roles, key=lambda role: role.rank, default=Role.ADMIN)


def covers(named: str, project: str) -> bool:
    """Tell whether the name of a project in a file means a project: `*`, its folder or URL, or its last name.

    A URL means all branches, tags and commits of it, and is the same with and without `.git` at its end.
    """
    if named in {EVERY_PROJECT, project}:
        return True
    if not is_remote(project):
        return "/" not in named and project.endswith(f"/{named}")
    url = _url_of(project)
    if not url:
        return False  # it is none; what is behind an @ is no name of a repository
    if is_remote(named):
        return _url_of(named) == url
    return "/" not in named and url.endswith(f"/{named.removesuffix('.git')}")


def _url_of(repository: str) -> str:
    """Return the URL of a repository without what is behind an @, and without `.git`; empty if it is none."""
    try:
        return read_remote(repository, SCHEMES).url.removesuffix(".git")
    except InvalidRepositoryUrlError:
        return ""
