"""Verification on demand: an agent looks how its work stands before it reports it.

Informational: nothing of it is counted, and nothing follows from it. The steps run beside the agent, on
its files as they are, in the hold that its turn has on the workspace; they end with the turn.
"""

import asyncio
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from adapters.tools.grants import Grant, RunningTurn
from domain.core.errors import WrongStateError
from domain.core.event import Event
from domain.core.ids import EventId, SessionId
from domain.core.ports import CommandDoor, Journal
from domain.tasks.events import VerificationChecked
from domain.tasks.terminal_commands import LookUpTask
from domain.verification.ports import StepPlace, Verifier
from domain.verification.steps import (
    StepResult,
    StepType,
    VerificationAttempt,
    VerificationStep,
    failure_report,
    has_passed,
    next_step,
)

ANSWER_SECONDS = 40.0
KEY = "verification on demand"


@dataclass
class _Check:
    """One run of the steps; `resources` is step 0. Reviews are made when the work is reported."""

    steps: tuple[VerificationStep, ...]
    ports: Mapping[str, int]
    resources: StepResult | None = None
    attempt: VerificationAttempt = field(default_factory=lambda: VerificationAttempt(attempt=0))

    def add(self, result: StepResult) -> None:
        self.attempt = self.attempt.model_copy(update={"steps": (*self.attempt.steps, result)})

    @property
    def results(self) -> tuple[StepResult, ...]:
        return (*([self.resources] if self.resources else []), *self.attempt.steps)

    @property
    def has_passed(self) -> bool:
        are_resources_fine = self.resources is None or self.resources.passed
        return are_resources_fine and has_passed(self.steps, self.attempt)

    @property
    def progress(self) -> str:
        due = next_step(self.steps, self.attempt)
        number = len(self.attempt.steps) + 1
        return f"step {number} of {len(self.steps)}: {due.label or due.id}" if due else "ending"

    @property
    def report(self) -> str:
        verdict = "would pass" if self.has_passed else "would FAIL"
        made = self.attempt.model_copy(update={"steps": self.results})
        lines = (
            f"With the files as they are, verification {verdict}.",
            failure_report(self.steps, made) or "This task has no steps to run.",
            "This counts for nothing: call report_done when the work is finished.",
        )
        return "\n".join(lines)


class Checks:
    """The runs of verification on demand, one at a time for each session."""

    def __init__(self, door: CommandDoor, verifier: Verifier, journal: Journal) -> None:
        self._door = door
        self._verifier = verifier
        self._journal = journal
        self._running: dict[SessionId, _Check] = {}

    async def begin(self, grant: Grant) -> str:
        """Run all steps; where they are under way already, wait for those."""
        running = _turn_of(grant)
        if KEY not in running.work:
            asked = LookUpTask(session_id=grant.session_id, turn_id=running.turn.turn_id)
            check = _check_of((await self._door.send(grant.owner, asked)).data)
            if KEY not in running.work:
                self._running[grant.session_id] = check
                running.carry_out(KEY, self._carry_out(check, grant, running))
        return await self.result(grant)

    async def result(self, grant: Grant) -> str:
        """Return what the steps gave; after 40 s how far they are.

        Raises:
            WrongStateError: None were begun in this turn, or they were cut off with it.
        """
        work = _turn_of(grant).work.get(KEY)
        if work is None:
            raise WrongStateError("no verification runs in this turn: call run_verification first")
        await asyncio.wait({work}, timeout=ANSWER_SECONDS)
        if not work.done():
            return (
                f"Still running, {self._running[grant.session_id].progress}. "
                "Call verification_result to wait for the rest."
            )
        if work.cancelled():
            raise WrongStateError("the turn has ended, and verification with it")
        _turn_of(grant).work.pop(KEY, None)
        return work.result()

    async def _carry_out(self, check: _Check, grant: Grant, running: RunningTurn) -> str:
        place = StepPlace(running.directory, running.turn.workspace, check.ports)
        is_cut_off = True
        try:
            while (step := next_step(check.steps, check.attempt)) is not None:
                result, _ = await self._verifier.run_step(step, place, _no_beat)
                check.add(result)
            is_cut_off = False
        finally:
            del self._running[grant.session_id]
            body = VerificationChecked(
                turn_id=running.turn.turn_id,
                steps=check.results,
                passed=check.has_passed and not is_cut_off,
                is_cut_off=is_cut_off,
            )
            await self._record(grant, body)
        return check.report

    async def _record(self, grant: Grant, body: VerificationChecked) -> None:
        event_id = EventId(f"{body.turn_id}:checked:{uuid.uuid4().hex[:12]}")
        event = Event(id=event_id, stream=grant.owner, at=datetime.now(UTC), body=body)
        await self._journal.append([event])


def _check_of(facts: Mapping[str, Any]) -> _Check:
    known = (VerificationStep.model_validate(step) for step in facts["steps"])
    # pictures are kept of attempts alone: an agent may run the steps as often as it likes
    steps = tuple(step.model_copy(update={"keep": (), "picture": False}) for step in known)
    resources = facts.get("resources")
    return _Check(
        steps=tuple(step for step in steps if step.type is not StepType.REVIEW_AGENT),
        ports=facts["ports"],
        resources=StepResult.model_validate(resources) if resources else None,
    )


def _turn_of(grant: Grant) -> RunningTurn:
    if grant.running is None:
        raise WrongStateError("no turn of this session is running")
    return grant.running


def _no_beat() -> None:
    """Its turn heartbeats all the while."""
