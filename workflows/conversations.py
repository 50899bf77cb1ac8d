"""What workflows with agents share: turns run, agents wait for answers, the thread is told of rules."""

from collections.abc import Coroutine
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any, Generic, TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, is_cancelled_exception
from temporalio.exceptions import TimeoutError as TimedOutError

from activities.turns import Sessions, Turns
from domain.agents.agents import StopReason, TurnInput, TurnResult
from domain.agents.limits.money import HOLDS
from domain.conversations.calls import CloseSessionCall, TurnCall
from domain.conversations.commands import BeginTurn, EndTurn, EndWait, FreeTurn
from domain.conversations.effects import AwaitProvider, RunTurn
from domain.conversations.questions.commands import AskDecision, AwaitAnswer
from domain.conversations.questions.question import Rule
from domain.conversations.reports import NoteRules
from domain.conversations.turn import TurnState
from domain.core.command import Answer, Command
from domain.core.errors import WORKER_LOST, TreadleError
from domain.core.ids import SessionId, host_queue, thread_of
from domain.core.money import Money
from domain.core.moves import HostMove
from domain.core.wire import Wire
from domain.core.workspaces import WorkspaceSpec
from workflows import options
from workflows.effect_loop import E, EffectLoop
from workflows.loop import Start
from workflows.summaries import shown
from workflows.timers import wait_until

ANSWER_PATIENCE = timedelta(seconds=30)
DECISION_PATIENCE = timedelta(seconds=20)
"""Agents stop waiting for a tool's answer after 60 s."""

OF_CONVERSATIONS: dict[str, type[Wire]] = {"move_host": HostMove, "free_turn": FreeTurn}
"""What every workflow with agents is told by others of ours."""

T = TypeVar("T", bound=TurnState)


class ConversationLoop(EffectLoop[T, E], Generic[T, E]):
    """A loop with agents: one turn at a time, and questions to the person."""

    _queue: str
    _generation: int
    _rules_reported: tuple[Rule, ...] = ()
    _is_freed = False
    """Whether it was said, since the running turn began, that a spending limit has room again."""

    # --- what a subclass gives

    def turn_input(self) -> TurnInput | None:
        """Return what the running turn's agent is given; None where none runs."""
        raise NotImplementedError

    async def after_turn(self, turn: TurnInput, result: TurnResult) -> None:
        """Do what follows a turn, or a part of one, that has given its result."""

    # --- the host

    @property
    def generation(self) -> int:
        """How often it has moved to another host."""
        return self._generation

    def move(self, move: HostMove) -> None:
        """Go on at another host, with what is under way on this one; an older move changes nothing."""
        if move.generation <= self.generation:
            return
        self.go_on_at(move)
        self._generation, self._queue = move.generation, host_queue(move.host)
        self._hosting.move(self._queue)
        self._is_changed = True

    def go_on_at(self, move: HostMove) -> None:
        """Keep in mind, over new runs as well, where it is now."""
        raise NotImplementedError

    def was_cut_short(self, result: object) -> bool:
        """Tell whether a turn was only cancelled because of a move, and by nobody."""
        is_cancelled = isinstance(result, TurnResult) and result.stop_reason is StopReason.CANCELLED
        return is_cancelled and not self._state.is_stop_requested

    # --- turns

    def receive(self, message: Wire) -> None:
        """Take a message of another workflow of ours."""
        self._is_freed = self._is_freed or isinstance(message, FreeTurn)
        super().receive(message)

    def carry_out(self, effect: E) -> Coroutine[Any, Any, None]:
        """Return what carries out a turn, or the wait for its provider."""
        if isinstance(effect, AwaitProvider):
            return self._await_provider(effect)
        return self._take_turn()

    def must_stop(self, effect: E) -> bool:
        """Tell whether an effect must stop: a turn that a person stopped, a wait that is over."""
        is_required = self.is_required(effect)
        if isinstance(effect, RunTurn):
            return is_required and self._state.is_stop_requested
        return isinstance(effect, AwaitProvider) and not is_required

    async def _take_turn(self) -> None:
        """Begin the next turn, or go on with the one that was refused."""
        self.submit(BeginTurn())
        turn = self.turn_input()
        if turn is None:
            return  # its budget is used up, or nothing waits
        self._is_freed = False
        result = await self.run_turn(turn)
        is_held = result.provider in HOLDS
        if is_held and self._state.is_stop_requested:
            result = TurnResult(turn_id=turn.turn_id, stop_reason=StopReason.CANCELLED)
        self.submit(EndTurn(result=result))
        if is_held and self._is_freed:
            self.submit(FreeTurn())  # it was said before the turn was known to wait
        await self.after_turn(turn, result)

    async def run_turn(self, turn: TurnInput, grant: int = 0) -> TurnResult:
        """Run a turn, or what is left of it; one whose activity fails has a result as well."""
        call = TurnCall(turn=turn, grant=grant)
        where = options.on(self._queue, options.TURN)
        try:
            return await self.run_activity(Turns.run_agent_turn, call, where)
        except ActivityError as error:
            return failed_turn(turn, error)

    async def _await_provider(self, wait: AwaitProvider) -> None:
        if await wait_until(wait.until, wait.summary):
            self.submit(EndWait(turn_id=wait.turn_id))

    async def close_agent(
        self,
        session_id: SessionId,
        workspace: WorkspaceSpec | None,
        patience: timedelta | None = None,
    ) -> None:
        """End a session's agent, and remove the worktree that it has of its own.

        Its host must begin with that within `patience`; one that does not is left with them.
        """
        call = CloseSessionCall(session_id=session_id, workspace=workspace)
        where = options.on(self._queue, options.GIT)
        where = options.within(patience, where) if patience else where
        try:
            await self.run_activity(Sessions.close_session, call, where)
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            workflow.logger.warning("session not released", extra={"reason": str(error.cause)})

    # --- questions

    async def take(self, command: Command) -> Answer:
        """Take a command from a door; one that looks for an answer is answered a while later."""
        if isinstance(command, AwaitAnswer):
            self.decide(command)
            await self._await_news(command, ANSWER_PATIENCE)
            return self.decide(command).answer
        answer = await super().take(command)
        if not isinstance(command, AskDecision) or "version" not in answer.data:
            return answer
        waits = AwaitAnswer(**dict(command), seen=answer.data["version"])
        await self._await_news(waits, DECISION_PATIENCE)
        return await super().take(command)

    async def _await_news(self, waits: AwaitAnswer, patience: timedelta) -> None:
        """Wait until something was answered or withdrawn, or the turn is over."""
        with suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._has_news(waits),
                timeout=patience,
                timeout_summary=shown(f"answer {waits.session_id} without news"),
            )

    def _has_news(self, waits: AwaitAnswer) -> bool:
        try:
            self.decide(waits)
        except TreadleError:
            return True
        return self._state.questions.version != waits.seen

    # --- word to the thread

    def effects(self) -> dict[str, Start]:
        """Return what must be under way, as the rules require, and the reports to the thread."""
        return {**super().effects(), **self.reports()}

    def reports(self) -> dict[str, Start]:
        """Return the report to the thread of answers that count in all of it."""
        shared = self._state.questions.shared
        if shared == self._rules_reported:
            return {}
        return {f"rules-{len(shared)}": partial(self._report_rules, shared)}

    async def _report_rules(self, shared: tuple[Rule, ...]) -> None:
        self._rules_reported = shared
        thread = workflow.get_external_workflow_handle(thread_of(workflow.info().workflow_id))
        try:
            await thread.signal("note_rules", NoteRules(rules=shared))
        except ApplicationError:
            workflow.logger.info("the thread has ended")


def failed_turn(turn: TurnInput, error: ActivityError) -> TurnResult:
    """Return the result of a turn whose activity ended without one: cancelled, or failed.

    A lost or silent worker is tried again without end, so it ends a turn only where a person had
    stopped it by then. Nobody knows what such a turn cost: the ledger says so, too.
    """
    is_lost = getattr(error.cause, "type", None) == WORKER_LOST
    if is_cancelled_exception(error) or is_lost or isinstance(error.cause, TimedOutError):
        unknown = Money(unknown=1) if not is_cancelled_exception(error) else None
        cancelled = StopReason.CANCELLED
        return TurnResult(turn_id=turn.turn_id, stop_reason=cancelled, money=unknown)
    reason = str(error.cause or error)
    return TurnResult(turn_id=turn.turn_id, stop_reason=StopReason.REFUSAL, failure=reason)
