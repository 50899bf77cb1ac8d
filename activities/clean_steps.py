"""Steps on clean checkouts: what is verified is a commit, and nothing that an agent left beside it."""

import asyncio
from dataclasses import replace
from weakref import WeakValueDictionary

from temporalio import activity

from domain.core.ids import StreamId, task_workflow_id
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.recipe import User
from domain.recipes.services import ServicePlace, Services, describe_failures
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
    """Runs a step on the clean checkout of a commit; another one's processes are not there.

    The services of the workspace's recipe run in the checkout from its first step to its end.
    """

    def __init__(
        self, workspaces: Workspaces, verifier: Verifier, services: Services | None = None
    ) -> None:
        self._workspaces = workspaces
        self._verifier = verifier
        self._services = services
        self._alone: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def alone(self, place: StepPlace) -> asyncio.Lock:
        """Return what one of the steps side by side holds while git works in their place."""
        return self._alone.setdefault(place.workspace.workspace_id, asyncio.Lock())

    async def discard(self, spec: WorkspaceSpec) -> None:
        """End the services of a workspace's checkout and remove it; a missing one is fine."""
        if self._services is not None and spec.recipe:
            await self._services.stop(_owner_of(spec), User.VERIFICATION, "verification ended")
        await self._workspaces.checkouts.discard(spec)

    async def run(
        self, step: VerificationStep, place: StepPlace, commit: str, recipe: Recipe
    ) -> Ran:
        """Run a step; `place` is the workspace's worktree.

        A health check asks the server that the agent left running, so it stays in the worktree, and
        its receipt names no tree. The recipe's commands run before the checkout's first step; one
        that fails is that step's failure, and so is a service that is not healthy.
        """
        if step.type is StepType.HTTP_HEALTH:
            result, output = await self._verifier.run_step(step, place, activity.heartbeat)
            altered = await self._workspaces.altered(place.workspace, commit)
            return on_unaltered(result, altered), output
        checkouts = self._workspaces.checkouts
        alone = self.alone(place)
        async with alone:  # of steps side by side, the first one prepares it for all
            checkout = await checkouts.open(place.workspace, commit, recipe)
            at = _in(checkout, place)
            watch = await checkouts.watch(place.workspace, commit, step)
            try:
                failure = await self._prepare_once(step, at, checkout, recipe)
                if failure is None:
                    at, failure = await self._serve(step, at)
            except BaseException:
                watch.close()
                raise
        if failure is not None:
            watch.close()
            return _on(failure, checkout, recipe)
        try:
            result, output = await self._verifier.run_step(step, at, activity.heartbeat)
            result = result.model_copy(update={"judged": watch.end()})
        finally:
            watch.close()
        async with alone:
            altered = await checkouts.altered(place.workspace, commit) if result.passed else ()
        return _on((on_unaltered(result, altered), output), checkout, recipe)

    async def _prepare_once(
        self, step: VerificationStep, at: StepPlace, checkout: Checkout, recipe: Recipe
    ) -> Ran | None:
        """Prepare a checkout that is not prepared; one where that fails is removed."""
        if checkout.is_prepared:
            return None
        failure = await self._prepare(step, at, recipe)
        if failure is not None:
            await self.discard(at.workspace)
        else:
            await self._workspaces.checkouts.prepared(at.workspace)
        return failure

    async def _serve(self, step: VerificationStep, at: StepPlace) -> tuple[StepPlace, Ran | None]:
        """Have the recipe's services run in a checkout; returns the place with their ports.

        Where one is not healthy, the step has failed by it.
        """
        if self._services is None or not at.workspace.recipe:
            return at, None
        place = ServicePlace(
            _owner_of(at.workspace), at.workspace, User.VERIFICATION, at.directory, at.shown_at
        )
        started = await self._services.start(place, activity.heartbeat)
        numbers = {
            each.port: each.run.number
            for each in started
            if each.port is not None and each.run.number is not None
        }
        at = replace(at, ports={**at.ports, **numbers})
        report = describe_failures(started)
        if not report:
            return at, None
        result = StepResult(
            step_id=step.id,
            label=step.label,
            passed=False,
            is_required=step.required,
            output=report[-OUTPUT_TAIL_BYTES:],
        )
        return at, (result, report)

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


def _in(checkout: Checkout, place: StepPlace) -> StepPlace:
    """Return a place with a checkout, and those beside it, in place of the worktrees."""
    return replace(
        place,
        directory=checkout.directory,
        shown_at=checkout.shown_at,
        beside=checkout.beside,
    )


def _owner_of(spec: WorkspaceSpec) -> StreamId:
    """Return whose services a workspace's are: its task's, or its own where it is of none."""
    if spec.task_id is None:
        return StreamId(spec.workspace_id)
    return StreamId(task_workflow_id(spec.thread_id, spec.task_id))


def _on(ran: Ran, checkout: Checkout, recipe: Recipe) -> Ran:
    """Return what a step gave with its receipt, and with the names that the task's agent knows."""
    own, known = str(checkout.directory), str(checkout.shown_at)
    result, output = ran
    result = result.model_copy(update={"output": result.output.replace(own, known)})
    return ran_on(result, checkout, recipe), output.replace(own, known)
