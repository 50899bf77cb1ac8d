"""The built-in agent's environment: made on first use, from hashes, apart from Treadle's own libraries."""

import sys
from hashlib import sha256
from pathlib import Path
from shutil import which

from adapters.agent_programs.commands import InstallerCommands
from adapters.agent_programs.folders import Installed, ProgramFolders
from domain.agents.checks import Tell
from domain.agents.errors import InstallError

TREADLE_AGENT = "${treadle_agent}"
"""What stands for the built-in agent in a profile's command."""

PROGRAM = Path(__file__).resolve().parents[1] / "builtin_agent"
LOCK = PROGRAM / "requirements.lock"
NAME = "treadle"
_LOCKED = ("--quiet", "--require-hashes", "--no-deps", "--only-binary=:all:", "-r", str(LOCK))
"""Install what the lock has and nothing else. pip's resolver (23.2, of Python 3.11) otherwise takes the
newest pydantic for `pydantic[email]` and refuses it, whether the lock names the extra or not."""


class BuiltinAgent:
    """Where the built-in agent runs. A new lock gets a new environment; the old one can be removed."""

    def __init__(self, folders: ProgramFolders, path: str | None = None) -> None:
        self._folders = folders
        self._path = path
        self._digest = sha256(LOCK.read_bytes()).hexdigest()[:12]
        self._package = f"treadle-agent=={self._digest}"

    def command(self) -> tuple[str, ...]:
        """Return what starts the agent.

        Raises:
            InstallError: Its environment is not there; `install` makes it.
        """
        found = self._folders.installed(NAME, self._digest, self._package)
        if found is None:
            raise InstallError(
                "the built-in agent is not installed yet: `treadle agents install treadle`"
            )
        return (str(self._folders.root / found.program), str(PROGRAM))

    async def install(self, commands: InstallerCommands, tell: Tell) -> Installed:
        """Make the environment, if it is not there; two at once make one.

        Raises:
            InstallError: It can't be made here, as where no registry is reached.
        """
        found = self._folders.installed(NAME, self._digest, self._package)
        if found is not None:
            return found
        self._folders.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        async with self._folders.making(NAME, self._digest) as folder:
            found = self._folders.installed(NAME, self._digest, self._package)
            if found is not None:
                return found
            await tell("the built-in agent's libraries are installed, once (about 160 MB)")
            await self._make(folder, commands, tell)
            python = folder / "bin" / "python"
            await commands.run((str(python), "-c", "import pydantic_ai"), tell)
            program = str(python.relative_to(self._folders.root))
            mark = Installed(package=self._package, version=self._digest, program=program)
            return self._folders.finish(folder, mark)

    async def _make(self, folder: Path, commands: InstallerCommands, tell: Tell) -> None:
        """Fill a folder by uv where it is there and works, else by venv and pip."""
        python = str(folder / "bin" / "python")
        if uv := which("uv", path=self._path):
            try:
                self._folders.emptied(folder)
                venv = (uv, "venv", "--quiet", f"--python={sys.executable}", str(folder))
                await commands.run(venv, tell)
                fill = (uv, "pip", "install", "--compile-bytecode", f"--python={python}", *_LOCKED)
                await commands.run(fill, tell)
            except InstallError as error:
                await tell(f"uv could not make it, trying pip: {error}")
            else:
                return
        self._folders.emptied(folder)
        await commands.run((sys.executable, "-m", "venv", str(folder)), tell)
        pip = (python, "-m", "pip", "install", "--no-input", "--disable-pip-version-check")
        try:
            await commands.run((*pip, *_LOCKED), tell)
        except InstallError as error:
            raise InstallError(
                "the built-in agent's libraries could not be installed: it needs a Python package "
                f"registry once (PyPI, or PIP_INDEX_URL of your own). {error}"
            ) from error
