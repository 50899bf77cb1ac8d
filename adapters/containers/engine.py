"""Podman, by its command line: a container here is files and nothing that runs."""

import json
from collections.abc import Mapping
from pathlib import Path
from shutil import which
from typing import Any, cast

from adapters.processes.command import Command
from adapters.processes.spawner import Spawner
from domain.core.errors import WorkspaceError
from domain.core.ports import Beat
from domain.recipes.containers import ENGINE, Container, image_environment
from domain.recipes.errors import SetUpFailedError

ENGINE_ENVIRONMENT = (
    *("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "DBUS_SESSION_BUS_ADDRESS"),
    *("CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF", "CONTAINERS_REGISTRIES_CONF"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REGISTRY_AUTH_FILE", "DOCKER_CONFIG"),
)
"""What the engine gets of the worker's environment: where its files are, and how it reaches registries."""

_METADATA = "devcontainer.metadata"
_SECONDS = 120.0
_KEPT = 1000
_ALONE = 'exec 8>&- 9>&- && exec "$@"'
"""What stays of it, as the process that holds an ordinary user's mounts, is of no workspace."""


class Engine:
    """The engine of this host; `variables` are those of ENGINE_ENVIRONMENT that are set."""

    def __init__(
        self, spawner: Spawner, folder: Path, variables: Mapping[str, str], *, is_root: bool
    ) -> None:
        self._spawner = spawner
        self._folder = folder
        self._variables = dict(variables)
        self._is_root = is_root

    @property
    def program(self) -> str:
        """Its file.

        Raises:
            SetUpFailedError: It isn't here.
        """
        found = which(ENGINE, path=self._spawner.path)
        if found is None:
            raise SetUpFailedError(
                f"a devcontainer needs {ENGINE} on PATH: install it, or leave `devcontainer` out of the recipe"
            )
        return found

    async def has(self, kind: str, name: str) -> bool:
        """Tell whether there is an `image` or a `container` of a name."""
        return not (await self.run(self.program, kind, "exists", name, accepts=(0, 1)))[0]

    async def create(self, name: str, image: str, labels: Mapping[str, str]) -> None:
        """Make a container of an image, with a command that is never run."""
        options = [word for key, value in labels.items() for word in ("--label", f"{key}={value}")]
        ends = (*options, "--network=none", image, "/bin/sh")
        await self.run(self.program, "create", "--pull=never", "--name", name, *ends)

    async def opened(self, name: str, image: str, folder: Path) -> Container:
        """Return a container that there is, its files to be seen; its workspace is seen as `folder`."""
        mount = (self.program, "mount", name)
        _, root = await self.run(*self._enter, *mount)
        about = await self.about(image)
        labels = cast("dict[str, str]", about.get("Labels") or {})
        variables = tuple(cast("list[str]", about.get("Env") or []))
        known = image_environment(variables, labels.get(_METADATA, ""), str(folder))
        more = {} if self._is_root else self._variables  # who enters finds the files by them
        return Container(name, Path(root.strip()), folder, {**known, **more}, self._enter)

    async def about(self, image: str) -> dict[str, Any]:
        """Return the configuration of an image."""
        _, text = await self.run(
            self.program, "image", "inspect", "--format={{json .Config}}", image
        )
        return cast("dict[str, Any]", json.loads(text))

    async def commit(self, name: str, image: str) -> None:
        """Make an image of what a container is now."""
        await self.run(self.program, "commit", "--quiet", name, image)

    async def remove(self, name: str) -> None:
        """Remove a container; one that is not there is fine."""
        await self.run(self.program, "rm", "--force", "--ignore", "--time=0", name)

    async def remove_image(self, image: str) -> None:
        """Remove an image's name, and the image if nothing else needs it; one that is not there is fine."""
        await self.run(self.program, "rmi", image, accepts=(0, 1, 2))

    async def images(self, repository: str) -> dict[str, float]:
        """Return the images of a repository by their tags, with the time that each was made at."""
        _, text = await self.run(
            self.program, "images", "--format=json", "--filter", f"reference={repository}"
        )
        entries = cast("list[dict[str, Any]]", json.loads(text or "[]") or [])
        made: dict[str, float] = {}
        for entry in entries:
            names = cast("list[str]", entry.get("Names") or [])
            made |= {name.rpartition(":")[2]: float(entry["Created"]) for name in names}
        return made

    async def labelled(self, label: str) -> dict[str, dict[str, str]]:
        """Return the labels of each container that has one."""
        form = "--format=json"
        _, text = await self.run(
            self.program, "ps", "--all", "--no-trunc", f"--filter=label={label}", form
        )
        entries = cast("list[dict[str, Any]]", json.loads(text or "[]") or [])
        return {entry["Names"][0]: entry.get("Labels") or {} for entry in entries}

    async def run(
        self,
        *argv: str,
        accepts: tuple[int, ...] = (0,),
        limit_seconds: float = _SECONDS,
        beat: Beat | None = None,
    ) -> tuple[int, str]:
        """Run a command of the engine's, or one that uses it; returns its code and its output.

        Raises:
            WorkspaceError: It failed.
        """
        words = ("/bin/sh", "-c", _ALONE, "treadle", *argv)
        command = Command(words, self._folder, self._variables, is_brief=True)
        try:
            done = await self._spawner.run(command, limit_seconds=limit_seconds, beat=beat)
        except OSError as error:
            raise WorkspaceError(f"{argv[0]} could not be started: {error}") from error
        if done.returncode not in accepts:
            said = (done.errors.strip() or done.output.text().strip())[-_KEPT:]
            ended = "timed out" if done.is_timed_out else f"ended with {done.returncode}"
            raise WorkspaceError(f"{' '.join(argv[:3])} {ended}: {said}")
        return done.returncode or 0, done.output.text()

    @property
    def _enter(self) -> tuple[str, ...]:
        if self._is_root:
            return ()
        setpriv = which("setpriv", path=self._spawner.path)
        # it does not end with the worker by itself, nor do those below it
        bound = (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()
        return (*bound, self.program, "unshare")
