"""The run of one verification step."""

from datetime import UTC, datetime

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from domain.effects import StepAnswer, StepCall
from domain.events import Event
from domain.events.task import VerificationStepEnded
from domain.ports import Journal, Verifier, Workspaces
from domain.verification import OUTPUT_TAIL_BYTES


class Verification:
    """Runs steps in the workspace of a task."""

    def __init__(self, journal: Journal, workspaces: Workspaces, verifier: Verifier) -> None:
        self._journal = journal
        self._workspaces = workspaces
        self._verifier = verifier

    @activity.defn
    async def run_verification_step(self, call: StepCall) -> StepAnswer:
        """Run one step to its result; a failing step is a result, not an error.

        The result is journaled before it is returned: a retry finds it and runs nothing again.
        """
        known = await self._journal.event(call.key)
        if known is not None and isinstance(known.body, VerificationStepEnded):
            return StepAnswer(result=known.body.result)
        with translated():
            async with beating():
                directory = await self._workspaces.prepare(call.workspace)
                result, output = await self._verifier.run_step(
                    call.step, directory, call.ports, activity.heartbeat
                )
        if len(output.encode()) > OUTPUT_TAIL_BYTES:
            reference = await self._journal.put_text(output)
            result = result.model_copy(update={"output_ref": reference})
        ended = VerificationStepEnded(attempt=call.attempt, result=result)
        event = Event(id=call.key, stream=call.stream, at=datetime.now(UTC), body=ended)
        await self._journal.append([event])
        return StepAnswer(result=result)
