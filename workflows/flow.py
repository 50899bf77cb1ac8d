"""FlowWorkflow: one run of a flow, step after step, over the definition it began with."""

from collections.abc import Coroutine
from typing import Any

from temporalio import workflow

from activities.flows import FlowOpening
from domain.conversations.reports import EndSessionTurn, NoteRules
from domain.core.command import Answer
from domain.core.directories.commands import AskDirectory, FreeDirectory
from domain.core.event import Headline
from domain.core.moves import HostMove
from domain.core.wire import Wire
from domain.flows.commands import CallRun, NoteRun, OpenFlow, TakeGrant
from domain.flows.effects import FlowEffect, RunCommand, WaitUntil
from domain.flows.inputs import FlowInput, OpenFlowCall
from domain.flows.rules import FLOW_RULES
from domain.flows.state import FlowState, FlowStatus
from domain.flows.wordings import details_of, waiting_for
from domain.hosts.calls import PlaceCall
from workflows import flow_children, flow_moving
from workflows.attributes import Shown
from workflows.doors import doors, receives
from workflows.flow_effects import carry_out
from workflows.flow_loop import FlowLoop
from workflows.outbox import MAX_TITLE
from workflows.patches import FLOWS_ARE_PLACED
from workflows.placing import open_somewhere
from workflows.starts import check_start

EFFECTS = (flow_children, flow_moving)
"""Where the effects of a run are carried out, besides workflows/flow_effects.py."""


@workflow.defn(name="Flow")
@doors(*FLOW_RULES.commands)
@receives(
    end_session_turn=EndSessionTurn,
    ask_directory=AskDirectory,
    free_directory=FreeDirectory,
    note_rules=NoteRules,
    grant_directory=TakeGrant,
    note_run=NoteRun,
    call_run=CallRun,
    move_host=HostMove,
)
class FlowWorkflow(FlowLoop):
    """A run lives on after its last step: it can be resumed, until it is deleted."""

    @workflow.init
    def __init__(self, flow: FlowInput) -> None:
        super().__init__(flow)
        self._shown = Shown("open")

    @workflow.run
    async def run(self, flow: FlowInput) -> str:
        """Open the repository, then carry out the flow; a refused opening ends at once."""
        is_carried = flow.carried is not None
        parent = flow.parent.run_id if flow.parent else ""
        check_start(flow.run_id, parent, is_carried=is_carried, is_child=bool(parent))
        if not is_carried:
            await self._open()
        return await self.live_until_deleted()

    async def _open(self) -> None:
        flow, parent = self.input, self.input.parent
        if parent is not None:
            place = parent.place
            self.submit(self._opening(repository=flow.repository, parent=parent, **place))
            return
        call = OpenFlowCall(run_id=flow.run_id, repository=flow.repository)
        if workflow.patched(FLOWS_ARE_PLACED):
            place = PlaceCall(stream=flow.run_id, wish=flow.hosts)
            found = await open_somewhere(self, place, FlowOpening.open_flow, call)
        else:
            found = await self.opening(FlowOpening.open_flow, call)
        if found is None:
            return
        place = {"base": found.facts.head, "branch": found.branch, "host": found.host}
        opening = self._opening(repository=found.facts.root, recipe=found.recipe, **place)
        self.submit(opening)

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

    def receive(self, message: Wire) -> None:
        """Take a message of another workflow of ours."""
        if isinstance(message, HostMove):
            self.move(message)
        else:
            super().receive(message)

    def describe(self) -> Answer:
        """Return the run's id, its branch, and the command that began it."""
        data = {"branch": self._state.branch, "command_id": self._state.command_id}
        return Answer(message=self.input.run_id, data=data)

    # --- the loop's questions

    def carried_state(self) -> FlowState:
        """Return what the next run must know, which has the definition in its input."""
        return self._state.model_copy(update={"definition": _NONE})

    def carry_out(self, effect: FlowEffect) -> Coroutine[Any, Any, None]:
        """Return what carries out an effect; see workflows/flow_effects.py."""
        return carry_out(effect, self)

    def must_stop(self, effect: FlowEffect) -> bool:
        """Tell whether an effect must stop: a wait that is over, or the command of a stopped run."""
        is_running = self._state.status is FlowStatus.RUNNING
        if isinstance(effect, RunCommand):
            return not is_running
        return isinstance(effect, WaitUntil) and not (is_running and self.is_required(effect))

    def can_resume(self, key: str) -> bool:
        """Tell whether the next run can take up an effect that is under way: what ends now cannot be."""
        is_required = any(effect.key == key for effect in self.rules.effects(self._state))
        return super().can_resume(key) and is_required and key not in self.busy

    def show(self) -> None:
        """Put the headline and the attributes right."""
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
        self._shown.show(state.shown_status, waits)

    def details(self) -> str:
        """Return where the run stands."""
        return details_of(self._state)


_NONE = FlowState().definition
