"""The port to verification."""

from typing import Protocol

from domain.agents.hosting import StepPlace
from domain.core.ports import Beat
from domain.verification.steps import StepResult, VerificationStep


class Verifier(Protocol):
    """Runs verification steps."""

    async def run_step(
        self, step: VerificationStep, place: StepPlace, beat: Beat
    ) -> tuple[StepResult, str]:
        """Run one step; returns its result and its whole output (capped, the cut marked).

        Never raises for a step that fails, times out or cannot start: that is its result.
        """
        ...
