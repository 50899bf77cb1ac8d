"""A task's worktree whose agent may do anything, and steps on clean checkouts as a worker runs them."""

import subprocess
from pathlib import Path

from activities.clean_steps import CleanSteps
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.verification.verifier import StepVerifier
from domain.agents.sandbox import SandboxRules
from domain.verification.checkouts import Recipe
from domain.verification.ports import StepPlace
from domain.verification.steps import StepResult, StepType, VerificationStep
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import commit_of, spec_of


class Work:
    """A worktree with the means of an agent that is in no sandbox."""

    def __init__(self, workspaces, repository: Path, path: Path) -> None:
        self.spec, self.path, self.repository = spec_of(repository, "task-1"), path, repository
        self._workspaces = workspaces

    def put(self, name: str, text: str = "x\n") -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def git(self, *words: str, stdin: str = "") -> str:
        argv = ["git", "-C", str(self.path), *words]
        done = subprocess.run(argv, input=stdin, text=True, capture_output=True, check=True)
        return done.stdout.strip()

    async def commit(self, key: str = "turn-1"):
        return await self._workspaces.commit(self.spec, commit_of(key))


class Steps:
    """Runs commands as verification steps."""

    def __init__(self, workspaces, data_dir: Path, config: Path, environment=None) -> None:
        folders = HostFolders(data_dir, data_dir / "programs", config)
        spawner = host_spawner(folders, environment or BASE_ENVIRONMENT)
        self._steps = CleanSteps(workspaces, StepVerifier(spawner, rules=SandboxRules()))

    async def run(
        self, work: Work, command: str, commit: str, recipe: Recipe | None = None
    ) -> StepResult:
        step = VerificationStep(id="s", type=StepType.COMMAND, label="s", command=command)
        place = StepPlace(work.path, work.spec)
        return (await self._steps.run(step, place, commit, recipe or Recipe()))[0]
