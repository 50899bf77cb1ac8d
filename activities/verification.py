"""The run of one verification step."""

from datetime import UTC, datetime
from pathlib import Path

from temporalio import activity

from activities.claims import claim_of
from activities.clean_steps import CleanSteps, Ran
from activities.errors import translated
from activities.heartbeats import beating
from domain.core.event import Event
from domain.core.ports import Fences, Journal
from domain.tasks.events import VerificationStepEnded
from domain.threads.ports import Workspaces
from domain.verification.calls import StepAnswer, StepCall
from domain.verification.ports import StepPlace, Verifier
from domain.verification.steps import OUTPUT_TAIL_BYTES, StepResult, ends_attempt, on_unaltered


class Verification:
    """Runs steps in the workspace of a task."""

    def __init__(
        self, journal: Journal, workspaces: Workspaces, verifier: Verifier, fences: Fences
    ) -> None:
        self._journal = journal
        self._workspaces = workspaces
        self._verifier = verifier
        self._fences = fences
        self._clean = CleanSteps(workspaces, verifier)

    @activity.defn
    async def run_verification_step(self, call: StepCall) -> StepAnswer:
        """Run one step to its result; a failing step is a result, not an error.

        The result is journaled before it is returned: a retry finds it and runs nothing again. An
        attempt that a newer one took the workspace from ends as superseded, without a result.
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
                result, output = await self._run(call)
                if len(output.encode()) > OUTPUT_TAIL_BYTES:
                    reference = await self._journal.put_text(output)
                    result = result.model_copy(update={"output_ref": reference})
                fence.refuse_stale()
                await self._end(call, result, started)
                if call.recipe is not None and (call.is_last or ends_attempt(call.step, result)):
                    # not before: another attempt would miss what earlier steps made there
                    await self._workspaces.checkouts.discard(call.workspace)
        return await self._ended(call) or StepAnswer(result=result)

    async def _run(self, call: StepCall) -> Ran:
        directory = await self._directory(call)
        place = StepPlace(directory, call.workspace, call.ports)
        if call.recipe is None or call.subject is None:
            result, output = await self._verifier.run_step(call.step, place, activity.heartbeat)
            if result.passed and call.subject is not None:
                altered = await self._workspaces.altered(call.workspace, call.subject)
                result = on_unaltered(result, altered)
            return result, output
        if call.commit is not None:
            await self._workspaces.checkouts.discard(call.workspace)  # each attempt has a new one
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
