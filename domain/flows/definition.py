"""A flow as it is carried out: steps in the order in which its file has them.

Both spellings of a loop, flat (`startLoop` … `endLoop`) and nested (`startLoop` with `steps`), are read
into the same list (domain/flows/reading.py). A step's place in the list is its position, which loops
and branches jump to; its `index` is its number in the file, which people see. Ends that the nested
spelling does not write have the index of what they end.
"""

from enum import StrEnum
from typing import Any

from pydantic import Field

from domain.core.wire import Wire

MAX_STEPS = 1000
MAX_DEPTH = 16
"""Loops and branches that stand in each other."""


class StepKind(StrEnum):
    """What a step is, by its word in the file."""

    START_LOOP = "startLoop"
    END_LOOP = "endLoop"
    LLM = "llm"
    BREAK = "break"
    CONTINUE = "continue"
    RESET = "reset"
    REINGEST = "reingest"
    SUBFLOW = "subflow"
    COMMAND = "command"
    HUMAN = "human"
    WAIT = "wait"
    IF = "if"
    ELSE = "else"
    END_IF = "endIf"


class Exit(StrEnum):
    """What a break leaves: its loop, or the flow, which is then completed, or stands still there."""

    LOOP = "loop"
    FLOW = "exitFlow"
    HALT = "haltFlow"


class Slot(Wire):
    """Whose conversation a step is part of: one for each agent type and identifier of a run."""

    agent_type: str
    identifier: str


class Condition(Wire):
    """What is asked to know yes or no: an agent, a command, or what an earlier step gave.

    A command's last line `{"answer": "yes"}` or `{"answer": "no"}` decides, else its exit code: 0 is yes;
    one that `is_exact` must pass and print such a line. `output_key` is yes where that output is `equals`;
    without `equals`, where it says yes.
    """

    slot: Slot | None = None
    question: str = ""
    command: str = ""
    is_exact: bool = False
    output_key: str = ""
    equals: str | None = None


class FlowStep(Wire):
    """One step; which fields count depends on its kind.

    `messages` are sent one turn each, as texts or, where long, as references to texts of the journal
    (`message_refs` at the same place, empty where the text is whole). `inputs` name outputs of earlier
    steps that go along with the first message. `position_of_end` is where a loop's or a branch's end
    stands, of an end where it began; of `if` it is its `else`, or its end.
    """

    kind: StepKind
    index: int
    label: str = ""
    slot: Slot | None = None
    messages: tuple[str, ...] = ()
    message_refs: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    condition: Condition | None = None
    on: bool = True
    """The answer at which a break or a continue happens."""

    exit: Exit = Exit.LOOP
    is_left_on_failure: bool = False
    """Whether a break happens as well where its condition can't be told (`breakOnFailure`)."""

    command: str = ""
    timeout_ms: int = Field(default=600_000, ge=1)
    seconds: int = Field(default=0, ge=0)
    question: str = ""
    options: tuple[str, ...] = ()
    flow_names: tuple[str, ...] = ()
    """The flows that run side by side, each as a run of its own."""

    output_key: str = ""
    max_iterations: int | None = None
    is_failure_passed: bool = False
    """Whether the run goes on where this step failed (`continueOnFailure`)."""

    is_no_answer_passed: bool = False
    """Whether a break does not happen where its answer is none (`continueOnInvalidResponse`)."""

    summary: str = ""
    """What a command of Treadle's own does, shown in its place; no file says it."""

    position_of_end: int = 0


class FlowDefinition(Wire):
    """One flow: what a run keeps of its file. `content_hash` is that of the file's bytes.

    `subflows` are the flows that its steps name, and those that theirs name, each once and without
    its own; where there are any, `content_hash` is that of all their files.
    """

    name: str
    description: str = ""
    steps: tuple[FlowStep, ...] = ()
    total: int = 0
    """How many steps the file has."""

    content_hash: str = ""
    path: str = ""
    scope: str = ""
    subflows: tuple["FlowDefinition", ...] = ()

    @property
    def flow_names(self) -> tuple[str, ...]:
        """The flows that its own steps name."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.flow_names))

    @property
    def whole(self) -> tuple["FlowDefinition", ...]:
        """The flow itself and all flows that run with it."""
        return (self, *self.subflows)

    @property
    def agent_types(self) -> tuple[str, ...]:
        """Who has turns in it, or in a flow that runs with it."""
        slots = (slot for flow in self.whole for slot in flow.slots)
        return tuple(dict.fromkeys(slot.agent_type for slot in slots))

    def subflow(self, name: str) -> "FlowDefinition":
        """Return a flow that runs with this one, as a run of it has it."""
        found = next(each for each in self.subflows if each.name == name)
        return found.model_copy(update={"subflows": self.subflows})

    def compact(self) -> dict[str, Any]:
        """Return it as JSON without all that is as usual: a step has twenty fields."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The conversations of a run, in the order in which they begin."""
        asked = (step.condition.slot for step in self.steps if step.condition)
        named = (step.slot for step in self.steps)
        return tuple(dict.fromkeys(slot for slot in (*named, *asked) if slot is not None))

    @property
    def own_commands(self) -> tuple[str, ...]:
        """What its own steps run on the host."""
        own = (step.command for step in self.steps)
        asked = (step.condition.command for step in self.steps if step.condition)
        return tuple(dict.fromkeys(text for text in (*own, *asked) if text))

    @property
    def shown_commands(self) -> tuple[str, ...]:
        """What people are shown of its commands: those of Treadle's own are summed up."""
        summaries = {step.command: step.summary for flow in self.whole for step in flow.steps}
        return tuple(dict.fromkeys(summaries.get(text) or text for text in self.commands))

    @property
    def commands(self) -> tuple[str, ...]:
        """What it runs on the host, and the flows with it: a repository's needs trust for it."""
        return tuple(dict.fromkeys(text for flow in self.whole for text in flow.own_commands))
