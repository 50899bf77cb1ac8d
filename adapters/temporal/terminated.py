"""What workflows leave that were terminated in Temporal, or failed: it is released, and said in the journal.

A thread's tasks and sessions outlive it, for it may continue as new; so do those of a run of a flow. Here
they are told to end: their agents stop and their work is checkpointed, as with our abort.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import NoReturn, Protocol

from temporalio.client import (
    Client,
    WorkflowExecution,
    WorkflowExecutionStatus,
    WorkflowFailureError,
    WorkflowHandle,
)
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal.ended_leases import reap_leases
from adapters.temporal.last_run import LastRun, read_last_run
from domain.agents.agents import StopReason
from domain.agents.ports import PortLeases
from domain.conversations.calls import TurnCall
from domain.conversations.commands import Close
from domain.conversations.events import (
    MessageQueued,
    MessageWithdrawn,
    PromptSent,
    TurnEnded,
    TurnStarted,
)
from domain.conversations.sessions.rules import QueuePrompt
from domain.core.command import Stopping
from domain.core.errors import JournalError
from domain.core.event import EventBody, Headline
from domain.core.ids import SessionId, StreamId, TurnId
from domain.core.ports import Journal
from domain.core.wire import Wire
from domain.flows.person_commands import StopFlow
from domain.reading.terminated import ending_of
from domain.tasks.running_commands import Abort
from domain.threads.children.commands import StopChild
from domain.threads.replacing.commands import LoseSession

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 30.0
END_SECONDS = 60.0
"""How long a task or session of what was terminated may take to end its agent, before it is terminated, too."""

BY = "Temporal"
_TOPS = ("Thread", "Flow")
_ENDED = (
    "WorkflowType IN ('Thread', 'Flow', 'Task', 'Session') "
    "AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut', 'Canceled')"
)
_STOPS: dict[str, tuple[str, Wire]] = {
    "Task": ("abort", Abort(by=BY)),
    "Session": ("close", Close(by=BY)),
    "Thread": ("stop_child", StopChild(by=BY)),
    "Flow": ("stop_flow", StopFlow(by=BY)),
}
"""How what goes on is told to end, by its type."""


class Runner(Protocol):
    """Ends agents."""

    async def close(self, session_id: SessionId) -> None:
        """End a session's agent; one that has none is fine."""
        ...


class Terminals(Protocol):
    """Ends terminals."""

    async def end_all(self, owner: StreamId, note: str) -> None:
        """End all terminals of an owner; once more is fine."""
        ...


class Streams(Journal, Protocol):
    """A journal that lists streams."""

    async def streams(self, top: StreamId) -> list[StreamId]:
        """Return a stream and those under it that have events."""
        ...


class Held(Protocol):
    """What threads hold on this host."""

    @property
    def runner(self) -> Runner:
        """Agents."""
        ...

    @property
    def leases(self) -> PortLeases:
        """Ports."""
        ...

    @property
    def terminals(self) -> Terminals:
        """Terminals."""
        ...


class Turns(Protocol):
    """Ends turns."""

    async def end(self, call: TurnCall, queue: str) -> None:
        """Commit what a turn of a queue changed and journal its end; one that has ended, or another host's, is fine."""
        ...


class Terminated:
    """Looks for workflows that ended otherwise than by themselves; each host does, for what it holds."""

    def __init__(self, client: Client, journal: Streams, held: Held, turns: Turns) -> None:
        self._client = client
        self._journal = journal
        self._held = held
        self._turns = turns
        self._done: set[str] = set()

    async def keep_sweeping(self, seconds: float = SWEEP_SECONDS) -> NoReturn:
        """Give back the ports of tasks that have ended, then sweep for ever; what fails is tried again."""
        await reap_leases(self._client, self._held.leases)
        while True:
            try:
                await self.sweep()
            except (RPCError, JournalError, OSError):
                logger.warning("terminated workflows could not be looked for", exc_info=True)
            await asyncio.sleep(seconds)

    async def sweep(self) -> list[str]:
        """Clean up after all that has ended so; returns the workflow ids."""
        swept: list[str] = []
        async for ended in self._client.list_workflows(_ENDED):
            if ended.run_id in self._done or "'" in ended.id:  # none of our ids has one
                continue
            if not await self._is_running(ended.id):
                await self._clean(ended)
                swept.append(ended.id)
            self._done.add(ended.run_id)
        return swept

    async def _is_running(self, workflow_id: str) -> bool:
        """Tell whether a later run goes on: a retried task, or a workflow that was reset."""
        about = await self._client.get_workflow_handle(workflow_id).describe()
        return about.status is WorkflowExecutionStatus.RUNNING

    async def _clean(self, ended: WorkflowExecution) -> None:
        status = ended.status.name.lower().replace("_", " ") if ended.status else "ended"
        reason = f"its workflow ended in Temporal ({status})"
        logger.warning("cleaning up after a workflow", extra={"workflow": ended.id})
        if ended.workflow_type in _TOPS:
            await self._end_children(ended.id)
            await self._release(StreamId(ended.id))
        if ended.workflow_type == "Session":
            await self._clean_session(ended, reason)
        else:
            await self._record(ended, reason)

    async def _clean_session(self, ended: WorkflowExecution, reason: str) -> None:
        """End its agent and its turn, and tell its owner."""
        await self._held.runner.close(SessionId(ended.id))
        last = await read_last_run(self._client, ended.id, ended.run_id)
        if last.turn is not None:
            await self._turns.end(last.turn.call, last.turn.queue)
        await self._record(ended, reason)
        await self._tell_owner(ended.id, reason, last)

    async def _end_children(self, workflow_id: str) -> None:
        """Tell all that it started to end, and wait for what ends; child threads live on, cancelled."""
        query = f"ParentWorkflowId = '{workflow_id}' AND ExecutionStatus = 'Running'"
        ending: list[WorkflowHandle[object, object]] = []
        async for child in self._client.list_workflows(query):
            name, message = _STOPS.get(child.workflow_type, ("", None))
            if message is None:
                continue
            handle = self._client.get_workflow_handle(child.id)
            await _signal(handle, name, message)
            if child.workflow_type not in _TOPS:
                ending.append(handle)
        await asyncio.gather(*map(_ended, ending))

    async def _release(self, top: StreamId) -> None:
        """End agents and terminals, and give back ports, of all below; worktrees and branches stay."""
        for stream in await self._journal.streams(top):
            if "/session-" in stream:
                await self._held.runner.close(SessionId(stream))
            await self._held.terminals.end_all(stream, "ended with its thread")
        for owner in await self._held.leases.owners():
            if owner.startswith(f"{top}/"):
                await self._held.leases.release(owner)

    async def _record(self, ended: WorkflowExecution, reason: str) -> None:
        """Journal the end of a stream, and of those below it."""
        is_top = ended.workflow_type in _TOPS
        below = await self._journal.headlines(below=StreamId(ended.id))
        lines = [line for line in below if is_top or line.stream == ended.id]
        for line in sorted(lines, key=_deepest_first):
            why = reason if line.stream == ended.id else f"ended with {ended.id}"
            end = ending_of(line, ended.run_id, why, datetime.now(UTC))
            if end is not None:
                await self._journal.append([end[0]], [end[1]])

    async def _tell_owner(self, session_id: str, reason: str, last: LastRun) -> None:
        """Tell a session's owner that it is gone, with what nobody has read; a flow stops for it."""
        owner = self._client.get_workflow_handle(session_id.rpartition("/")[0])
        if session_id.startswith("thread-"):
            name = SessionId(session_id)
            unread = await self._unread_in(StreamId(session_id), last)
            lost = LoseSession(session_id=name, reason=reason, messages=unread)
            await _signal(owner, "lose_session", lost)
        else:
            await _signal(owner, "stop_flow", StopFlow(by=BY))

    async def _unread_in(self, session: StreamId, last: LastRun) -> tuple[QueuePrompt, ...]:
        """Return what people said to a session and its agent was not told, also where it is not journaled.

        A turn that was cut before its prompt was sent has told the agent nothing.

        What it passed to the work is among it: its thread knows whether that has come.
        """
        told = {message.key: message for message in last.told if message.prompt.by}
        waiting: dict[str, QueuePrompt] = {}
        begun: dict[TurnId, str] = {}
        position = 0
        while page := await self._journal.read(session, after=position):
            position = page[-1].position
            for body in (journaled.event.body for journaled in page):
                match body:
                    case MessageQueued(message_id=key, prompt=prompt) if prompt.by:
                        waiting[key] = QueuePrompt(key=key, prompt=prompt)
                        told.pop(key, None)
                    case TurnStarted(turn_id=turn, message_id=str(key)):
                        begun[turn] = key
                    case _ if done := _done_by(body, begun):
                        waiting.pop(done, None)
                        told.pop(done, None)
                    case _:
                        pass
        return (*waiting.values(), *told.values())


def _done_by(body: EventBody, begun: Mapping[TurnId, str]) -> str | None:
    """Return the message that its agent was told, or that was withdrawn, as an event shows it."""
    match body:
        case MessageWithdrawn(message_id=key, is_for_work=False):
            return key
        case PromptSent(turn_id=turn):
            return begun.get(turn)
        case TurnEnded(result=result) if result.stop_reason is not StopReason.CANCELLED:
            return begun.get(result.turn_id)
        case _:
            return None


async def _signal(handle: WorkflowHandle[object, object], name: str, message: Wire) -> None:
    """Signal a workflow; one that has ended needs none."""
    try:
        if isinstance(message, Stopping):
            message = message.model_copy(update={"addressed_to": handle.id})
        await handle.signal(name, message)  # pyright: ignore[reportUnknownMemberType] SDK's type
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:
            raise


async def _ended(handle: WorkflowHandle[object, object]) -> None:
    """Wait until a workflow has ended; terminate one that does not."""
    try:
        async with asyncio.timeout(END_SECONDS):
            await handle.result()
    except TimeoutError:
        with suppress(RPCError):
            await handle.terminate("its thread was terminated, and it did not end")
    except (WorkflowFailureError, RPCError):
        return


def _deepest_first(line: Headline) -> int:
    return -line.stream.count("/")
