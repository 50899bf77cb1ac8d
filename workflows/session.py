"""SessionWorkflow: one agent conversation of a thread, one turn at a time."""

from functools import partial

from temporalio import workflow

from domain.agents.agents import ANSWERING, SessionRole, StopReason, TurnInput, TurnResult
from domain.conversations.commands import StopTurn
from domain.conversations.effects import ConversationEffect
from domain.conversations.inputs import turn_input
from domain.conversations.reports import EndSessionTurn
from domain.conversations.sessions.inputs import Grant, SessionInput, primer_of, prompt_of
from domain.conversations.sessions.rules import (
    SESSION_RULES,
    ChangeRole,
    DropPrompt,
    PassMessages,
    QueuePrompt,
    StopRunning,
    as_said,
    opening_of,
    unread_of,
)
from domain.conversations.sessions.state import SessionState
from domain.core.event import Headline
from domain.core.ids import StreamId, host_queue
from domain.core.moves import HostMove
from domain.core.wire import Wire
from domain.flows.answers import reply_excerpt
from domain.tasks.details import session_details
from domain.threads.replacing.commands import LoseSession
from domain.threads.working.commands import HandOver
from workflows.attributes import Shown
from workflows.conversations import OF_CONVERSATIONS, ConversationLoop
from workflows.doors import doors, receives
from workflows.loop import Start
from workflows.outbox import MAX_TITLE
from workflows.sharing import Place
from workflows.signalling import reaches
from workflows.starts import check_start

TREADLE = "treadle"
"""Who closes a session that its thread or run needs no more."""


@workflow.defn(name="Session")
@doors(*SESSION_RULES.commands)
@receives(
    queue_prompt=QueuePrompt,
    change_role=ChangeRole,
    drop_prompt=DropPrompt,
    grant_directory=Grant,
    stop_running=StopRunning,
    **OF_CONVERSATIONS,
)
class SessionWorkflow(ConversationLoop[SessionState, ConversationEffect]):
    """A queue of prompts; lives until it is closed."""

    rules = SESSION_RULES
    cancels = StopTurn

    @workflow.init
    def __init__(self, session: SessionInput) -> None:
        super().__init__(session, session.session_id)
        self._input = session
        self._state = session.carried or SessionState()
        self._queue = host_queue(session.host)
        self._generation = session.generation
        self._place = Place(session.thread_id, session.session_id)
        self._shown = Shown("running")
        self._reported_turn = self._state.conversation.turns
        self._reported_own = self._state.ended_own_turn
        self._early: list[Wire] = []
        self._late: list[QueuePrompt] = []
        self._is_handed_over = False

    @workflow.run
    async def run(self, session: SessionInput) -> None:
        """Converse until the session is closed, then end its agent and its workspace."""
        is_carried = session.carried is not None
        check_start(session.session_id, session.thread_id, is_carried=is_carried, is_child=True)
        if not is_carried:
            self.submit(opening_of(session))
            self.submit(
                QueuePrompt(
                    key=session.first_key,
                    prompt=session.first_prompt,
                    place=session.first_place,
                    has_plan_files=session.has_plan_files,
                )
            )
            for message in self._early:
                self.submit(message)
        if await self.live():
            self.carry_over()
        await self.through(self._end())

    async def _end(self) -> None:
        await self.drain()
        if self._state.ended_own_turn != self._reported_own:
            await self._report_own_turn(self._state.ended_own_turn)
        session = self._input
        workspace = session.workspace if session.has_own_worktree else None
        await self.close_agent(session.session_id, workspace)
        await self.flush()
        if session.is_end_reported and self._state.closed_by != TREADLE:
            await self._report_end()

    async def _report_end(self) -> None:
        """Tell the thread that somebody else closed it, and give back what nobody has read."""
        unread, is_new = as_said(self._state.left), True
        while is_new:
            self._late, late = [], self._late
            lost = LoseSession(
                session_id=self._input.session_id,
                reason=f"closed by {self._state.closed_by or 'somebody'} in Temporal",
                messages=(*unread, *late),
            )
            await reaches(self._input.thread_id, "lose_session", lost)
            is_new = bool(self._late)

    def receive(self, message: Wire) -> None:
        """Take a message of the thread; those of the first task wait until the session has begun."""
        if isinstance(message, HostMove):
            self.move(message)
        elif isinstance(message, Grant):
            self._place.take(message)
        elif isinstance(message, QueuePrompt) and self._state.is_closed:
            self._late.append(message)
        elif self._state.session_id:
            super().receive(message)
        else:
            self._early.append(message)

    def go_on_at(self, move: HostMove) -> None:
        """Keep in mind, over new runs as well, where it is now."""
        there = {"host": move.host, "generation": move.generation}
        self._given = self._input = self._input.model_copy(update=there)

    # --- the loop's questions

    @property
    def is_over(self) -> bool:
        """Whether the session is closed."""
        return self._state.is_closed

    def reports(self) -> dict[str, Start]:
        """Return what the thread is still to be told."""
        own, stop = self._unreported_own_turn(), self._unreported_stop()
        return {**super().reports(), **stop, **own, **self._hand_over()}

    def _unreported_own_turn(self) -> dict[str, Start]:
        """Return the report to the thread of a turn that its agent took without a message."""
        key = self._state.ended_own_turn
        if key == self._reported_own:
            return {}
        return {f"own-{key}": partial(self._report_own_turn, key)}

    async def _report_own_turn(self, key: str) -> None:
        self._reported_own = key
        last = self._state.last
        ended = EndSessionTurn(
            session_id=self._input.session_id,
            turn=self._state.conversation.turns,
            prompt_key=key,
            failure=last.failure if last else None,
        )
        await self._tell_thread(ended)

    def _hand_over(self) -> dict[str, Start]:
        """Return the word to the thread that the plan's work may take the turns now."""
        state = self._state
        if not state.is_lent:
            self._is_handed_over = False
        is_free = state.is_lent and state.turn is None and not state.is_closed
        if not is_free or (self._is_handed_over and not state.unread):
            return {}
        return {f"hand-over-{state.conversation.turns}": self._report_hand_over}

    async def _report_hand_over(self) -> None:
        self._is_handed_over = True
        conversation, unread = self._state.conversation, unread_of(self._state)
        self.submit(PassMessages())
        handed = HandOver(
            session_id=conversation.session_id,
            turns=conversation.turns,
            agent=conversation.agent,
            model=conversation.model,
            options=conversation.options,
            messages=unread,
        )
        await reaches(self._input.thread_id, "hand_over", handed)

    def _unreported_stop(self) -> dict[str, Start]:
        """Return the report to the thread of an awaited turn that was stopped while it waited."""
        state, last = self._state, self._state.last
        turns = state.conversation.turns
        is_awaited = state.conversation.role in ANSWERING or state.is_resolving
        if not is_awaited or self._reported_turn >= turns or state.has_turn or last is None:
            return {}
        if last.stop_reason is not StopReason.CANCELLED:
            return {}
        return {f"stopped-{turns}": partial(self._report_turn, last)}

    def show(self) -> None:
        """Put the headline and the attributes right."""
        state = self._state
        self._outbox.show(
            Headline(
                stream=StreamId(self._input.session_id),
                kind="session",
                title=f"{state.conversation.role}: {state.conversation.agent}",
                project=self._input.repository,
                status=state.status,
                waiting_for=state.asks[:MAX_TITLE],
            )
        )
        self._shown.show(_shown_status(state), state.questions.waiting_for)

    def details(self) -> str:
        """Return where the session stands, and how what it asks is answered."""
        return session_details(self._state, self._input.thread_id)

    # --- effects

    def turn_input(self) -> TurnInput | None:
        """Return what the running turn's agent is given; None where none runs."""
        state, session = self._state, self._input
        conversation, prompt = state.conversation, prompt_of(state)
        if prompt is None or state.turn is None:
            return None
        return turn_input(
            state,
            conversation,
            owner=StreamId(session.thread_id),
            thread_id=session.thread_id,
            prompt=prompt,
            primer=primer_of(session, state),
            workspace=session.workspace_for(prompt),
            commit=session.commit_of(state.turn.turn_id, conversation.turns, conversation.role),
            has_plan_files=state.has_plan_files,
            money=session.money,
            explains_plan_files=state.plan_files_turn == conversation.turns,
        )

    async def run_turn(self, turn: TurnInput, grant: int = 0) -> TurnResult:
        """Run a turn; one in the shared directory once that is its own."""
        run = partial(super().run_turn, turn)
        if self._input.has_own_worktree:
            return await run(grant)
        return await self._place.hold(turn.turn_id, run)

    async def after_turn(self, turn: TurnInput, result: TurnResult) -> None:
        """Report a turn that is over, unless another message waits or its agent waits for a person.

        One that resolves a conflict is always reported: nothing that comes after it is.
        """
        state = self._state
        is_over = state.turn is None and not state.conversation.is_compacting
        is_idle = not state.conversation.messages and not state.questions.open
        is_awaited = is_idle and state.conversation.role in ANSWERING
        if is_over and (is_awaited or turn.workspace.merging):
            await self._report_turn(result)

    async def _report_turn(self, result: TurnResult) -> None:
        self._reported_turn = self._state.conversation.turns
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
            doubts=result.doubts,
            snapshot=result.snapshot if self._state.is_resolving else None,
        )
        await self._tell_thread(ended)

    async def _tell_thread(self, ended: EndSessionTurn) -> None:
        await reaches(self._input.thread_id, "end_session_turn", ended)


def _shown_status(state: SessionState) -> str:
    if state.is_closed:
        return "closed"
    return "waiting" if state.questions.open else "running"
