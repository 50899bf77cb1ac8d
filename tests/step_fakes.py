"""Fake ports of verification: steps that fail as the test says, and ports that are counted."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from domain.core.ports import Beat
from domain.core.workspaces import WorkspaceSpec
from domain.verification.checkouts import Checkout, Recipe, Watch
from domain.verification.judges.suspects import Judged
from domain.verification.ports import StepPlace
from domain.verification.steps import StepResult, VerificationStep


class ScriptedVerifier:
    """Steps that fail as often as the test says, by label, or as `outcomes` says, in order."""

    def __init__(self) -> None:
        self.failures: dict[str, int] = {}
        self.outcomes: list[bool] = []
        self.ran: list[str] = []
        self.ports: list[dict[str, int]] = []

    async def run_step(
        self, step: VerificationStep, place: StepPlace, beat: Beat
    ) -> tuple[StepResult, str]:
        self.ran.append(step.label)
        self.ports.append(dict(place.ports))
        left = self.failures.get(step.label, 0)
        self.failures[step.label] = left - 1
        if self.outcomes:
            left = 0 if self.outcomes.pop(0) else 1
        output = "broken" if left > 0 else "fine"
        result = StepResult(
            step_id=step.id,
            label=step.label,
            passed=left <= 0,
            is_required=step.required,
            output=output,
            exit_code=0 if left <= 0 else 1,
        )
        return result, output


class NoWatch:
    """Sees nothing opened."""

    def end(self) -> tuple[Judged, ...]:
        return ()

    def close(self) -> None: ...


class PaperCheckouts:
    """Clean checkouts without files, or in a folder that the test has for a workspace."""

    def __init__(self, folder: Callable[[WorkspaceSpec], Awaitable[Path]] | None = None) -> None:
        self._folder = folder

    async def open(self, spec: WorkspaceSpec, commit: str, recipe: Recipe) -> Checkout:
        folder = await self._folder(spec) if self._folder else Path("/nowhere")
        return Checkout(folder, folder, commit[::-1], is_prepared=True)

    async def prepared(self, spec: WorkspaceSpec) -> None: ...

    async def watch(self, spec: WorkspaceSpec, commit: str, step: VerificationStep) -> Watch:
        return NoWatch()

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        return ()

    async def worktree(self, spec: WorkspaceSpec) -> Path | None:
        return await self._folder(spec) if self._folder else None

    async def discard(self, spec: WorkspaceSpec) -> None: ...


class WithCheckouts:
    """What has clean checkouts without files."""

    checkouts = PaperCheckouts()


class CountedLeases:
    """Ports from 40000 on."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], int] = {}

    async def lease(self, owner: str, port_id: str) -> int:
        return self.held.setdefault((owner, port_id), 40000 + len(self.held))

    async def owners(self) -> set[str]:
        return {owner for owner, _ in self.held}

    async def release(self, owner: str, port_id: str | None = None) -> None:
        gone = {key for key in self.held if key[0] == owner and port_id in {None, key[1]}}
        self.held = {key: port for key, port in self.held.items() if key not in gone}
