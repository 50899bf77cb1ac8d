"""Verification of the tree that a merge would make, before the branch moves to it.

A sibling that was merged meanwhile changes what a merge gives: the steps that passed on the task's
own tree have said nothing of that one.
"""

from datetime import UTC, datetime
from pathlib import Path

from activities.clean_steps import CleanSteps
from domain.agents.ports import PortLeases
from domain.core.event import Event
from domain.core.ids import EventId
from domain.core.ports import Journal
from domain.core.workspaces import MergeCandidate
from domain.recipes.services import Services
from domain.threads.calls import SettleCall
from domain.threads.events import MergeStepEnded
from domain.threads.ports import Workspaces
from domain.verification.ports import StepPlace, Verifier
from domain.verification.steps import (
    OUTPUT_TAIL_BYTES,
    StepResult,
    VerificationAttempt,
    VerificationStep,
    has_passed,
    next_step,
)


class MergedTrees:
    """Runs a task's steps on merge candidates, on clean checkouts beside the task's workspace."""

    def __init__(
        self,
        journal: Journal,
        workspaces: Workspaces,
        verifier: Verifier,
        leases: PortLeases,
        services: Services | None = None,
    ) -> None:
        self._journal = journal
        self._workspaces = workspaces
        self._clean = CleanSteps(workspaces, verifier, services)
        self._leases = leases

    async def verify(self, call: SettleCall, candidate: MergeCandidate) -> str:
        """Run the steps; returns why the tree must not be merged, empty where it may.

        Each result is journaled under an id of tree and step: another attempt runs none again.
        """
        attempt = VerificationAttempt(attempt=0, tree=candidate.tree)
        while (step := next_step(call.steps, attempt)) is not None:
            result = await self._result(call, candidate, step, is_first=not attempt.steps)
            attempt = attempt.model_copy(update={"steps": (*attempt.steps, result)})
        if has_passed(call.steps, attempt):
            return ""
        failed = (r.label or r.step_id for r in attempt.steps if r.is_required and not r.passed)
        return f"merged with {call.branch} as it is now, {', '.join(failed)} fails: retry the task"

    async def _result(
        self, call: SettleCall, candidate: MergeCandidate, step: VerificationStep, *, is_first: bool
    ) -> StepResult:
        key = EventId(f"{call.key}:{candidate.tree}:{step.id}")
        known = await self._journal.event(key)
        if known is None:
            if is_first:
                directory = await self._workspaces.check_out(call.workspace, candidate.commit)
                await self._clean.discard(call.workspace)
            else:
                # what an earlier step built may be what this one needs
                directory = await self._workspaces.prepare(call.workspace)
            result = await self._run(call, step, directory, candidate.commit)
            body = MergeStepEnded(
                task_id=call.task_id, run=call.run, tree=candidate.tree, result=result
            )
            event = Event(id=key, stream=call.stream, at=datetime.now(UTC), body=body)
            await self._journal.append([event])
            return result
        if not isinstance(known.body, MergeStepEnded):
            raise TypeError(f"event {key} is no end of a step on a merged tree")
        return known.body.result

    async def _run(
        self, call: SettleCall, step: VerificationStep, directory: Path, commit: str
    ) -> StepResult:
        owner = call.workspace.workspace_id
        ports = {name: await self._leases.lease(owner, name) for name in call.port_ids}
        place = StepPlace(directory, call.workspace, ports)
        result, output = await self._clean.run(step, place, commit, call.recipe)
        if len(output.encode()) <= OUTPUT_TAIL_BYTES:
            return result
        return result.model_copy(update={"output_ref": await self._journal.put_text(output)})
