"""SessionWorkflow: one agent conversation of a thread, one turn at a time."""

from functools import partial
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ActivityError

from activities.turns import Sessions, Turns
from domain.agents.agents import ANSWERING, SessionRole, StopReason, TurnInput, TurnResult
from domain.agents.limits.budgets import Budget
from domain.conversations.calls import CloseSessionCall, TurnCall
from domain.conversations.questions.state import Questions
from domain.conversations.reports import EndSessionTurn
from domain.conversations.sessions import rules
from domain.conversations.sessions.inputs import Grant, SessionInput, primer_of, prompt_of
from domain.conversations.sessions.rules import (
    BeginTurn,
    DropPrompt,
    EndTurn,
    EndWait,
    OpenConversation,
    QueuePrompt,
)
from domain.conversations.sessions.state import SessionState, evolve
from domain.core.decisions import Decided
from domain.core.event import EventBody, Headline
from domain.core.ids import StreamId, host_queue
from domain.core.wire import Wire
from domain.flows.answers import told as told_text
from domain.reading.commands import SESSION_COMMANDS
from workflows import options
from workflows.attributes import Shown
from workflows.doors import doors, parse_message
from workflows.failed_turns import failed_turn
from workflows.loop import Start
from workflows.outbox import MAX_TITLE
from workflows.questions import QuestionLoop
from workflows.sharing import Place
from workflows.starts import check_start
from workflows.timers import wait_until

WAIT = "wait-"


@workflow.defn(name="Session")
@doors(*SESSION_COMMANDS)
class SessionWorkflow(QuestionLoop[SessionState]):
    """A queue of prompts; lives until it is closed."""

    @workflow.init
    def __init__(self, session: SessionInput) -> None:
        super().__init__(session, session.session_id)
        self._input = session
        self._state = session.carried or SessionState()
        self._queue = host_queue(session.host)
        self._place = Place(session.thread_id, session.session_id)
        self._shown = Shown("running")
        self._told_turn = self._state.turns
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
        call = CloseSessionCall(session_id=session.session_id, workspace=workspace)
        try:
            await self.run_activity(
                Sessions.close_session, call, options.on(self._queue, options.GIT)
            )
        except ActivityError as error:
            workflow.logger.warning("session not released", extra={"reason": str(error.cause)})

    @workflow.signal(name="queue_prompt")
    def queue_prompt(self, *payloads: Any) -> None:
        """Queue a prompt of the thread; the same key again is harmless."""
        if (prompt := parse_message(QueuePrompt, payloads)) is not None:
            self.submit(prompt)

    @workflow.signal(name="drop_prompt")
    def drop_prompt(self, *payloads: Any) -> None:
        """A flow wants its message no more; told by its run."""
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
        """The turn that must be under way, or the wait for its provider, and word to the thread."""
        state, telling = self._state, {**self.telling(), **self._stop_untold()}
        if not rules.has_turn(state) or state.is_asleep:
            return telling
        if state.delay is not None:
            return {**telling, f"{WAIT}{state.refusals}": self._wait}
        return {**telling, self._turn_key: self._run_turn}

    def _stop_untold(self) -> dict[str, Start]:
        """Return word to the thread of a reader's turn that was stopped while it waited."""
        state, last = self._state, self._state.last
        is_waited_for = self._input.role in ANSWERING and self._told_turn < state.turns
        if not is_waited_for or rules.has_turn(state) or last is None:
            return {}
        if last.stop_reason is not StopReason.CANCELLED:
            return {}
        return {f"stopped-{state.turns}": partial(self._tell_thread, last)}

    @property
    def questions(self) -> Questions:
        """The questions of its agent."""
        return self._state.questions

    @property
    def _turn_key(self) -> str:
        state = self._state
        number = state.turns + (0 if state.running_turn else 1)
        return f"turn-{number}-{state.refusals}" if state.refusals else f"turn-{number}"

    def cancellations(self) -> set[str]:
        """The turn that a person stopped, and waits that are over."""
        state = self._state
        over = {key for key in self._under_way if key.startswith(WAIT)}
        if state.delay is not None:
            return over - {f"{WAIT}{state.refusals}"}
        return {*over, self._turn_key} if state.is_stop_requested else over

    def can_resume(self, key: str) -> bool:
        """A wait for a provider goes on in the next run."""
        return key.startswith(WAIT)

    def show(self) -> None:
        """Put the headline, the details and the attributes right."""
        state = self._state
        status = rules.status_of(state)
        self._outbox.show(
            Headline(
                stream=StreamId(self._input.session_id),
                kind="session",
                title=f"{state.role}: {state.agent}",
                project=self._input.repository,
                status=status,
                waiting_for=state.questions.waiting_for[:MAX_TITLE],
            )
        )
        held = (
            f", waits for {state.delay.provider} until {state.delay.until}" if state.delay else ""
        )
        details = f"{state.role} session with {state.agent}: {status}, {state.turns} turn(s){held}"
        asked = state.questions.waiting_for
        if asked:
            details += (
                f"\n\nwaits for {asked}: `treadle show {self._input.thread_id}` prints the "
                "`temporal workflow signal` line to paste"
            )
        self._shown.show(_shown_status(state), asked, details)

    # --- effects

    async def _wait(self) -> None:
        state = self._state
        if state.delay is None or state.running_turn is None:
            return
        if await wait_until(state.delay.until):
            self.submit(EndWait(turn_id=state.running_turn))

    async def _run_turn(self) -> None:
        """Begin the next turn, or go on with the one that was refused."""
        self.submit(BeginTurn())
        state, session = self._state, self._input
        prompt, turn_id = prompt_of(state), state.running_turn
        if prompt is None or turn_id is None:
            return
        turn = TurnInput(
            turn_id=turn_id,
            session_id=session.session_id,
            owner=StreamId(session.thread_id),
            thread_id=session.thread_id,
            role=session.role,
            agent=state.agent,
            model=state.model,
            options=state.options,
            prompt=prompt,
            primer=primer_of(session, state),
            workspace=session.workspace,
            agent_session=state.agent_session,
            commit=session.commit_of(turn_id, state.turns),
            refusals=state.refusals,
            is_urgent=state.is_urgent,
            answered=state.questions.answers_left(session.session_id),
            has_plan_files=state.has_plan_files,
            explains_plan_files=state.plan_files_turn == state.turns,
        )
        if session.has_own_worktree:
            result = await self._turn(turn, 0)
        else:
            result = await self._place.hold(turn_id, partial(self._turn, turn))
        self.submit(EndTurn(result=result))
        is_over = self._state.running_turn is None and not state.is_compacting
        is_idle = not self._state.queue and not self._state.questions.open
        if is_over and is_idle and session.role in ANSWERING:
            await self._tell_thread(result)

    async def _turn(self, turn: TurnInput, grant: int) -> TurnResult:
        call = TurnCall(turn=turn, grant=grant)
        where = options.on(self._queue, options.TURN)
        try:
            return await self.run_activity(Turns.run_agent_turn, call, where)
        except ActivityError as error:
            return failed_turn(turn, error)

    async def _tell_thread(self, result: TurnResult) -> None:
        self._told_turn = self._state.turns
        thread = workflow.get_external_workflow_handle(self._input.thread_id)
        ended = EndSessionTurn(
            session_id=self._input.session_id,
            turn=self._state.turns,
            prompt_key=self._state.owner_key,
            is_stopped=result.stop_reason is StopReason.CANCELLED,
            stop_reason=result.stop_reason,
            failure=result.failure,
            text=told_text(result.text) if self._input.role is SessionRole.FLOW else result.text,
            discarded=result.discarded,
        )
        await thread.signal("end_session_turn", ended)


def _shown_status(state: SessionState) -> str:
    if state.is_closed:
        return "closed"
    return "waiting" if state.questions.open else "running"
