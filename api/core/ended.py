"""Threads and flow runs that were terminated in Temporal: they are renamed, archived and deleted like others."""

import hashlib
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, NamedTuple

from fastapi import Depends

from api.core.dependencies import FlowProjectionsDep, JournalDep, ThreadsDep, WorkflowsDep
from domain.core.command import Answer, Command
from domain.core.decisions import Decided
from domain.core.errors import NotConfirmedError, NotFoundError, UnavailableError
from domain.core.event import Headline
from domain.core.ids import StreamId
from domain.core.lifecycle.commands import Archive, DeleteThread, Pin, Rename, Unarchive, Unpin
from domain.flows.rules import FLOW_RULES
from domain.flows.state import FlowState, FlowStatus
from domain.reading.terminated import headline_after
from domain.threads.lifecycle.calls import RemovalCall
from domain.threads.lifecycle.ended import EndedInput
from domain.threads.rules import THREAD_RULES
from domain.threads.state import ThreadState
from workflows.removals import removal_of_ended, removal_of_run

LIFECYCLE = (Archive, Unarchive, Pin, Unpin, Rename, DeleteThread)
"""What is still done with what has ended."""


class Ended(NamedTuple):
    """What was terminated, as the journal knows it: where it was, a decision on it, what it holds."""

    stream: StreamId
    host: str
    decided: Decided
    removal: RemovalCall | None


def ended_thread(state: ThreadState, command: Command) -> Ended | None:
    """Return what a command means for a thread; None where its workflow is there to decide that.

    Raises:
        TreadleError: It is refused.
    """
    opened = state.opened
    if opened is None or not state.lifecycle.is_terminated:
        return None
    decided = THREAD_RULES.decide(state, command, datetime.now(UTC))
    removal = None
    if isinstance(command, DeleteThread):
        removal = removal_of_ended(state, is_forced=command.is_forced)
    return Ended(StreamId(state.thread_id), opened.host, decided, removal)


def ended_run(state: FlowState, command: Command) -> Ended | None:
    """Return what a command means for a run of a flow, as for a thread."""
    if state.status is not FlowStatus.TERMINATED:
        return None
    decided = FLOW_RULES.decide(state, command, datetime.now(UTC))
    removal = None
    if isinstance(command, DeleteThread):
        sessions = tuple(conversation.session_id for conversation in state.conversations)
        removal = removal_of_run(state, sessions, is_forced=command.is_forced)
    return Ended(state.run_id, state.host, decided, removal)


def input_of(ended: Ended, line: Headline | None, command_id: str) -> EndedInput:
    """Return what a workflow of the command's own starts with; the same command has the same id."""
    key = hashlib.sha256(command_id.encode()).hexdigest() if command_id else uuid.uuid4().hex
    events = () if ended.removal else ended.decided.events
    return EndedInput(
        workflow_id=f"{ended.stream}/ended-{key[:32]}",
        stream=ended.stream,
        host=ended.host,
        events=events,
        headline=headline_after(line, events) if line and events else None,
        removal=ended.removal,
    )


class EndedStreams:
    """Carries out what people do with what has no workflow any more."""

    def __init__(
        self,
        journal: JournalDep,
        threads: ThreadsDep,
        runs: FlowProjectionsDep,
        workflows: WorkflowsDep,
    ) -> None:
        self._journal = journal
        self._threads = threads
        self._runs = runs
        self._workflows = workflows

    async def carry_out(self, stream: str, command: Command) -> Answer | None:
        """Carry out a command; None where the workflow is there, or is not known to have ended.

        Raises:
            TreadleError: It is refused, or cannot be done.
        """
        if not isinstance(command, LIFECYCLE):
            return None
        ended = await self._ended(stream, command)
        if ended is None:
            return None
        if not ended.removal and not ended.decided.events:
            return ended.decided.answer
        below = await self._journal.headlines(below=ended.stream)
        line = next((each for each in below if each.stream == stream), None)
        given = input_of(ended, line, command.command_id)
        if ended.removal is None:
            await self._workflows.carry_out_ended(given)
            return ended.decided.answer
        return await self._remove(given, ended.decided.answer)

    async def _remove(self, given: EndedInput, meanwhile: Answer) -> Answer:
        try:
            answer = await self._workflows.carry_out_ended(given)
        except NotConfirmedError:  # it takes long
            return meanwhile
        if not answer.data:
            raise UnavailableError(answer.message)
        return answer

    async def _ended(self, stream: str, command: Command) -> Ended | None:
        with suppress(NotFoundError):  # the workflow says what there is
            if stream.startswith("flow-"):
                return ended_run((await self._runs.fold(stream)).state, command)
            return ended_thread((await self._threads.fold(stream)).thread, command)
        return None


EndedDep = Annotated[EndedStreams, Depends()]
