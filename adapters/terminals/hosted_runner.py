"""An `AgentRunner` whose agents are told what became of their terminals, and whose chats end theirs."""

from domain.agents.agents import AgentAnswer, AgentCall, SessionRole
from domain.agents.hosting import Terminals
from domain.agents.ports import AgentRunner
from domain.core.ids import SessionId, StreamId, TurnId, terminals_owner
from domain.core.ports import Beat, Record
from domain.tasks.terminals import describe_exits

_OWNERS = frozenset({SessionRole.TASK, SessionRole.CHAT})


class HostedRunner:
    """Runs turns with a runner, beside the terminals of its sessions."""

    def __init__(self, runner: AgentRunner, terminals: Terminals) -> None:
        self._runner = runner
        self._terminals = terminals
        self._notes: dict[SessionId, tuple[TurnId, str]] = {}

    async def run_turn(self, call: AgentCall, record: Record, beat: Beat) -> AgentAnswer:
        """Run one turn to its end; its answer tells how the terminals of its owner stand."""
        turn = call.turn
        if turn.role in _OWNERS and (note := self._note(turn.session_id, turn.turn_id)):
            prompts = {name: f"{getattr(call, name)}{note}" for name in ("prompt", "fresh_prompt")}
            call = call.model_copy(update=prompts)
        answer = await self._runner.run_turn(call, record, beat)
        owner = terminals_owner(turn.owner, turn.thread_id, turn.session_id)
        terminals = tuple(t.model_copy(update={"command": ""}) for t in self._terminals.of(owner))
        return answer.model_copy(update={"terminals": terminals})

    async def close(self, session_id: SessionId) -> None:
        """End a session's agent, and the terminals that are its own."""
        self._notes.pop(session_id, None)
        await self._runner.close(session_id)
        await self._terminals.end_all(StreamId(session_id), "ended with its session")

    def _note(self, session_id: SessionId, turn_id: TurnId) -> str:
        """Return what a turn's agent is told, the same in every try at the turn."""
        of_turn, note = self._notes.get(session_id, (None, ""))
        earlier = note if of_turn == turn_id else ""
        ends = describe_exits(self._terminals.unreported_exits(session_id))
        self._notes[session_id] = (turn_id, f"{earlier}{ends}")
        return self._notes[session_id][1]
