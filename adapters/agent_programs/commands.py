"""Runs an installer's commands, line by line, with what a registry's client needs of the environment."""

import asyncio
import math
import re
import tempfile
from collections import deque
from collections.abc import Mapping
from pathlib import Path

from adapters.disk_room import describe_error, fullest, is_about_full_disk, is_full, no_room
from adapters.processes.children import Child
from adapters.processes.command import Command
from adapters.processes.spawner import Spawner
from domain.agents.checks import Tell
from domain.agents.errors import InstallError
from domain.core.text import counted

REGISTRY_ENVIRONMENT = (
    *("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX", "PIP_CERT"),
    *("PIP_CONFIG_FILE", "PIP_DEFAULT_TIMEOUT", "PIP_TRUSTED_HOST", "PIP_CACHE_DIR"),
    *("UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS"),
    *("UV_NO_INDEX", "UV_CACHE_DIR", "UV_SYSTEM_CERTS", "UV_NATIVE_TLS", "UV_CONFIG_FILE"),
    *("NPM_CONFIG_REGISTRY", "npm_config_registry", "NPM_CONFIG_USERCONFIG", "NPM_CONFIG_CAFILE"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
    *("XDG_CONFIG_HOME", "XDG_CACHE_HOME"),
)
"""What the clients of the registries get of the worker's environment, beside the common ones."""

LIMIT_SECONDS = 1800.0
PROGRESS_SECONDS = 1.0
_FETCHED = re.compile(r"npm http (?:fetch \S+ [23]\d\d|cache) (\S+)")
"""How npm tells of one answer of its registry, or of its cache, that is as it should be."""

_NOISE = re.compile(r"npm (?!http )|> |\$ ")
"""How lines of npm, and of the scripts that it runs, begin that tell a person nothing."""

_KEPT_LINES = 15
_LINE = 300


class InstallerCommands:
    """Runs commands that write below one folder; what they print is told."""

    def __init__(self, spawner: Spawner, folder: Path, environment: Mapping[str, str]) -> None:
        self._spawner = spawner
        self._folder = folder
        self._environment = dict(environment)

    async def run(self, argv: tuple[str, ...], tell: Tell, **more: str) -> str:
        """Run a command to its end and return the end of its output; `more` is for its environment.

        Raises:
            InstallError: It could not be started, failed, or took longer than half an hour.
        """
        environment = {**self._environment, **more}
        command = Command(argv, self._folder, environment, is_merged=True, writes=(self._folder,))
        try:
            child = await self._spawner.start(command)
        except OSError as error:
            why = describe_error(error, self._folder) if is_full(error) else str(error)
            raise InstallError(f"{argv[0]} can't be started: {why}") from error
        last: deque[str] = deque(maxlen=_KEPT_LINES)
        try:
            child.stdin.close()
            async with asyncio.timeout(LIMIT_SECONDS):
                await _follow(child, last, tell)
                code = await child.wait()
        except TimeoutError as error:
            raise InstallError(f"{argv[0]} took longer than {LIMIT_SECONDS:.0f} s") from error
        finally:
            await child.stop()
        output = "\n".join(last)
        if code != 0:
            if is_about_full_disk(output):
                places = (self._folder, Path(tempfile.gettempdir()))
                raise InstallError(f"{Path(argv[0]).name}: {no_room(fullest(*places))}")
            raise InstallError(f"{Path(argv[0]).name} ended with {code}:\n{output}")
        return output

    async def version(self, program: str) -> str:
        """Return what a program says to `--version`, nothing where it can't be asked."""
        try:
            return await self.run((program, "--version"), _ignore)
        except InstallError:
            return ""


async def _ignore(_line: str) -> None:
    """Tell nobody."""


async def _follow(child: Child, last: deque[str], tell: Tell) -> None:
    """Read a command's lines to their end, and tell one now and then: an installer prints hundreds."""
    clock, reported_at = asyncio.get_running_loop().time, -math.inf
    fetched: set[str] = set()
    while True:
        try:
            raw = await child.stdout.readline()
        except ValueError:  # a line beyond the limit; the rest of it comes as lines of their own
            continue
        if not raw:
            return
        line = raw.decode(errors="replace").strip()[:_LINE]
        if found := _FETCHED.match(line):
            fetched.add(found[1])
        elif line:
            last.append(line)
        if line and not _NOISE.match(line) and clock() - reported_at >= PROGRESS_SECONDS:
            reported_at = clock()
            await tell(_progress(fetched) if line.startswith("npm http ") else line)


def _progress(fetched: set[str]) -> str:
    """Say how far npm is by what it fetched, without the addresses."""
    packages = sum(name.endswith(".tgz") for name in fetched)
    return f"npm: {counted(packages, 'package')} fetched" if packages else "npm looks packages up"
