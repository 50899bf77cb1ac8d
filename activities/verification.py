"""The run of one verification step."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from temporalio import activity

from activities.claims import claim_of
from activities.clean_steps import CleanSteps, Ran
from activities.errors import translated
from activities.heartbeats import beating
from domain.core.event import Event
from domain.core.ports import Fence, Fences, Journal
from domain.recipes.services import Services
from domain.tasks.events import VerificationStepEnded
from domain.threads.ports import Workspaces
from domain.verification.calls import StepAnswer, StepCall, calls_of
from domain.verification.ports import StepPlace, Verifier
from domain.verification.side_by_side import MAX_SIDE_BY_SIDE
from domain.verification.steps import (
    OUTPUT_TAIL_BYTES,
    StepResult,
    VerificationStep,
    ends_attempt,
    on_unaltered,
)


class Verification:
    """Runs steps in the workspace of a task."""

    def __init__(
        self,
        journal: Journal,
        workspaces: Workspaces,
        verifier: Verifier,
        fences: Fences,
        services: Services | None = None,
    ) -> None:
        self._journal = journal
        self._workspaces = workspaces
        self._verifier = verifier
        self._fences = fences
        self._clean = CleanSteps(workspaces, verifier, services)

    @activity.defn
    async def run_verification_step(self, call: StepCall) -> StepAnswer:
        """Run one step to its result; a failing step is a result, not an error.

        The result is journaled before it is returned: a retry finds it and runs nothing again. An
        attempt that a newer one took the workspace from ends as superseded, without a result. Steps
        beside it run at the same time, each to a result of its own, whatever the others give.
        """
        known = await self._ended(call)
        if known is not None:
            return known
        with translated():
            async with (
                beating(),
                self._fences.held(call.workspace.workspace_id, claim_of(call)) as fence,
            ):
                # the attempt that held the workspace until now may have come to its end
                known = await self._ended(call)
                if known is not None:
                    return known
                started = await self._journal.position()
                place = await self._place(call)
                results = await self._run_all(call, place, fence, started)
                failed = any(ends_attempt(step, result) for step, result in results)
                if call.recipe is not None and (call.is_last or failed):
                    # not before: another attempt would miss what earlier steps made there
                    await self._clean.discard(call.workspace)
        return await self._ended(call) or StepAnswer(result=results[0][1])

    async def _run_all(
        self, call: StepCall, place: StepPlace, fence: Fence, started: int
    ) -> list[tuple[VerificationStep, StepResult]]:
        """Run a step and those beside it, each until its result is journaled.

        All have ended, also where this is cancelled, when it returns or raises.
        """
        free = asyncio.Semaphore(MAX_SIDE_BY_SIDE)

        async def run(one: StepCall) -> tuple[VerificationStep, StepResult]:
            async with free:
                known = await self._ended(one)
                if known is not None:
                    return one.step, known.result
                result = await self._run_kept(one, place)
                fence.refuse_stale()
                await self._end(one, result, started)
                return one.step, result

        ran = await asyncio.gather(*map(run, calls_of(call)), return_exceptions=True)
        for outcome in ran:
            if isinstance(outcome, BaseException):
                raise outcome
        return [outcome for outcome in ran if not isinstance(outcome, BaseException)]

    async def _run_kept(self, call: StepCall, place: StepPlace) -> StepResult:
        result, output = await self._run(call, place)
        if len(output.encode()) <= OUTPUT_TAIL_BYTES:
            return result
        reference = await self._journal.put_text(output)
        return result.model_copy(update={"output_ref": reference})

    async def _place(self, call: StepCall) -> StepPlace:
        """Return where the steps run; each attempt has a new checkout."""
        directory = await self._directory(call)
        if None not in (call.recipe, call.subject, call.commit):
            await self._clean.discard(call.workspace)
        return StepPlace(directory, call.workspace, call.ports)

    async def _run(self, call: StepCall, place: StepPlace) -> Ran:
        if call.recipe is None or call.subject is None:
            result, output = await self._verifier.run_step(call.step, place, activity.heartbeat)
            if result.passed and call.subject is not None:
                async with self._clean.alone(place):
                    altered = await self._workspaces.altered(call.workspace, call.subject)
                result = on_unaltered(result, altered)
            return result, output
        return await self._clean.run(call.step, place, call.subject, call.recipe)

    async def _end(self, call: StepCall, result: StepResult, started: int) -> None:
        """Journal the result, unless the run of the task was ended while the step ran."""
        ended = VerificationStepEnded(attempt=call.attempt, result=result)
        event = Event(id=call.key, stream=call.stream, at=datetime.now(UTC), body=ended)
        await self._journal.append_before(event, "task_ended", after=started)

    async def _directory(self, call: StepCall) -> Path:
        if call.commit is None:
            return await self._workspaces.prepare(call.workspace)
        return await self._workspaces.check_out(call.workspace, call.commit)

    async def _ended(self, call: StepCall) -> StepAnswer | None:
        """Return the journaled result: of several attempts' the first one is the step's."""
        event = await self._journal.event(call.key)
        if event is None or not isinstance(event.body, VerificationStepEnded):
            return None
        return StepAnswer(result=event.body.result)
