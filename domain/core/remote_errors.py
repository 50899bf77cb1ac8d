"""What can be wrong with a repository that is named by its URL."""

from domain.core.errors import InvalidError, RepositoryError


class InvalidRepositoryUrlError(InvalidError):
    """The URL of a repository is invalid, or its scheme is not allowed."""

    type = "invalid_repository_url"


class UnknownRefError(RepositoryError):
    """The repository has no such branch, tag or commit."""

    type = "unknown_ref"


class RepositoryAccessError(RepositoryError):
    """The repository refuses access to this host, or there is none at the URL."""

    type = "repository_access_refused"


class RepositoryUnreachableError(RepositoryError):
    """The host of the repository does not answer."""

    type = "repository_unreachable"
