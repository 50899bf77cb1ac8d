"""Installs an agent's pinned version from npm or PyPI into Treadle's programs folder.

Nothing is run that a package brings, but for the install scripts of packages that the profile names:
npm runs no others, pip takes built wheels only.
"""

from pathlib import Path
from shutil import which

from adapters.agent_programs import runtimes
from adapters.agent_programs.commands import InstallerCommands
from adapters.agent_programs.folders import Installed
from adapters.agent_programs.programs import (
    Programs,
    npm_name,
    npm_version,
    pypi_name,
    pypi_version,
)
from adapters.agent_programs.runtimes import NODE_PACKAGE, Node
from domain.agents.checks import Tell
from domain.agents.errors import InstallError
from domain.agents.profiles import AgentProfile, Install

NPM_OPTIONS = ("--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", "--loglevel=http")
REBUILD_OPTIONS = ("--foreground-scripts", "--no-audit", "--no-fund", "--loglevel=error")
PIP_OPTIONS = ("--only-binary=:all:", "--no-input", "--disable-pip-version-check")


class Installer:
    """Installs agents; two at once of the same version are one."""

    def __init__(self, programs: Programs, commands: InstallerCommands, path: str | None) -> None:
        self._folders = programs.folders
        self._commands = commands
        self._path = path

    async def install(self, profile: AgentProfile, tell: Tell) -> Installed:
        """Install what a profile pins; what is there already is returned.

        Raises:
            InstallError: It can't be installed here, or another version came.
        """
        install = profile.install
        if install is None:
            raise InstallError(
                profile.install_hint
                or f"the profile of {profile.name!r} says no package to install"
            )
        self._folders.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        async with self._folders.making(profile.name, install.version) as folder:
            known = self._folders.installed(profile.name, install.version, install.package)
            if known is not None:
                return known
            program = install.program or profile.command[0]
            made = self._from_npm if install.npm else self._from_pypi
            return self._folders.finish(folder, await made(install, program, folder, tell))

    async def _from_npm(
        self, install: Install, program: str, folder: Path, tell: Tell
    ) -> Installed:
        node = await self._node(install, tell)
        self._folders.emptied(folder)
        name = npm_name(install.npm)
        await tell(f"getting {install.npm}")
        argv = (str(node.node), str(node.npm), "install", *NPM_OPTIONS, f"--prefix={folder}")
        await self._commands.run((*argv, install.npm), tell, **self._path_with(node.folder))
        for package in install.scripts:
            await tell(f"running the install script of {package}")
            argv = (
                str(node.node),
                str(node.npm),
                "rebuild",
                *REBUILD_OPTIONS,
                f"--prefix={folder}",
            )
            await self._commands.run((*argv, package), tell, **self._path_with(node.folder))
        came = npm_version(folder / "node_modules" / name, name)
        file = folder / "node_modules" / ".bin" / program
        return self._checked(install, came, file, node.folder)

    async def _from_pypi(
        self, install: Install, program: str, folder: Path, tell: Tell
    ) -> Installed:
        python = await runtimes.python_for(self._path, install.python, self._commands.version)
        await self._fill_environment(python, install.pypi, folder, tell)
        came = pypi_version(folder, pypi_name(install.pypi))
        return self._checked(install, came, folder / "bin" / program, None)

    async def _fill_environment(self, python: str, package: str, folder: Path, tell: Tell) -> None:
        """Make a Python environment with one package: with uv where it is there, else with pip."""
        self._folders.emptied(folder)
        await tell(f"getting {package}")
        own, uv = str(folder / "bin" / "python"), which("uv", path=self._path)
        if uv:
            await self._commands.run((uv, "venv", f"--python={python}", str(folder)), tell)
            # a sandbox does not let the agent keep compiled files, and it would make them at each start
            options = ("--compile-bytecode", "--only-binary=:all:")
            argv = (uv, "pip", "install", f"--python={own}", *options)
        else:
            await self._commands.run((python, "-m", "venv", str(folder)), tell)
            argv = (own, "-m", "pip", "install", *PIP_OPTIONS)
        await self._commands.run((*argv, package), tell)

    async def _node(self, install: Install, tell: Tell) -> Node:
        """Return a Node that is new enough: the host's, else PyPI's, installed once for all agents."""
        found = await runtimes.machine_node(self._path, install.node, self._commands.version)
        if found is not None:
            return found
        version = NODE_PACKAGE.rpartition("==")[2]
        if runtimes.version_in(version) < runtimes.least(install.node):
            raise InstallError(
                f"it needs Node {install.node}: install it, so that it is on the PATH"
            )
        async with self._folders.making("node", version) as folder:
            node = runtimes.node_below(folder)
            if self._folders.installed("node", version, NODE_PACKAGE) and node:
                runtimes.leave_node_alone(node)
                return node
            await tell(f"this host's Node is not {install.node}: getting Node {version}")
            python = await runtimes.python_for(self._path, ">=3.11", self._commands.version)
            await self._fill_environment(python, NODE_PACKAGE, folder, tell)
            node = runtimes.node_below(folder)
            if node is None:
                raise InstallError(f"{NODE_PACKAGE} brought no Node for this host: install Node")
            runtimes.leave_node_alone(node)
            program = str(node.node.relative_to(self._folders.root))
            mark = Installed(package=NODE_PACKAGE, version=version, program=program)
            self._folders.finish(folder, mark)
            return node

    def _checked(
        self, install: Install, came: str, file: Path, node_folder: Path | None
    ) -> Installed:
        """Return what was installed, if it is what was asked for.

        npm takes an older version without a word where Node is too old for the one it was asked for.
        """
        if came != install.version:
            raise InstallError(f"{install.package} was asked for, and {came or 'nothing'} came")
        if not file.is_file():
            raise InstallError(f"{install.package} brings no program {file.name!r}")
        root = self._folders.root
        paths = () if node_folder is None else (str(node_folder.relative_to(root)),)
        program = str(file.relative_to(root))
        return Installed(package=install.package, version=came, program=program, paths=paths)

    def _path_with(self, folder: Path | None) -> dict[str, str]:
        """Return the PATH for npm, which starts `node` by its name."""
        return {} if folder is None else {"PATH": f"{folder}:{self._path or ''}"}
