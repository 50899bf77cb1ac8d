"""ThreadWorkflow: sessions, plans, the task graph and its merges."""

from functools import partial
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from activities.threads import Opening
from domain.conversations.reports import EndSessionTurn, NoteRules
from domain.core.command import Answer, Command
from domain.core.decisions import Decided
from domain.core.directories.commands import AskDirectory, FreeDirectory
from domain.core.errors import InvalidPlanError, TreadleError, WrongStateError
from domain.core.event import EventBody, Headline
from domain.core.ids import StreamId
from domain.core.wire import Wire
from domain.plans.ancestry import check_ancestry
from domain.reading.commands import THREAD_COMMANDS
from domain.tasks.agent_commands import ProposeAmendment, ProposePlan
from domain.tasks.running_commands import Cancel
from domain.threads import rules
from domain.threads.amending import rules as amending
from domain.threads.calls import OpenedThread, OpenThreadCall
from domain.threads.children.commands import AskChild, NoteChild, StopChild
from domain.threads.commands import NoteProgress, OpenThread
from domain.threads.effects import ThreadEffect, WaitUntil
from domain.threads.evolution import evolve
from domain.threads.inputs import ThreadInput
from domain.threads.planning import proposing
from domain.threads.running.view import amount_of
from domain.threads.state import ThreadState
from workflows import (
    child_effects,
    children,
    conflict_effects,
    keeping_effects,
    landing_effects,
    publishing_effects,
    sharing_effects,
)
from workflows.attributes import Shown
from workflows.doors import doors, refused, told
from workflows.loop import Start
from workflows.opening import opened
from workflows.outbox import MAX_TITLE
from workflows.starts import check_start
from workflows.thread_effects import carry_out
from workflows.thread_loop import ThreadLoop

EFFECTS = (
    *(child_effects, conflict_effects, keeping_effects),
    *(landing_effects, publishing_effects, sharing_effects),
)
"""The slices; importing them registers the coroutines of their effects."""


@workflow.defn(name="Thread")
@doors(*THREAD_COMMANDS)
class ThreadWorkflow(ThreadLoop):
    """A thread lives on after its plan: it can be talked to, and plan again."""

    @workflow.init
    def __init__(self, thread: ThreadInput) -> None:
        super().__init__(thread)
        self._refusal: ApplicationError | None = None
        self._kinds: dict[str, type[ThreadEffect]] = {}
        self._waits: set[str] = set()
        self._shown = Shown("idle")

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
        if self._refusal is not None:
            await workflow.wait_condition(workflow.all_handlers_finished)
            return f"not opened: {self._refusal.message}"
        if await self.live():
            carried = {
                "carried": self._state.without_old_texts(),
                "started": tuple(sorted(self.started)),
                "events_so_far": self._outbox.numbered,
                "effects_so_far": self._outbox.loads,
                "answered": self._answered,
            }
            workflow.continue_as_new(thread.model_copy(update=carried))
        await self.drain()
        return self.ending

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
        )
        try:
            check_ancestry(thread.thread_id, thread.parent)
        except TreadleError as error:
            self._refusal = refused(error)
            return
        found = await self._opened(call)
        if found is None:
            return
        self.submit(
            OpenThread(
                thread_id=thread.thread_id,
                goal=thread.goal,
                agent=thread.agent,
                model=thread.model,
                options=thread.options,
                opened=found,
                is_planned=thread.is_planned,
                planner=thread.planner,
                by=thread.opened_by,
                parent=thread.parent,
                context=thread.context,
                forked_from=thread.forked_from,
                has_plan_files=thread.has_plan_files,
            )
        )

    async def _opened(self, call: OpenThreadCall) -> OpenedThread | None:
        found = await opened(self, Opening.open_thread, call, lambda: self._is_given_up)
        if isinstance(found, OpenedThread):
            return found
        self._refusal = self._refusal or found or _cancelled("")
        return None

    @property
    def _is_given_up(self) -> bool:
        return self._refusal is not None or self.is_signalled(Cancel)

    @workflow.update(name="open")
    async def open(self, *_: Any) -> Answer:
        """Wait until the thread is open; answers what was found, or why it was refused."""
        await workflow.wait_condition(
            lambda: self._refusal is not None or self._state.opened is not None
        )
        if self._refusal is not None:
            raise ApplicationError(
                self._refusal.message, type=self._refusal.type, non_retryable=True
            )
        await workflow.wait_condition(lambda: self._outbox.is_empty)
        opened = self._state.opened
        facts = opened.facts.model_dump(mode="json") if opened else {}
        return Answer(message=self.input.thread_id, data=facts)

    @workflow.signal(name="end_session_turn")
    def end_session_turn(self, *payloads: Any) -> None:
        """A planner's turn is over; told by its session."""
        if (ended := told(EndSessionTurn, payloads)) is not None:
            self.submit(ended)

    @workflow.signal(name="ask_directory")
    def ask_directory(self, *payloads: Any) -> None:
        """A turn needs the directory that chats share; told by its session."""
        if (asked := told(AskDirectory, payloads)) is not None:
            self.submit(asked)

    @workflow.signal(name="free_directory")
    def free_directory(self, *payloads: Any) -> None:
        """A turn needs that directory no more; told by its session."""
        if (freed := told(FreeDirectory, payloads)) is not None:
            self.submit(freed)

    @workflow.signal(name="note_progress")
    def note_progress(self, *payloads: Any) -> None:
        """A task has come further; told by the task."""
        if (progress := told(NoteProgress, payloads)) is not None:
            self.submit(progress.model_copy(update={"at": workflow.now()}))

    @workflow.signal(name="note_rules")
    def note_rules(self, *payloads: Any) -> None:
        """A person wants answers to count in the whole thread; told by session or task."""
        if (rules := told(NoteRules, payloads)) is not None:
            self.submit(rules)

    @workflow.signal(name="note_child")
    def note_child(self, *payloads: Any) -> None:
        """A child thread tells where it stands."""
        if (report := told(NoteChild, payloads)) is not None:
            self.submit(report)

    @workflow.signal(name="ask_child")
    def ask_child(self, *payloads: Any) -> None:
        """The parent asks for the result again."""
        if (asked := told(AskChild, payloads)) is not None:
            self.submit(asked)

    @workflow.signal(name="stop_child")
    def stop_child(self, *payloads: Any) -> None:
        """The parent's plan does not want this thread any longer."""
        if (stop := told(StopChild, payloads)) is not None:
            self._stop_child(stop)

    def _stop_child(self, stop: StopChild) -> None:
        if self._refusal is None and self._state.opened is None:
            self._refusal = _cancelled(stop.by)
        else:
            self.submit(stop)

    async def take(self, command: Command) -> Answer:
        """Take a command from a door once the thread is open; a bad plan leaves a trace.

        One that is cancelled before is not opened at all.
        """
        if isinstance(command, Cancel) and self._refusal is None and self._state.opened is None:
            self._refusal = _cancelled(command.by)
            return Answer(message="cancelled before it was open")
        await workflow.wait_condition(
            lambda: self._refusal is not None or self._state.opened is not None
        )
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

    def decide(self, command: Wire) -> Decided:
        """See domain/threads/rules.py."""
        return rules.decide(self._state, command)

    def evolve(self, event: EventBody) -> ThreadState:
        """See domain/threads/evolution.py."""
        return evolve(self._state, event)

    @property
    def is_over(self) -> bool:
        """A thread is never over by itself, only when it was deleted."""
        return bool(self.ending)

    def can_resume(self, key: str) -> bool:
        """Tell whether the next run can take up an effect that is under way."""
        return self._kind_of(key).is_resumable

    def is_carrier(self, key: str) -> bool:
        """Tell whether an effect ends soon, and most often another follows that carries events."""
        return self._kind_of(key).is_brief

    def _kind_of(self, key: str) -> type[ThreadEffect]:
        return self._kinds.get(key, ThreadEffect)

    def effects(self) -> dict[str, Start]:
        """What must be under way, as the rules say."""
        wanted = {effect.key: effect for effect in rules.todo(self._state)}
        self._waits = {key for key, effect in wanted.items() if isinstance(effect, WaitUntil)}
        under_way = {key: kind for key, kind in self._kinds.items() if key in self._under_way}
        self._kinds = under_way | {key: type(effect) for key, effect in wanted.items()}
        return {key: partial(carry_out, effect, self) for key, effect in wanted.items()}

    def cancellations(self) -> set[str]:
        """Waits that the rules do not name any longer."""
        waits = {key for key, kind in self._kinds.items() if kind is WaitUntil}
        return waits - self._waits

    def show(self) -> None:
        """Put the headline, the details and the attributes right."""
        state, thread = self._state, self.input
        repository = state.opened.facts.root if state.opened else thread.repository
        title = state.keeping.topic or state.goal or thread.goal
        self._outbox.show(
            Headline(
                stream=StreamId(thread.thread_id),
                kind="thread",
                title=" ".join(title.split())[:MAX_TITLE],
                goal=thread.goal[:MAX_TITLE],
                is_archived=state.keeping.is_archived,
                **amount_of(state),
                project=repository,
                status=state.status,
                waiting_for=state.waiting_for[:MAX_TITLE],
            )
        )
        self._shown.show(state.status, state.waiting_for, children.thread_details(state))


def _cancelled(by: str) -> ApplicationError:
    words = f"cancelled by {by or 'a person'} before it was open"
    return ApplicationError(words, type=WrongStateError.type, non_retryable=True)
