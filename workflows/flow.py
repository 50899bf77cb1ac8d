"""FlowWorkflow: one run of a flow, step after step, over the definition it began with."""

from functools import partial
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from activities.flows import FlowOpening
from domain.conversations.reports import EndSessionTurn, NoteRules
from domain.core.command import Answer, Command
from domain.core.directories.commands import AskDirectory, FreeDirectory
from domain.core.errors import WrongStateError
from domain.core.event import Headline
from domain.flows import rules
from domain.flows.commands import CallRun, NoteRun, OpenFlow, TakeGrant
from domain.flows.effects import FlowEffect, RunCommand, WaitUntil
from domain.flows.inputs import FlowInput, OpenedFlow, OpenFlowCall
from domain.flows.person_commands import StopFlow
from domain.flows.state import FlowState, FlowStatus
from domain.flows.wordings import details_of, waiting_for
from domain.reading.commands import FLOW_COMMANDS
from workflows import flow_children
from workflows.attributes import Shown
from workflows.doors import doors, told
from workflows.flow_effects import carry_out
from workflows.flow_loop import FlowLoop
from workflows.loop import Start
from workflows.opening import opened
from workflows.outbox import MAX_TITLE
from workflows.starts import check_start

EFFECTS = (flow_children,)
"""Where the effects of a run are carried out, besides workflows/flow_effects.py."""


@workflow.defn(name="Flow")
@doors(*FLOW_COMMANDS)
class FlowWorkflow(FlowLoop):
    """A run lives on after its last step: it can be resumed, until it is deleted."""

    @workflow.init
    def __init__(self, flow: FlowInput) -> None:
        super().__init__(flow)
        self._refusal: ApplicationError | None = None
        self._kinds: dict[str, type[FlowEffect]] = {}
        self._wanted: set[str] = set()
        self._fresh: set[str] = set()
        self._shown = Shown("open")

    @workflow.run
    async def run(self, flow: FlowInput) -> str:
        """Open the repository, then carry out the flow; a refused opening ends at once."""
        is_carried = flow.carried is not None
        parent = flow.parent.run_id if flow.parent else ""
        check_start(flow.run_id, parent, is_carried=is_carried, is_child=bool(parent))
        if not is_carried:
            await self._open()
        if self._refusal is not None:
            await workflow.wait_condition(workflow.all_handlers_finished)
            return f"not opened: {self._refusal.message}"
        if await self.live():
            carried = {
                "carried": self._state.model_copy(update={"definition": _NONE}),
                "started": tuple(sorted(self.started)),
                "events_so_far": self._outbox.numbered,
                "effects_so_far": self._outbox.loads,
                "answered": self._answered,
            }
            workflow.continue_as_new(flow.model_copy(update=carried))
        await self.drain()
        return self.ending

    async def _open(self) -> None:
        flow, parent = self.input, self.input.parent
        if parent is not None:
            place = {"base": parent.base, "branch": parent.branch, "host": parent.host}
            self.submit(self._opening(repository=flow.repository, parent=parent, **place))
            return
        found = await self._opened(OpenFlowCall(run_id=flow.run_id, repository=flow.repository))
        if found is None:
            return
        place = {"base": found.facts.head, "branch": found.branch, "host": found.host}
        self.submit(self._opening(repository=found.facts.root, **place))

    def _opening(self, **found: Any) -> OpenFlow:
        flow = self.input
        return OpenFlow(
            run_id=flow.run_id,
            title=flow.title or f"Flow: {flow.definition.name}",
            definition=flow.definition,
            agents=flow.agents,
            folder=flow.folder,
            by=flow.opened_by,
            command_id=flow.command_id,
            **found,
        )

    async def _opened(self, call: OpenFlowCall) -> OpenedFlow | None:
        found = await opened(self, FlowOpening.open_flow, call, lambda: self._is_given_up)
        if isinstance(found, OpenedFlow):
            return found
        self._refusal = self._refusal or found or _stopped("")
        return None

    @property
    def _is_given_up(self) -> bool:
        return self._refusal is not None or self.is_signalled(StopFlow)

    @workflow.update(name="open")
    async def open(self, *_: Any) -> Answer:
        """Wait until the run has begun; answers its id, or why it was refused."""
        await self._begun()
        if self._refusal is not None:
            raise ApplicationError(
                self._refusal.message, type=self._refusal.type, non_retryable=True
            )
        await workflow.wait_condition(lambda: self._outbox.is_empty)
        data = {"branch": self._state.branch, "command_id": self._state.command_id}
        return Answer(message=self.input.run_id, data=data)

    async def _begun(self) -> None:
        await workflow.wait_condition(
            lambda: self._refusal is not None or self._state.status is not FlowStatus.OPENING
        )

    @workflow.signal(name="end_session_turn")
    def end_session_turn(self, *payloads: Any) -> None:
        """A turn of the run is over; told by its session."""
        if (ended := told(EndSessionTurn, payloads)) is not None:
            self.submit(ended)

    @workflow.signal(name="ask_directory")
    def ask_directory(self, *payloads: Any) -> None:
        """A turn needs the run's directory; told by its session."""
        if (asked := told(AskDirectory, payloads)) is not None:
            self.submit(asked)

    @workflow.signal(name="free_directory")
    def free_directory(self, *payloads: Any) -> None:
        """A turn needs that directory no more; told by its session."""
        if (freed := told(FreeDirectory, payloads)) is not None:
            self.submit(freed)

    @workflow.signal(name="note_rules")
    def note_rules(self, *payloads: Any) -> None:
        """A person wants answers to count in the whole run; told by a session."""
        if (noted := told(NoteRules, payloads)) is not None:
            self.submit(noted)

    @workflow.signal(name="grant_directory")
    def grant_directory(self, *payloads: Any) -> None:
        """The directory that this run shares is a turn's; told by the run that began it."""
        if (granted := told(TakeGrant, payloads)) is not None:
            self.submit(granted)

    @workflow.signal(name="note_run")
    def note_run(self, *payloads: Any) -> None:
        """A run that a step began stands still; told by it."""
        if (noted := told(NoteRun, payloads)) is not None:
            self.submit(noted)

    @workflow.signal(name="call_run")
    def call_run(self, *payloads: Any) -> None:
        """This run's end is awaited; told by the run that began it."""
        if (called := told(CallRun, payloads)) is not None:
            self.submit(called)

    async def take(self, command: Command) -> Answer:
        """Take a command from a door once the run has begun; one that is stopped before never does."""
        is_opening = self._refusal is None and self._state.status is FlowStatus.OPENING
        if isinstance(command, StopFlow) and is_opening:
            self._refusal = _stopped(command.by)
            return Answer(message="stopped before it began")
        await self._begun()
        return await super().take(command)

    # --- the loop's questions

    @property
    def is_over(self) -> bool:
        """A run is never over by itself, only when it was deleted."""
        return bool(self.ending)

    def effects(self) -> dict[str, Start]:
        """What must be under way, as the rules say."""
        wanted = {effect.key: effect for effect in rules.todo(self._state)}
        self._wanted = set(wanted)
        self._fresh = self._wanted - set(self._under_way)
        under_way = {key: kind for key, kind in self._kinds.items() if key in self._under_way}
        self._kinds = under_way | {key: type(effect) for key, effect in wanted.items()}
        return {key: partial(carry_out, effect, self) for key, effect in wanted.items()}

    def cancellations(self) -> set[str]:
        """Waits that are over, and commands of a run that is stopped; none that just begins.

        A task that is cancelled before it took a step never tells that it has ended.
        """
        ending = (
            {WaitUntil} if self._state.status is FlowStatus.RUNNING else {WaitUntil, RunCommand}
        )
        keys = {key for key, kind in self._kinds.items() if kind in ending}
        if self._state.status is FlowStatus.RUNNING:
            keys -= self._wanted
        return keys - self._fresh

    def can_resume(self, key: str) -> bool:
        """Tell whether the next run can take up an effect that is under way: what ends now cannot be."""
        is_wanted = any(effect.key == key for effect in rules.todo(self._state))
        is_resumable = self._kinds.get(key, FlowEffect).is_resumable
        return is_resumable and is_wanted and key not in self.busy

    def show(self) -> None:
        """Put the headline, the details and the attributes right."""
        state = self._state
        waits = waiting_for(state)
        self._outbox.show(
            Headline(
                stream=self.input.run_id,
                kind="flow",
                title=(state.title or self.input.title)[:MAX_TITLE],
                goal=self.input.definition.name,
                is_archived=state.is_archived,
                project=state.repository or self.input.repository,
                status=state.shown_status,
                waiting_for=waits[:MAX_TITLE],
            )
        )
        self._shown.show(state.shown_status, waits, details_of(state))


_NONE = FlowState().definition


def _stopped(by: str) -> ApplicationError:
    words = f"stopped by {by or 'a person'} before it began"
    return ApplicationError(words, type=WrongStateError.type, non_retryable=True)
