"""SessionWorkflow: one agent conversation of a thread, one turn at a time."""

from functools import partial
from typing import Any

from temporalio import workflow

from domain.agents.agents import ANSWERING, SessionRole, StopReason, TurnResult
from domain.agents.limits.budgets import Budget
from domain.conversations.commands import BeginTurn, EndTurn
from domain.conversations.inputs import turn_input
from domain.conversations.reports import EndSessionTurn
from domain.conversations.sessions import rules
from domain.conversations.sessions.inputs import Grant, SessionInput, primer_of, prompt_of
from domain.conversations.sessions.rules import (
    DropPrompt,
    OpenConversation,
    QueuePrompt,
)
from domain.conversations.sessions.state import SessionState, evolve
from domain.core.decisions import Decided
from domain.core.event import EventBody, Headline
from domain.core.ids import StreamId, host_queue
from domain.core.text import counted
from domain.core.wire import Wire
from domain.flows.answers import reply_excerpt
from domain.reading.commands import SESSION_COMMANDS
from workflows.attributes import Shown
from workflows.conversations import ConversationLoop
from workflows.doors import doors, parse_message
from workflows.loop import Start
from workflows.outbox import MAX_TITLE
from workflows.sharing import Place
from workflows.starts import check_start


@workflow.defn(name="Session")
@doors(*SESSION_COMMANDS)
class SessionWorkflow(ConversationLoop[SessionState]):
    """A queue of prompts; lives until it is closed."""

    @workflow.init
    def __init__(self, session: SessionInput) -> None:
        super().__init__(session, session.session_id)
        self._input = session
        self._state = session.carried or SessionState()
        self._queue = host_queue(session.host)
        self._place = Place(session.thread_id, session.session_id)
        self._shown = Shown("running")
        self._reported_turn = self._state.conversation.turns
        self._dropped: list[DropPrompt] = []

    @workflow.run
    async def run(self, session: SessionInput) -> None:
        """Converse until the session is closed, then end its agent and its workspace."""
        is_carried = session.carried is not None
        check_start(session.session_id, session.thread_id, is_carried=is_carried, is_child=True)
        if not is_carried:
            self.submit(
                OpenConversation(
                    session_id=session.session_id,
                    role=session.role,
                    agent=session.agent,
                    model=session.model,
                    options=session.options,
                    budget=Budget(context_tokens=session.max_context_tokens),
                )
            )
            self.submit(
                QueuePrompt(
                    key=session.first_key,
                    prompt=session.first_prompt,
                    place=session.first_place,
                    has_plan_files=session.has_plan_files,
                )
            )
            for drop in self._dropped:
                self.submit(drop)
        if await self.live():
            self.carry_over()
        await self.drain()
        await self._release()
        await self.flush()

    async def _release(self) -> None:
        session = self._input
        workspace = session.workspace if session.has_own_worktree else None
        await self.close_agent(session.session_id, workspace)

    @workflow.signal(name="queue_prompt")
    def queue_prompt(self, *payloads: Any) -> None:
        """Queue a prompt of the thread; the same key again is harmless."""
        if (prompt := parse_message(QueuePrompt, payloads)) is not None:
            self.submit(prompt)

    @workflow.signal(name="drop_prompt")
    def drop_prompt(self, *payloads: Any) -> None:
        """A flow wants its message no more; from its run."""
        if (drop := parse_message(DropPrompt, payloads)) is not None:
            self._drop(drop)

    def _drop(self, drop: DropPrompt) -> None:
        if self._state.session_id:
            self.submit(drop)
        else:  # signals of a first task come before the session has begun
            self._dropped.append(drop)

    @workflow.signal(name="grant_directory")
    def grant_directory(self, *payloads: Any) -> None:
        """The directory that chats share is a turn's; told by the thread."""
        if (grant := parse_message(Grant, payloads)) is not None:
            self._place.take(grant)

    # --- the loop's questions

    def decide(self, command: Wire) -> Decided:
        """See domain/conversations/sessions/rules.py."""
        return rules.decide(self._state, command)

    def evolve(self, event: EventBody) -> SessionState:
        """See domain/conversations/sessions/state.py."""
        return evolve(self._state, event)

    @property
    def is_over(self) -> bool:
        """Whether the session is closed."""
        return self._state.is_closed

    def effects(self) -> dict[str, Start]:
        """The turn that must be under way, or the wait for its provider, and reports to the thread."""
        state, reports = self._state, {**self.reports(), **self._unreported_stop()}
        if not rules.has_turn(state) or state.is_asleep:
            return reports
        return {**reports, **(self.waits() or {self._turn_key: self._run_turn})}

    def _unreported_stop(self) -> dict[str, Start]:
        """Return the report to the thread of a reader's turn that was stopped while it waited."""
        state, last = self._state, self._state.last
        turns = state.conversation.turns
        is_awaited = self._input.role in ANSWERING and self._reported_turn < turns
        if not is_awaited or rules.has_turn(state) or last is None:
            return {}
        if last.stop_reason is not StopReason.CANCELLED:
            return {}
        return {f"stopped-{turns}": partial(self._report_turn, last)}

    @property
    def _turn_key(self) -> str:
        state = self._state
        number = state.conversation.turns + (0 if state.turn else 1)
        return f"turn-{number}-{state.refusals}" if state.refusals else f"turn-{number}"

    def cancellations(self) -> set[str]:
        """The turn that a person stopped, and waits that are over."""
        is_stopping = self._state.is_stop_requested and self._state.delay is None
        return {*self.waits_over(), self._turn_key} if is_stopping else self.waits_over()

    def show(self) -> None:
        """Put the headline, the details and the attributes right."""
        state = self._state
        status = rules.status_of(state)
        self._outbox.show(
            Headline(
                stream=StreamId(self._input.session_id),
                kind="session",
                title=f"{state.conversation.role}: {state.conversation.agent}",
                project=self._input.repository,
                status=status,
                waiting_for=state.questions.waiting_for[:MAX_TITLE],
            )
        )
        held = (
            f", waits for {state.delay.provider} until {state.delay.until}" if state.delay else ""
        )
        details = f"{self._input.role} session with {state.conversation.agent}: {status}, {counted(state.conversation.turns, 'turn')}{held}"
        asked = state.questions.waiting_for
        if asked:
            details += (
                f"\n\nwaits for {asked}: `treadle show {self._input.thread_id}` prints the "
                "`temporal workflow signal` line to paste"
            )
        self._shown.show(_shown_status(state), asked, details)

    # --- effects

    async def _run_turn(self) -> None:
        """Begin the next turn, or go on with the one that was refused."""
        self.submit(BeginTurn())
        state, session = self._state, self._input
        conversation, prompt = state.conversation, prompt_of(state)
        if prompt is None or state.turn is None:
            return
        turn_id = state.turn.turn_id
        turn = turn_input(
            state,
            conversation,
            owner=StreamId(session.thread_id),
            thread_id=session.thread_id,
            prompt=prompt,
            primer=primer_of(session, state),
            workspace=session.workspace,
            commit=session.commit_of(turn_id, conversation.turns),
            has_plan_files=state.has_plan_files,
            explains_plan_files=state.plan_files_turn == conversation.turns,
        )
        if session.has_own_worktree:
            result = await self.run_turn(turn)
        else:
            result = await self._place.hold(turn_id, partial(self.run_turn, turn))
        self.submit(EndTurn(result=result))
        state = self._state
        is_over = state.turn is None and not state.conversation.is_compacting
        is_idle = not state.conversation.messages and not state.questions.open
        if is_over and is_idle and session.role in ANSWERING:
            await self._report_turn(result)

    async def _report_turn(self, result: TurnResult) -> None:
        self._reported_turn = self._state.conversation.turns
        thread = workflow.get_external_workflow_handle(self._input.thread_id)
        ended = EndSessionTurn(
            session_id=self._input.session_id,
            turn=self._state.conversation.turns,
            prompt_key=self._state.owner_key,
            is_stopped=result.stop_reason is StopReason.CANCELLED,
            stop_reason=result.stop_reason,
            failure=result.failure,
            text=reply_excerpt(result.text)
            if self._input.role is SessionRole.FLOW
            else result.text,
            discarded=result.discarded,
        )
        await thread.signal("end_session_turn", ended)


def _shown_status(state: SessionState) -> str:
    if state.is_closed:
        return "closed"
    return "waiting" if state.questions.open else "running"
