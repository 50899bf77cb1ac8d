"""Requests about the files of a host: its templates, recipes and agents."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.core.client import Client, connect, path_of
from cli.core.folders import BadPathError, folder_of

FilesOf = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="NAME",
        help="Host whose files are meant; `--repo` is then an absolute path there. See `treadle hosts`.",
    ),
]


@dataclass(frozen=True)
class HostFiles:
    """The API, the repository that is meant, and the host that has it; an empty host is any."""

    client: Client
    repository: str | None
    host: str = ""

    @property
    def folder(self) -> str:
        """The repository, where one is needed.

        Raises:
            BadPathError: None is named, which only happens with a host.
        """
        if self.repository is None:
            words = f"--repo: give the absolute path of the repository on host {self.host}"
            raise BadPathError(words)
        return self.repository

    @property
    def options(self) -> str:
        """What a command in the current folder needs to mean the same files again, for a shell."""
        is_named = self.repository and (self.host or self.repository != folder_of(Path()))
        given = f" --repo {shlex.quote(self.repository or '')}" if is_named else ""
        return f"{given} --host {shlex.quote(self.host)}" if self.host else given

    def get(self, *path: str, **parameters: str) -> Any:
        """Read something; fails as `Client.get` does."""
        repository = {} if self.repository is None else {"repository": self.repository}
        return self.client.get(path_of(*path), **repository, **self._host, **parameters)

    def post(self, *path: str, **body: Any) -> Any:
        """Send a request that its content makes idempotent; fails as `Client.post` does."""
        return self.client.post(path_of(*path), {"command_id": None, **body}, **self._host)

    def check(self, *path: str, **body: Any) -> Any:
        """Start a check, once for the command; fails as `Client.post` does."""
        return self.client.post(path_of(*path), body, **self._host)

    @property
    def _host(self) -> dict[str, str]:
        return {"host": self.host} if self.host else {}


def files_of(repo: Path, host: str = "", client: Client | None = None) -> HostFiles:
    """Return the files of a host, with those of a repository on it.

    A path on another host is taken as it is. The current folder, which is meant by default, is one of this machine:
    with a host it stands for none.

    Raises:
        BadPathError: The folder has no absolute path.
    """
    client = client or connect()
    if not host:
        return HostFiles(client, folder_of(repo))
    if repo == Path():
        return HostFiles(client, None, host)
    if not repo.is_absolute():
        raise BadPathError(f"--repo: {repo} must be an absolute path on host {host}")
    return HostFiles(client, str(repo), host)
