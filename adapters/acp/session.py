"""One live session: its process, its line, and the turn that runs in it."""

import asyncio
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acp.exceptions import RequestError

from adapters.acp.transcript import Transcript
from adapters.acp.wire import Wire
from adapters.processes.children import Child
from adapters.tolerant import as_dict, as_list, as_text, at
from adapters.tools.server import Grant
from domain.agents import AgentProfile, SessionRole, StopReason, TurnInput, Usage
from domain.errors import AgentError
from domain.events.session import ToolCalled
from domain.permissions import PermissionOption, answer_permission

STDERR_TAIL = 2048
EXIT_SECONDS = 2.0
MAX_KNOWN_CALLS = 1000
SIGNAL_BASE = 128


@dataclass(frozen=True)
class TurnLimits:
    """When a turn is given up: silence, bytes that the agent may say, seconds it may take to obey."""

    idle_seconds: float = 1800.0
    max_turn_bytes: int = 256 << 20
    cancel_seconds: float = 10.0
    tick_seconds: float = 1.0


@dataclass(frozen=True)
class Said:
    """How a prompt was answered."""

    stop_reason: StopReason
    usage: Usage | None


class LiveSession:
    """A session whose process runs. One turn at a time; `transcript` is the running turn's."""

    agent_session = ""

    def __init__(
        self, child: Child, profile: AgentProfile, turn: TurnInput, grant: Grant, directory: Path
    ) -> None:
        self.grant = grant
        self.directory = directory
        self.profile = profile
        self.role: SessionRole = turn.role
        self.transcript: Transcript | None = None
        self.wire = Wire(child, self._updated, self._permitted)
        self._child = child
        self._calls: dict[str, tuple[str, str]] = {}
        self._dropped = 0
        self._is_failed = False
        grant.on_call = self._called

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._child.returncode is None

    def fits(self, profile: AgentProfile, directory: Path, agent_session: str | None) -> bool:
        """Tell whether a turn can go on in this process."""
        is_same = agent_session in {None, self.agent_session}
        return self.is_alive and is_same and (profile, directory) == (self.profile, self.directory)

    async def prompt(self, text: str, turn: TurnInput, limits: TurnLimits) -> Said:
        """Send a prompt and wait for the end of the turn.

        Cancelling cancels at the agent; one that does not obey in time is ended.

        Raises:
            AgentError: It fell silent, said too much, answered with an error or showed the sign of one.
            ConnectionError: It is gone.
        """
        self._is_failed = False
        params = {"sessionId": self.agent_session, "prompt": [{"type": "text", "text": text}]}
        asked = asyncio.create_task(self.wire.prompt("session/prompt", params))
        try:
            await self._watch(asked, turn, limits)
            said = _said(await asked)
        except asyncio.CancelledError:
            await self._cancel(asked, limits.cancel_seconds)
            raise
        except RequestError as error:
            detail = f" ({error.data})" if error.data else ""
            raise AgentError(f"it answered with an error: {error}{detail}") from error
        finally:
            asked.cancel()
            asked.add_done_callback(_seen)
        if self._is_failed:
            raise AgentError("it ended the turn after an error of its own; see its last message")
        return said

    async def why_gone(self) -> str:
        """Say how the process ended; waits a moment for it."""
        if not await self._child.is_over_within(EXIT_SECONDS):
            return "it closed its output while it went on running"
        code = self._child.returncode or 0
        number = -code if code < 0 else code - SIGNAL_BASE
        if number in set(signal.valid_signals()):
            return f"it was killed by {signal.Signals(number).name}"
        return f"it exited with code {code}"

    def failure(self, reason: str) -> AgentError:
        """Return the error that a person sees: the reason, and the agent's last words."""
        parts = [f"agent {self.profile.name!r} failed: {reason}"]
        if not self.agent_session and self.profile.install_hint:
            parts.append(self.profile.install_hint)
        if frames := self.wire.frames.dropped:
            parts.append(f"{frames} lines were no messages, the first: {self.wire.frames.sample!r}")
        tail = self._child.stderr_tail().encode()[-STDERR_TAIL:].decode(errors="ignore").strip()
        if tail:
            parts.append(f"its standard error ends with:\n{tail}")
        return AgentError("\n".join(parts))

    def note_dropped(self) -> None:
        """Tell the transcript once of the lines that were dropped since the last time."""
        new = self.wire.frames.dropped - self._dropped
        self._dropped += new
        if new and self.transcript is not None:
            self.transcript.note(
                f"{new} lines of the agent were no messages and were dropped; "
                f"the first: {self.wire.frames.sample!r}"
            )

    async def stop(self, grace: float) -> None:
        """End the process with all below it."""
        try:
            await self.wire.close()
        finally:
            await self._child.stop(grace)

    async def _watch(
        self, asked: asyncio.Task[dict[str, Any]], turn: TurnInput, limits: TurnLimits
    ) -> None:
        """Wait for the answer; give up on a silent or an endless agent, or a broken journal."""
        frames, clock = self.wire.frames, asyncio.get_running_loop().time
        started, heard_before = clock(), frames.heard_bytes
        own = turn.idle_timeout
        idle = own.total_seconds() if own is not None else limits.idle_seconds
        watched: set[asyncio.Task[Any]] = {asked}
        if self.transcript is not None:
            watched.add(self.transcript.writer)
        while not asked.done():
            await asyncio.wait(
                watched,
                timeout=min(limits.tick_seconds, idle),
                return_when=asyncio.FIRST_COMPLETED,
            )
            if self.transcript is not None and self.transcript.writer.done():
                self.transcript.writer.result()
            if not asked.done() and clock() - max(started, frames.heard_at) > idle:
                raise AgentError(f"it said nothing for {idle:g} s")
            if frames.heard_bytes - heard_before > limits.max_turn_bytes:
                raise AgentError(f"it said more than {limits.max_turn_bytes} bytes in one turn")

    async def _cancel(self, asked: asyncio.Task[dict[str, Any]], seconds: float) -> None:
        try:
            await self.wire.notify("session/cancel", {"sessionId": self.agent_session})
            await asyncio.wait({asked}, timeout=seconds)
        except ConnectionError:
            pass  # gone is cancelled
        finally:
            if not asked.done():
                await self.stop(grace=0)

    def _updated(self, params: dict[str, Any]) -> None:
        update = as_dict(params.get("update"))
        is_ours = params.get("sessionId") == self.agent_session
        if self.transcript is None or not update or not is_ours:
            return  # a replay on load, talk between turns, or another session
        call_id = as_text(update.get("toolCallId"))
        if call_id:
            kind, title = self._calls.get(call_id, ("", ""))
            if len(self._calls) >= MAX_KNOWN_CALLS:
                self._calls.clear()
            self._calls[call_id] = (
                as_text(update.get("kind")) or kind,
                as_text(update.get("title")) or title,
            )
        signs = self.profile.error_signs.items()
        self._is_failed |= any(at(update, place) == sign for place, sign in signs)
        self.transcript.add(update)

    def _permitted(self, params: dict[str, Any]) -> dict[str, Any]:
        call = as_dict(params.get("toolCall"))
        kind, title = self._calls.get(as_text(call.get("toolCallId")), ("", ""))
        kind, title = as_text(call.get("kind")) or kind, as_text(call.get("title")) or title
        answer = answer_permission(self.role, kind, title, _options(params.get("options")))
        outcome = "allowed once" if answer.is_allowed else "refused"
        if self.transcript is not None:
            self.transcript.note(f"permission for {title or kind or 'a tool call'!r}: {outcome}")
        if answer.option_id is None:
            return {"outcome": {"outcome": "cancelled"}}
        return {"outcome": {"outcome": "selected", "optionId": answer.option_id}}

    def _called(self, call: ToolCalled) -> None:
        if self.transcript is not None:
            self.transcript.put(call)


def _seen(task: asyncio.Task[dict[str, Any]]) -> None:
    """Take note of how a given-up prompt ended, so that asyncio need not complain."""
    if not task.cancelled():
        task.exception()


def _options(raw: Any) -> Sequence[PermissionOption]:
    offered = [as_dict(option) for option in as_list(raw)]
    return [
        PermissionOption(
            option_id=as_text(option.get("optionId")), kind=as_text(option.get("kind"))
        )
        for option in offered
    ]


def _said(answer: dict[str, Any]) -> Said:
    reason = as_text(answer.get("stopReason"))
    known = reason in set(StopReason)
    return Said(StopReason(reason) if known else StopReason.END_TURN, _usage(answer.get("usage")))


def _usage(raw: Any) -> Usage | None:
    counts = {name: count for name, count in as_dict(raw).items() if isinstance(count, int)}
    if not counts:
        return None
    return Usage(
        input_tokens=counts.get("inputTokens", 0),
        output_tokens=counts.get("outputTokens", 0),
        cached_tokens=counts.get("cachedReadTokens", 0),
    )
