"""Images of devcontainers, made by their own command line of what a checkout describes."""

from pathlib import Path

from adapters.agent_programs.installer import Installer
from adapters.agent_programs.programs import Programs
from adapters.containers.engine import Engine
from domain.agents.errors import InstallError
from domain.agents.profiles import AgentProfile, Install
from domain.core.errors import WorkspaceError
from domain.core.ports import Beat
from domain.recipes.containers import DESCRIPTIONS, container_faults
from domain.recipes.errors import SetUpFailedError
from domain.recipes.tables import json_with_comments, mapping

CLI = AgentProfile(
    name="devcontainers-cli",
    command=("devcontainer",),
    install=Install(npm="@devcontainers/cli@0.89.0", node=">=20"),
)
"""The command line of the specification's authors. It's asked to build only: to `up` it runs commands on the host."""

BUILD_SECONDS = 1800.0


class DevcontainerImages:
    """Makes images; the command line is installed when it is needed first."""

    def __init__(self, engine: Engine, programs: Programs, installer: Installer) -> None:
        self._engine = engine
        self._programs = programs
        self._installer = installer

    async def build(self, checkout: Path, image: str, beat: Beat) -> None:
        """Build the image that a checkout describes.

        Raises:
            SetUpFailedError: It describes none that can be built here; the message says why.
        """
        file = _description(checkout)
        engine = self._engine.program
        options = ("--docker-path", engine, "--workspace-folder", str(checkout))
        argv = (*await self._cli(), "build", *options, "--config", str(file), "--image-name", image)
        try:
            await self._engine.run(*argv, limit_seconds=BUILD_SECONDS, beat=beat)
        except WorkspaceError as error:
            raise SetUpFailedError(f"the devcontainer was not built: {error.message}") from error

    async def _cli(self) -> tuple[str, ...]:
        found = self._programs.find(CLI)
        if found is None:
            try:
                await self._installer.install(CLI, _ignore)
            except InstallError as error:
                raise SetUpFailedError(
                    f"the command line for devcontainers is not here: {error.message}"
                ) from error
            found = self._programs.find(CLI)
        if found is None:
            raise SetUpFailedError("the command line for devcontainers was removed")
        return found.start


def _description(checkout: Path) -> Path:
    """Return the file that describes a checkout's container, if nothing of it leads out of there."""
    top = checkout.resolve()
    file = next((top / name for name in DESCRIPTIONS if (top / name).is_file()), None)
    if file is None:
        raise SetUpFailedError(
            f"there is no {DESCRIPTIONS[0]}: leave `devcontainer` out of the recipe"
        )
    text = file.read_text(encoding="utf-8", errors="replace")
    faults = container_faults(text, str(file.relative_to(top)))
    said = json_with_comments(text)
    context = mapping(said.get("build")).get("context", said.get("context", "."))
    folder = (file.parent / context).resolve() if isinstance(context, str) else top
    is_inside = file.resolve().is_relative_to(top) and folder.is_relative_to(top)
    if faults or not is_inside:
        why = faults[0] if faults else "its build reads files outside of the repository"
        raise SetUpFailedError(f"{file.relative_to(top)}: {why}")
    return file


async def _ignore(_line: str) -> None:
    """Tell nobody."""
