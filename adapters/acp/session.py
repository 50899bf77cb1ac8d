"""One live session: its process, its line, and the turn that runs in it."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from adapters.acp.choices import Offers
from adapters.acp.endings import (
    PromptResult,
    begins_like,
    describe_exit,
    describe_failure,
    failure_of,
    read_answer,
    refusal_in,
)
from adapters.acp.guard import Guard
from adapters.acp.launch import folder_identity
from adapters.acp.limits import TurnLimits, fitted
from adapters.acp.prompts import Block
from adapters.acp.questions import QuestionChannel, Questions, by_policy
from adapters.acp.spending import Spending
from adapters.acp.tally import Tally
from adapters.acp.tool_calls import ToolCalls
from adapters.acp.transcript import UPDATES, Transcript
from adapters.acp.violations import Violation, Violations
from adapters.acp.wire import Client, RefusedError, Wire
from adapters.egress.doors import Gate
from adapters.processes.children import Child
from adapters.tolerant import as_dict, at
from adapters.tools.grants import Grant
from domain.agents.agents import TurnInput
from domain.agents.profiles import AgentProfile
from domain.agents.sandbox import Sandbox
from domain.agents.updates import kind_of
from domain.conversations.events import ToolCalled
from domain.core.errors import AgentError, TreadleError

EXIT_SECONDS = 10.0
IDLE_BYTES = 1 << 20
"""What an agent may say between two turns; one that says more is not listened to until the next."""


class LiveSession:
    """A session whose process runs, one turn at a time; a fresh one has had no prompt yet."""

    agent_session = ""
    is_fresh = False
    lacks_tools = False

    def __init__(
        self,
        child: Child,
        profile: AgentProfile,
        turn: TurnInput,
        grant: Grant,
        directory: Path,
        *,
        channel: QuestionChannel,
    ) -> None:
        self.grant = grant
        self.directory = directory
        self._folder = folder_identity(directory)
        self.profile = profile
        self.tally = Tally()
        self.spending = Spending(self.tally, profile)
        self.offers: Offers | None = None
        self.takes: dict[str, Any] = {}
        self.sandbox, self.ports = Sandbox(), tuple[int, ...]()
        self.gate = Gate()
        self.beside: tuple[tuple[Path, Path], ...] = ()
        self.on_stop: Callable[[], Awaitable[None]] | None = None
        self.asking = Questions(channel, grant, self.give_up)
        self.tools = ToolCalls(self.asking.rights(turn, self.sandbox))
        self.transcript: Transcript | None = None
        self._guard = Guard(self.give_up, child.pid)
        self._oddities = Violations()
        self.wire = Wire(child, Client(self._updated, self.permitted, self._room), self._oddities)
        self.child = child
        self._is_failed = False
        self._given_up: TreadleError | None = None
        self._is_ending = False
        self._questions = 0
        grant.on_call = self._called

    @property
    def is_alive(self) -> bool:
        """Whether the process runs and is listened to."""
        return self.child.returncode is None and self.wire.is_open

    @property
    def is_in_turn(self) -> bool:
        """Whether a turn runs that nobody ends."""
        return self.transcript is not None and not self._is_ending

    def fits(self, profile: AgentProfile, directory: Path, agent_session: str | None) -> bool:
        """Tell whether a turn can go on in this process."""
        is_same = agent_session == self.agent_session
        # a folder that was made anew is not the one that the process works in
        is_there = directory == self.directory and folder_identity(directory) == self._folder
        return self.is_alive and is_same and is_there and profile == self.profile

    def begin_turn(self, turn: TurnInput, transcript: Transcript, limits: TurnLimits) -> None:
        """Take what comes from here on for a turn, and watch it."""
        self.transcript = transcript
        self._guard.begin(turn.turn_id, limits.circling, transcript)
        self._guard.lacks_tools(is_so=self.lacks_tools and not self.grant.listed.is_set())
        self.spending.begin(turn.turn_id, limits.spending_seconds, transcript)

    @contextmanager
    def waiting_for_a_person(self) -> Generator[None]:
        """Let the turn be silent while a person is asked: its idle time begins anew afterwards."""
        self._questions += 1
        try:
            yield
        finally:
            self._questions -= 1

    def give_up(self, error: TreadleError) -> None:
        """Have the running turn cancelled at the agent and ended with an error; the first one holds."""
        self._given_up = self._given_up or error

    async def prompt(
        self, content: list[Block], turn: TurnInput, limits: TurnLimits
    ) -> PromptResult:
        """Send a prompt and wait for the end of the turn.

        Cancelling cancels at the agent; one that does not obey in time is ended.

        Raises:
            AgentError: It fell silent, said too much, answered with an error or against the
                protocol, showed the sign of an error, or used a tool that it may not use.
            RefusedByProviderError: Its provider refused.
            ConnectionError: It is gone.
            TreadleError: The turn was given up with it.
        """
        self.tally.begin(is_fresh=self.is_fresh)
        self._is_failed = self._is_ending = self.is_fresh = False
        self._given_up = None
        self.tools.rights = self.asking.rights(turn, self.sandbox)
        self.wire.allow(limits.max_turn_bytes)
        params = {"sessionId": self.agent_session, "prompt": content}
        asked = asyncio.create_task(self.wire.request("session/prompt", params))
        try:
            await self._watch(asked, turn, limits)
            said = read_answer(await asked)
            self._refuse_failed()
            self.spending.answered()
        except asyncio.CancelledError:
            await self._cancel(asked, limits)
            raise
        except RefusedError as error:
            message = f"it answered with an error: {error}"
            raise failure_of(error.said, message, error.code) from error
        finally:
            self.spending.over(asked)
            asked.cancel()
            asked.add_done_callback(lambda one: one.cancelled() or one.exception())  # it is known
            self.wire.dismiss_requests()
            self.wire.allow(IDLE_BYTES)
        return said

    def _refuse_failed(self) -> None:
        """Raise what a turn that ended well by its stop reason failed with."""
        last = self.transcript.text if self.transcript is not None else ""
        if (refusal := refusal_in(last, self.profile.limit_signs)) is not None:
            raise refusal
        if self._is_failed or begins_like(last, self.profile.failure_signs):
            message = "it ended the turn after an error of its own; see its last message"
            raise failure_of(last, message)
        if self._given_up is not None:
            raise self._given_up

    async def why_gone(self) -> str:
        """Say how the process ended; waits a moment for it."""
        if not await self.child.is_over_within(EXIT_SECONDS):
            return "it closed its output while it went on running"
        code, frames = self.child.returncode or 0, self.wire.frames
        return describe_exit(code, is_mid_message=frames.is_cut_off)

    def failure(self, error: AgentError) -> AgentError:
        """Return the error that a person sees: the reason, and the agent's last words."""
        heard = (self._oddities.summary(), self.child.stderr_tail())
        return describe_failure(error, self.profile, *heard, is_opened=bool(self.agent_session))

    def end_turn(self) -> None:
        """Take no more for the turn, and tell its transcript once what was dropped."""
        self.grant.turn_id = None
        transcript, self.transcript = self.transcript, None
        if transcript is None:
            return
        self._oddities.count(Violation.LEFT_OUT, times=transcript.left_out)
        if oddities := self._oddities.summary():
            transcript.note(f"dropped of what the agent said: {oddities}")
        self._oddities.clear()

    async def stop(self, grace: float) -> None:
        """End the process with all below it."""
        try:
            await self.wire.close()
        finally:
            if self.on_stop is not None:
                await self.on_stop()
            await self.child.stop(grace)

    async def _watch(
        self, asked: asyncio.Task[dict[str, Any]], turn: TurnInput, limits: TurnLimits
    ) -> None:
        """Wait for the answer; give up on a silent agent, or a broken journal."""
        frames, clock = self.wire.frames, asyncio.get_running_loop().time
        started, own = clock(), turn.idle_timeout
        idle = own.total_seconds() if own is not None else limits.idle_seconds
        watched: set[asyncio.Task[Any]] = {asked}
        if self.transcript is not None:
            watched.add(self.transcript.writer)
        while not asked.done():
            tick = min(limits.tick_seconds, idle)
            await asyncio.wait(watched, timeout=tick, return_when=asyncio.FIRST_COMPLETED)
            if self.transcript is not None and self.transcript.writer.done():
                self.transcript.writer.result()
            if self._given_up is not None and not asked.done():
                await self._cancel(asked, limits)
                raise self._given_up
            if self._questions:
                started = clock()
            heard_at = max(started, frames.heard_at)
            is_waiting = asked.done() or self._questions > 0
            await self._guard.look(heard_at, self._oddities.total, is_waiting=is_waiting)
            self._guard.lacks_tools(is_so=self.lacks_tools and not self.grant.listed.is_set())
            self.spending.look(clock())
            if not asked.done() and clock() - heard_at > idle:
                reason = f"it said nothing for {idle:g} s"
                if frames.unread_bytes:
                    reason += " and does not read what it is sent"
                if self.transcript is not None:
                    self.transcript.note(f"the turn is ended: {reason}")
                await self._cancel(asked, limits)
                raise AgentError(reason)

    async def _cancel(self, asked: asyncio.Task[dict[str, Any]], limits: TurnLimits) -> None:
        """Cancel the turn at the agent; end one that does not obey, or does not even read it."""
        self._is_ending = True
        self.wire.tell("session/cancel", {"sessionId": self.agent_session})
        self.wire.dismiss_requests()
        try:
            await asyncio.wait({asked}, timeout=limits.cancel_seconds)
        finally:
            if not asked.done():
                await self.stop(limits.grace_seconds)

    async def _room(self) -> None:
        if self.transcript is not None:
            await self.transcript.room()

    def _updated(self, params: dict[str, Any]) -> None:
        update = as_dict(params.get("update"))
        kind = kind_of(update)
        self.tally.know(update)
        if self.offers is not None:
            self.offers.know(update)
        if self.transcript is None:
            return  # a replay on load, or talk between turns
        if params.get("sessionId") != self.agent_session:
            self._oddities.count(Violation.FOREIGN, f"session {params.get('sessionId')!r:.80}")
            return
        if kind not in UPDATES:
            self._oddities.count(Violation.UNKNOWN, kind)
        if not kind:
            return
        self.tally.count(update)
        self._guard.updated(update, self.tally.cost)
        if violation := self.tools.violation(update):
            self.give_up(AgentError(violation))
        signs = self.profile.error_signs.items()
        self._is_failed |= any(at(update, place) == sign for place, sign in signs)
        self.transcript.add(update)

    async def permitted(self, params: dict[str, Any]) -> dict[str, Any] | None:
        """Answer a question for permission, by policy or by a person; None for one that does not fit."""
        if params.get("sessionId") != self.agent_session:
            self._oddities.count(Violation.FOREIGN, "session/request_permission")
            return None
        if not self.is_in_turn:
            return {"outcome": {"outcome": "cancelled"}}
        self._guard.asked(params)
        request = self.tools.read(params)
        chosen = by_policy(request)
        if chosen is None:
            with self.waiting_for_a_person():
                chosen = await self.asking.ask(request)
        if self.transcript is not None:
            self.transcript.note(chosen.note, is_own=False)
        return chosen.outcome

    def _called(self, call: ToolCalled) -> None:
        if self.transcript is not None:
            arguments, _ = fitted(call.arguments)
            self.transcript.put(call.model_copy(update={"arguments": arguments}))
