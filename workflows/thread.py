"""ThreadWorkflow: sessions, plans, the task graph and its merges."""

from collections.abc import Coroutine
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from activities.threads import ThreadOpening
from domain.conversations.reports import EndSessionTurn, NoteRules
from domain.core.command import Answer, Command
from domain.core.directories.commands import AskDirectory, FreeDirectory
from domain.core.errors import InvalidPlanError, TreadleError
from domain.core.event import Headline
from domain.core.ids import StreamId, host_queue
from domain.core.moves import HostMove
from domain.core.summaries import title_line
from domain.core.wire import Wire
from domain.hosts.calls import PlaceCall
from domain.plans.ancestry import check_ancestry
from domain.tasks.agent_commands import ProposeAmendment, ProposePlan
from domain.threads.amending import rules as amending
from domain.threads.bases.effects import NoteBehind
from domain.threads.branch_status import branch_status
from domain.threads.calls import OpenedThread, OpenThreadCall
from domain.threads.children.commands import AskChild, NoteChild, StopChild
from domain.threads.commands import NoteProgress, OpenThread
from domain.threads.details import thread_details
from domain.threads.effects import ThreadEffect, WaitUntil, WatchRuns
from domain.threads.inputs import ThreadInput
from domain.threads.patches import FAILURES_ARE_LISTED, THREADS_ARE_PLACED, TITLES_ARE_LISTED
from domain.threads.planning import proposing
from domain.threads.publishing.effects import AskRework, NotePullRequest
from domain.threads.replacing.commands import LoseSession
from domain.threads.rules import THREAD_RULES
from domain.threads.running.view import amount_of
from domain.threads.state import ThreadState
from domain.threads.working.commands import HandOver
from workflows import (
    base_effects,
    child_effects,
    conflict_effects,
    contest_effects,
    landing_effects,
    lifecycle_effects,
    moving_effects,
    options,
    publishing_effects,
    setting_up_effects,
    sharing_effects,
    stack_effects,
)
from workflows.attributes import Shown
from workflows.doors import doors, receives, refused
from workflows.outbox import MAX_TITLE
from workflows.placing import open_somewhere
from workflows.starts import check_start
from workflows.thread_effects import carry_out
from workflows.thread_loop import ThreadLoop

EFFECTS = (
    *(child_effects, conflict_effects, contest_effects, lifecycle_effects, moving_effects),
    *(
        base_effects,
        landing_effects,
        publishing_effects,
        stack_effects,
        setting_up_effects,
        sharing_effects,
    ),
)
"""The slices; importing them registers the coroutines of their effects."""


@workflow.defn(name="Thread")
@doors(*THREAD_RULES.commands)
@receives(
    end_session_turn=EndSessionTurn,
    ask_directory=AskDirectory,
    free_directory=FreeDirectory,
    note_progress=NoteProgress,
    note_rules=NoteRules,
    note_child=NoteChild,
    ask_child=AskChild,
    stop_child=StopChild,
    hand_over=HandOver,
    lose_session=LoseSession,
    note_pull_request=NotePullRequest,
    note_behind=NoteBehind,
    ask_rework=AskRework,
    move_host=HostMove,
)
class ThreadWorkflow(ThreadLoop):
    """A thread lives on after its plan: it can be talked to, and plan again."""

    @workflow.init
    def __init__(self, thread: ThreadInput) -> None:
        super().__init__(thread)
        self._shown = Shown("idle", title_line(title_of(self._state, thread)))

    @workflow.run
    async def run(self, thread: ThreadInput) -> str:
        """Open the repository, then take commands for ever; a refused opening ends at once."""
        is_carried = thread.carried is not None
        parent = thread.parent
        owner = parent.thread_id if parent else thread.thread_id
        is_child = parent is not None
        check_start(thread.thread_id, owner, is_carried=is_carried, is_child=is_child)
        if not is_carried:
            await self._open()
        return await self.live_until_deleted()

    async def _open(self) -> None:
        thread = self.input
        call = OpenThreadCall(
            thread_id=thread.thread_id,
            repository=thread.repository,
            agent=thread.agent,
            template=thread.template,
            inherited=thread.inherited,
            base=thread.base,
            is_demo=thread.is_demo,
            recipe=thread.recipe,
            also=thread.also,
            projects=(thread.repository, *thread.also),
            imports=thread.imports,
        )
        try:
            check_ancestry(thread.thread_id, thread.parent)
        except TreadleError as error:
            self.refuse(refused(error))
            return
        found = await self._look(call)
        if found is None:
            return
        self.submit(OpenThread(**dict(thread.spec), opened=found))

    async def _look(self, call: OpenThreadCall) -> OpenedThread | None:
        """Look at the repository on the host that the thread is on, or on one that can take it."""
        thread, look = self.input, ThreadOpening.open_thread
        if THREADS_ARE_PLACED not in thread.patches:
            return await self.opening(look, call)
        if thread.on_host:
            how = options.on(host_queue(thread.on_host), options.GIT)
            found = await self.attempt(look, call, how)
            if not isinstance(found, ApplicationError):
                return found
            self.refuse(found)
            return None
        place = PlaceCall(stream=thread.thread_id, wish=thread.hosts, agent=thread.agent)
        return await open_somewhere(self, place, look, call)

    def describe(self) -> Answer:
        """Return the thread's id, and what is known of its repository."""
        opened = self._state.opened
        facts = opened.facts.model_dump(mode="json") if opened else {}
        return Answer(message=self.input.thread_id, data=facts)

    def receive(self, message: Wire) -> None:
        """Take a message of another workflow; one that is stopped before it is open never opens."""
        if isinstance(message, HostMove):
            self.move(message)
        elif isinstance(message, StopChild) and self.is_opening:
            self.give_up(message.by)
        else:
            super().receive(message)

    async def take(self, command: Command) -> Answer:
        """Take a command from a door; a bad plan leaves a trace."""
        try:
            return await super().take(command)
        except InvalidPlanError as error:
            if isinstance(command, ProposePlan):
                self.record((proposing.refused_plan(command, error),))
            raise
        except TreadleError as error:
            if isinstance(command, ProposeAmendment):
                self.record((amending.refused_amendment(command, error),))
            raise

    # --- the loop's questions

    def carried_state(self) -> ThreadState:
        """Return what the next run must know."""
        return self._state.without_old_texts()

    def carry_out(self, effect: ThreadEffect) -> Coroutine[Any, Any, None]:
        """Return what carries out an effect; see workflows/thread_effects.py."""
        return carry_out(effect, self)

    def must_stop(self, effect: ThreadEffect) -> bool:
        """Tell whether an effect must stop: a wait that the rules require no longer."""
        if isinstance(effect, WatchRuns):
            return not self._state.plan_status.is_live  # another run will begin
        return isinstance(effect, WaitUntil) and not self.is_required(effect)

    def show(self) -> None:
        """Put the headline and the attributes right."""
        state, thread = self._state, self.input
        repository = state.opened.facts.root if state.opened else thread.repository
        title = title_of(state, thread)
        self._outbox.show(
            Headline(
                stream=StreamId(thread.thread_id),
                kind="thread",
                title=" ".join(title.split())[:MAX_TITLE],
                goal=thread.goal[:MAX_TITLE],
                is_archived=state.lifecycle.is_archived,
                **amount_of(state),
                agent=state.opened.agent if state.opened else thread.agent,
                branch_status=branch_status(state),
                project=repository,
                status=state.status,
                waiting_for=state.asks[:MAX_TITLE],
            )
        )
        if state.has_patch(TITLES_ARE_LISTED):
            self._shown.rename(title_line(title))
        asks = state.asks if state.has_patch(FAILURES_ARE_LISTED) else state.waiting_for
        self._shown.show(state.status, asks)

    def details(self) -> str:
        """Return where the thread stands."""
        return thread_details(self._state)


def title_of(state: ThreadState, thread: ThreadInput) -> str:
    """Return what a thread is called, also before it is open."""
    return state.title or thread.title
