"""Projects of a forge, and whose they are."""

import re
from enum import StrEnum
from urllib.parse import urlsplit

from domain.core.wire import Wire

_SCP = re.compile(r"(?:[^@/:]+@)?([A-Za-z0-9.-]+|\[[0-9a-f:]+\]):(?!//)(.+)")
_PATH = re.compile(r"([^/]+(?:/[^/]+)*)/([^/]+?)(?:\.git)?/?", re.ASCII)


class ForgeKind(StrEnum):
    """What a forge speaks; Forgejo speaks Gitea's API."""

    GITHUB = "github"
    GITLAB = "gitlab"
    GITEA = "gitea"


class ForgeProject(Wire):
    """A repository on a forge, as a remote's address names it; a nested group's `owner` has slashes.

    `host` carries a port where the address has one.
    """

    host: str
    owner: str
    name: str

    @property
    def path(self) -> str:
        """What a person types for it."""
        return f"{self.owner}/{self.name}"


class Account(Wire):
    """Somebody on a forge: the id never changes, the login may."""

    id: str
    login: str
    is_bot: bool = False


def project_of(address: str) -> ForgeProject | None:
    """Return the project that a remote's address names; None for a folder, or anything odd."""
    host, path = "", ""
    if "://" in address:
        try:
            parts = urlsplit(address)
            host, path = parts.hostname or "", parts.path.removeprefix("/")
            port = parts.port if parts.scheme in {"http", "https"} else None
        except ValueError:
            return None
        host = f"{host}:{port}" if host and port else host
        if parts.scheme == "file":
            return None
    elif scp := _SCP.fullmatch(address):
        host, path = scp[1], scp[2].removeprefix("/")
    named = _PATH.fullmatch(path)
    if not host or named is None or not {".", ".."}.isdisjoint(path.split("/")):
        return None
    return ForgeProject(host=host.lower(), owner=named[1], name=named[2])
