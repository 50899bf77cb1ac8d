"""The port to verification."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from domain.core.errors import TreadleError
from domain.core.ports import Beat
from domain.core.workspaces import WorkspaceSpec
from domain.verification.checkouts import BesideCheckout
from domain.verification.steps import StepResult, VerificationStep


@dataclass(frozen=True)
class StepPlace:
    """Where a verification step runs: a folder of a workspace, with the ports that its task holds.

    The step sees the folder as `shown_at`, where the host can do that. `beside` are the checkouts of other
    repositories that it has there in place of their worktrees.
    """

    directory: Path
    workspace: WorkspaceSpec
    ports: Mapping[str, int] = field(default_factory=dict[str, int])
    shown_at: Path | None = None
    beside: tuple[BesideCheckout, ...] = ()


class NoPictureError(TreadleError):
    """No picture of the page could be taken; the message says why. The step does not fail because of it."""

    type = "no_picture"
    status = 503


class Camera(Protocol):
    """Takes pictures of pages that tasks serve."""

    async def take(
        self,
        url: str,
        ports: tuple[int, ...],
        limit_seconds: float,
        beat: Beat,
        *,
        is_confined: bool,
    ) -> bytes:
        """Return a PNG of a page that a task serves; confined, the browser reaches its ports and nothing else.

        Raises:
            NoPictureError: There is no browser, or it made none in time.
        """
        ...


class Verifier(Protocol):
    """Runs verification steps."""

    async def run_step(
        self, step: VerificationStep, place: StepPlace, beat: Beat
    ) -> tuple[StepResult, str]:
        """Run one step; returns its result and its whole output (capped, the cut marked).

        Never raises for a step that fails, times out or cannot start: that is its result.
        """
        ...
