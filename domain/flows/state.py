"""What is known of a run of a flow."""

from datetime import datetime
from enum import StrEnum

from domain.conversations.place import FlowPlace
from domain.conversations.questions.remembered import Remembered
from domain.core.directories.state import SharedDirectory
from domain.core.ids import SessionId, StreamId, TurnId
from domain.core.wire import Wire
from domain.flows.definition import FlowDefinition, FlowStep, Slot, StepKind
from domain.flows.events import ChildEnd, ChosenAgent, ParentRun
from domain.flows.program import LoopFrame, Spot, place_of, slot_of
from domain.flows.requests import HumanRequest

MAX_OUTPUT = 4_096
"""Characters of an output that are carried; the newest are kept."""

MAX_OUTPUTS = 100
WHOLE_OUTPUTS = 8
CUT_OUTPUT = 200
"""Only the newest outputs are carried whole: a run's state must fit into a payload."""


class FlowStatus(StrEnum):
    """Where a run stands; one that waits for a person is shown as waiting."""

    OPENING = "open"
    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"
    COMPLETED = "completed"
    TERMINATED = "terminated"

    @property
    def is_at_work(self) -> bool:
        """Whether steps go on, or are being stopped."""
        return self in {FlowStatus.RUNNING, FlowStatus.STOPPING}


class Conversation(Wire):
    """The session of a slot."""

    slot: Slot
    session_id: SessionId
    chosen: ChosenAgent


class StepUnderWay(Wire):
    """The step that is being carried out; `message` is which of its messages, or tries."""

    visit: int
    message: int = 0
    due_at: datetime | None = None


class StepOutput(Wire):
    """What a step gave; `text_ref` names the whole of a long one in the journal."""

    text: str
    text_ref: str | None = None


class ChildRun(Wire):
    """A run of another flow that a step began; `end` is how it stood when it was heard of last.

    Without one it is awaited.
    """

    flow_name: str
    run_id: StreamId
    end: ChildEnd | None = None
    reason: str = ""


class SubflowRuns(Wire):
    """The runs that a `subflow` step began, and where in the flow it stands: a resume finds them there."""

    spot: Spot = Spot()
    runs: tuple[ChildRun, ...] = ()

    @property
    def awaited(self) -> tuple[ChildRun, ...]:
        """Those that have not ended."""
        return tuple(run for run in self.runs if run.end is None)

    def run(self, run_id: str) -> ChildRun | None:
        """Return one of them."""
        return next((run for run in self.runs if run.run_id == run_id), None)

    def with_run(self, run: ChildRun, instead: str = "") -> "SubflowRuns":
        """Return the fleet with a run in the place of an earlier one, else as its last."""
        old = instead or run.run_id
        if self.run(old) is None:
            return self.model_copy(update={"runs": (*self.runs, run)})
        runs = tuple(run if each.run_id == old else each for each in self.runs)
        return self.model_copy(update={"runs": runs})


class FlowState(Wire):
    """A run. `position` and `loops` are where it is, or where it goes on when no step is under way.

    `retiring` are conversations that were dropped and whose agents must go, `answered` are requests
    that were answered. `notified_call` is the call of its parent that heard of its end, and one that
    `is_called_back` goes on as soon as its stop is through.
    """

    run_id: StreamId = StreamId("")
    definition: FlowDefinition = FlowDefinition(name="")
    agents: dict[str, ChosenAgent] = {}
    title: str = ""
    repository: str = ""
    folder: str = ""
    base: str = ""
    branch: str = ""
    host: str = ""
    command_id: str = ""
    recipe: str = ""
    status: FlowStatus = FlowStatus.OPENING
    reason: str = ""
    execution: int = 1
    position: int = 0
    loops: tuple[LoopFrame, ...] = ()
    visits: int = 0
    step: StepUnderWay | None = None
    conversations: tuple[Conversation, ...] = ()
    opened_so_far: int = 0
    retiring: tuple[SessionId, ...] = ()
    outputs: dict[str, StepOutput] = {}
    request: HumanRequest | None = None
    answered: tuple[str, ...] = ()
    directory: SharedDirectory = SharedDirectory()
    remembered: Remembered = Remembered()
    subflow_runs: SubflowRuns = SubflowRuns()
    parent: ParentRun | None = None
    notified_call: int = 0
    is_called_back: bool = False
    is_archived: bool = False
    is_deletion_requested: bool = False
    is_deletion_forced: bool = False
    moves: int = 0
    """How often it has moved to another host."""
    spread_moves: int = 0
    """The last move that its conversations and child runs know of."""

    @property
    def owner(self) -> StreamId:
        """The run whose worktree this one works in: its own, unless another run began it."""
        return self.parent.owner if self.parent else self.run_id

    @property
    def spot(self) -> Spot:
        """Where the run is."""
        return Spot(position=self.position, loops=self.loops)

    @property
    def doing(self) -> FlowStep | None:
        """The step that is being carried out."""
        return self.definition.steps[self.position] if self.step else None

    @property
    def place(self) -> FlowPlace | None:
        """Where the run is, as people are shown it; None behind the last step."""
        if self.position >= len(self.definition.steps):
            return None
        return place_of(self.definition, self.spot, self.execution)

    @property
    def index(self) -> int:
        """The index of the step where the run is, the number of all behind the last one."""
        return self.place.step_index if self.place else self.definition.total

    @property
    def shown_status(self) -> str:
        """The status as lists show it."""
        return "waiting" if self.request else self.status

    @property
    def prompt_key(self) -> str:
        """The key of the message that is under way."""
        message = self.step.message if self.step else 0
        return f"{self.execution}-{self.visits}-{message}"

    @property
    def holding(self) -> TurnId:
        """What the run itself holds the directory by, while a command of it runs."""
        return TurnId(f"{self.run_id}/step-{self.visits}")

    @property
    def awaited(self) -> tuple[ChildRun, ...]:
        """The runs of other flows whose ends the step under way waits for."""
        is_subflow = self.doing is not None and self.doing.kind is StepKind.SUBFLOW
        return self.subflow_runs.awaited if is_subflow else ()

    @property
    def is_ended_by_others(self) -> bool:
        """Whether the step under way ends only when an agent, a command or another run has."""
        return self.conversation is not None or bool(self.command) or bool(self.awaited)

    @property
    def conversation(self) -> Conversation | None:
        """The conversation of the step that is being carried out."""
        slot = slot_of(self.doing) if self.doing else None
        return self.conversation_of(slot) if slot else None

    def conversation_of(self, slot: Slot) -> Conversation | None:
        """Return a slot's conversation, None before its first step."""
        return next((c for c in self.conversations if c.slot == slot), None)

    @property
    def command(self) -> str:
        """The command that the step under way runs, empty where it runs none."""
        step = self.doing
        if step is None:
            return ""
        return step.command or (step.condition.command if step.condition else "")

    def outputs_after(self, key: str, output: StepOutput) -> dict[str, StepOutput]:
        """Return the outputs with one more; older ones are cut, the oldest forgotten."""
        kept = [(k, o) for k, o in self.outputs.items() if k != key][1 - MAX_OUTPUTS :]
        old = len(kept) - WHOLE_OUTPUTS + 1
        cut = {k: _cut(o) if n < old else o for n, (k, o) in enumerate(kept)}
        return {**cut, key: output}


def stop_words(by: str) -> str:
    """Return why a run stands still that somebody stopped."""
    return f"stopped by {by}" if by else "stopped"


def _cut(output: StepOutput) -> StepOutput:
    return output.model_copy(update={"text": output.text[-CUT_OUTPUT:]})
