"""Agents that do what a workflow test says."""

import asyncio
from collections.abc import Awaitable, Callable

from domain.agents.agents import AgentAnswer, AgentCall, DoneReport, StopReason, TurnInput
from domain.agents.offers import OfferedOption
from domain.conversations.events import AgentSessionOpened, PromptSent
from domain.core.ids import SessionId
from domain.core.ports import Beat, Record

Play = Callable[[AgentCall], Awaitable[AgentAnswer]]


class PlayedRunner:
    """Agents that do what `play` says, or are done at once; planners in `planned` think till then."""

    def __init__(self) -> None:
        self.planned: dict[str, asyncio.Event] = {}
        self.calls: list[AgentCall] = []
        self.closed: list[str] = []
        self.play: Play | None = None
        self.offered: tuple[OfferedOption, ...] = ()

    async def run_turn(self, call: AgentCall, record: Record, beat: Beat) -> AgentAnswer:
        self.calls.append(call)
        turn_id, offered = call.turn.turn_id, self.offered
        await record(AgentSessionOpened(turn_id=turn_id, agent_session="agent-1", options=offered))
        await record(PromptSent(turn_id=call.turn.turn_id, text=call.prompt))
        if call.turn.prompt.name == "planner" and call.turn.thread_id in self.planned:
            await self.planned[call.turn.thread_id].wait()
        if self.play is not None:
            return await self.play(call)
        return done()

    async def close(self, session_id: SessionId) -> None:
        self.closed.append(session_id)

    def turns(self, thread: str, role: str) -> list[TurnInput]:
        """The turns that a role had in a thread, in order; one that was attempted again is listed once."""
        own = (call.turn for call in self.calls if call.turn.thread_id == thread)
        return list({turn.turn_id: turn for turn in own if turn.role == role}.values())

    def prompts(self, role: str) -> list[str]:
        """The names of the prompts that a role's turns got."""
        return [c.turn.prompt.name for c in self.calls if c.turn.role == role]


def done(summary: str = "did it") -> AgentAnswer:
    return AgentAnswer(
        stop_reason=StopReason.END_TURN,
        agent_session="agent-1",
        report=DoneReport(summary=summary),
    )


def ended(reason: StopReason = StopReason.END_TURN) -> AgentAnswer:
    return AgentAnswer(stop_reason=reason, agent_session="agent-1")
