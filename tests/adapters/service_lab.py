"""Services of recipes on a real spawner, with a journal in memory."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from adapters.port_leases import FilePortLeases
from adapters.processes.listeners import Listeners
from adapters.processes.spawner import Spawner
from adapters.redaction import Redactor
from adapters.setup.service_launcher import ServiceLauncher
from adapters.setup.services import HostServices, Neighbours
from adapters.setup.texts import RecipeTexts
from adapters.terminals.ledger import TerminalLedger
from domain.agents.sandbox import Level, SandboxRules
from domain.core.ids import StreamId, ThreadId
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from domain.recipes import ports
from domain.recipes.ports import Surroundings
from domain.recipes.recipe import SERVED, User, WorkspaceRecipe
from domain.recipes.services import ServicePlace, StartedService
from tests import fakes

TASK = StreamId("thread-x/task-1")
SERVE = f'exec {sys.executable} -u -m http.server --bind 127.0.0.1 "$TREADLE_PORT_WEB"'
SPEC = WorkspaceSpec(
    workspace_id=f"{TASK}/run-1",
    kind=WorkspaceKind.TASK,
    repository="/repository",
    thread_id=ThreadId("thread-x"),
    base="main",
    recipe="text-1",
)


class Environments:
    """Gives services what is in the folder `bin` of their workspace."""

    async def of(self, spec: WorkspaceSpec, user: str, folder: Path | None = None) -> Surroundings:
        return Surroundings(path=("bin",))


class ServiceLab:
    """One host's services; `restarted` gives those of its next worker."""

    environments: ports.Environments = Environments()
    rules = SandboxRules(level=Level.OFF)

    def __init__(self, spawner: Spawner, data_dir: Path, folder: Path) -> None:
        self.spawner = spawner
        self.data_dir = data_dir
        self.folder = folder
        folder.mkdir()
        self.recipe = WorkspaceRecipe()
        self.texts = RecipeTexts(self._text)
        self.journal = fakes.MemoryJournal()
        self.services = self.restarted()
        self.beats = 0

    def restarted(self) -> HostServices:
        starting = ServiceLauncher(self.spawner, self.rules, Redactor({}), self.environments)
        near = Neighbours(
            self.texts, FilePortLeases(self.data_dir), Listeners(self.data_dir / "fences")
        )
        ledger = TerminalLedger(self.data_dir / "services")
        return HostServices(self.journal, ledger, starting, near)

    def have(self, **services: dict[str, Any]) -> None:
        """Have a recipe with these services, which are for everybody."""
        said = {name: {"for": list(SERVED), **service} for name, service in services.items()}
        self.recipe = WorkspaceRecipe.model_validate({"services": said})
        self.texts.forget()

    async def start(self, user: User = User.PERSON, **changes: Any) -> dict[str, StartedService]:
        place = ServicePlace(TASK, SPEC, user, self.folder, **changes)
        return {each.name: each for each in await self.services.start(place, self._beat)}

    async def kinds(self, stream: StreamId) -> list[str]:
        found = [entry.event.body.kind for entry in await self.journal.read(stream)]
        return [kind for kind in found if kind != "terminal_output"]

    async def _text(self, _reference: str) -> str:
        return self.recipe.model_dump_json()

    def _beat(self) -> None:
        self.beats += 1


@asynccontextmanager
async def served(lab: ServiceLab) -> AsyncGenerator[ServiceLab]:
    """Have a lab, and end all that it started."""
    try:
        yield lab
    finally:
        await lab.services.close_all()
