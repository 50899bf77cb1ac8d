"""Steps on clean checkouts: what is verified is a commit, and nothing that an agent left beside it."""

from dataclasses import replace

from temporalio import activity

from domain.threads.ports import Workspaces
from domain.verification.checkouts import Checkout, Recipe, ran_on
from domain.verification.ports import StepPlace, Verifier
from domain.verification.steps import (
    OUTPUT_TAIL_BYTES,
    StepResult,
    StepType,
    VerificationStep,
    on_unaltered,
)

Ran = tuple[StepResult, str]


class CleanSteps:
    """Runs a step on the clean checkout of a commit; another one's processes are not there."""

    def __init__(self, workspaces: Workspaces, verifier: Verifier) -> None:
        self._workspaces = workspaces
        self._verifier = verifier

    async def run(
        self, step: VerificationStep, place: StepPlace, commit: str, recipe: Recipe
    ) -> Ran:
        """Run a step; `place` is the workspace's worktree.

        A health check asks the server that the agent left running, so it stays in the worktree, and
        its receipt names no tree. The recipe's commands run before the checkout's first step; one
        that fails is that step's failure.
        """
        if step.type is StepType.HTTP_HEALTH:
            result, output = await self._verifier.run_step(step, place, activity.heartbeat)
            altered = await self._workspaces.altered(place.workspace, commit)
            return on_unaltered(result, altered), output
        checkouts = self._workspaces.checkouts
        checkout = await checkouts.open(place.workspace, commit, recipe)
        at = replace(place, directory=checkout.directory, shown_at=checkout.shown_at)
        watch = await checkouts.watch(place.workspace, commit, step)
        try:
            if not checkout.is_prepared:
                failure = await self._prepare(step, at, recipe)
                if failure is not None:
                    await checkouts.discard(place.workspace)
                    return _on(failure, checkout, recipe)
                await checkouts.prepared(place.workspace)
            result, output = await self._verifier.run_step(step, at, activity.heartbeat)
            result = result.model_copy(update={"judged": watch.end()})
        finally:
            watch.close()
        altered = await checkouts.altered(place.workspace, commit) if result.passed else ()
        return _on((on_unaltered(result, altered), output), checkout, recipe)

    async def _prepare(self, step: VerificationStep, at: StepPlace, recipe: Recipe) -> Ran | None:
        """Run the recipe's commands; returns the step's failure where one of them failed."""
        for command in recipe.prepare:
            asked = VerificationStep(id=step.id, type=StepType.COMMAND, label=step.label)
            asked = asked.model_copy(update={"command": command, "required": step.required})
            result, output = await self._verifier.run_step(asked, at, activity.heartbeat)
            if not result.passed:
                report = f"prepare: {command}\n{result.output}"[:OUTPUT_TAIL_BYTES]
                return result.model_copy(update={"output": report}), f"prepare: {command}\n{output}"
        return None


def _on(ran: Ran, checkout: Checkout, recipe: Recipe) -> Ran:
    """Return what a step gave with its receipt, and with the names that the task's agent knows."""
    own, known = str(checkout.directory), str(checkout.shown_at)
    result, output = ran
    result = result.model_copy(update={"output": result.output.replace(own, known)})
    return ran_on(result, checkout, recipe), output.replace(own, known)
