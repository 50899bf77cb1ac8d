"""The steps of a flow file laid out in one list, where loops and branches know their ends."""

from collections.abc import Mapping, Sequence
from itertools import count
from shlex import quote

from domain.flows import shapes
from domain.flows.definition import Condition, Exit, FlowStep, Slot, StepKind
from domain.flows.reviewing import ReviewStep, review_steps
from domain.flows.values import names_script

_Single = (
    (shapes.OpenLoop | shapes.EndLoop | shapes.Break | shapes.Continue | shapes.If)
    | (shapes.Llm | shapes.AgentCommand | shapes.Command | shapes.Reset | shapes.Reingest)
    | (shapes.Subflow | shapes.SubflowWave | shapes.Human | shapes.Wait)
)
"""The steps of a file that are one step here, too."""

Texts = Mapping[int, tuple[str, ...]]
"""The messages that stand in other files, by the number of the step that names them."""


def lay_out(steps: Sequence[shapes.Step], texts: Texts) -> tuple[FlowStep, ...]:
    """Return sound steps in the order in which they are carried out."""
    layout = _Layout(texts)
    layout.add(steps)
    return tuple(layout.steps)


def joined(lines: Sequence[str]) -> str:
    """Return the parts of a message as the one text that an agent gets."""
    return "\n".join(lines)


class _Layout:
    def __init__(self, texts: Texts) -> None:
        self.steps: list[FlowStep] = []
        self._texts = texts
        self._numbers = count()

    def add(self, steps: Sequence[shapes.Step]) -> None:
        open_loops: list[int] = []
        for each in steps:
            index = next(self._numbers)
            position = len(self.steps)
            if isinstance(each, shapes.EndLoop):
                self._end(open_loops.pop(), StepKind.END_LOOP, index, each.label)
                continue
            if isinstance(each, ReviewStep):
                self.steps += review_steps(each, index)
                continue
            self.steps.append(_step(each, index, self._texts))
            if isinstance(each, shapes.Loop):
                self.add(each.steps)
                self._end(position, StepKind.END_LOOP, index)
            elif isinstance(each, shapes.OpenLoop):
                open_loops.append(position)
            elif isinstance(each, shapes.If):
                self._branch(each, index, position)

    def _branch(self, branch: shapes.If, index: int, position: int) -> None:
        self.add(branch.then)
        last = position
        if branch.otherwise is not None:
            last = self._end(position, StepKind.ELSE, index)
            self.add(branch.otherwise)
        end = self._end(last, StepKind.END_IF, index)
        self._point(end, position)

    def _end(self, begun: int, kind: StepKind, index: int, label: str = "") -> int:
        """Put an end; what began and its end point at each other."""
        end = len(self.steps)
        self.steps.append(FlowStep(kind=kind, index=index, label=label, position_of_end=begun))
        self._point(begun, end)
        return end

    def _point(self, position: int, end: int) -> None:
        self.steps[position] = self.steps[position].model_copy(update={"position_of_end": end})


def _step(step: _Single, index: int, texts: Texts) -> FlowStep:  # noqa: C901, PLR0911  (one case for each kind)
    match step:
        case shapes.OpenLoop():
            loop = FlowStep(kind=StepKind.START_LOOP, index=index, label=step.label)
            return loop.model_copy(update={"max_iterations": step.max_iterations})
        case shapes.Break():
            return _breaking(step, index)
        case shapes.Continue():
            return _judging(step, StepKind.CONTINUE, index, on=step.continue_on == "yes")
        case shapes.If():
            return _branching(step, index)
        case shapes.Llm() | shapes.AgentCommand():
            return _speaking(step, index, texts)
        case shapes.Reset():
            return FlowStep(kind=StepKind.RESET, index=index, label=step.label, slot=_slot(step))
        case shapes.Command():
            return FlowStep(
                kind=StepKind.COMMAND,
                index=index,
                label=step.label,
                command=step.command,
                timeout_ms=step.timeout_seconds * 1000,
                output_key=step.output_key,
                is_failure_passed=step.continue_on_failure,
            )
        case shapes.Human():
            return _asking(step, index)
        case shapes.Subflow() | shapes.SubflowWave():
            return _naming(step, index)
        case shapes.Wait():
            kind = StepKind.WAIT
            return FlowStep(kind=kind, index=index, label=step.label, seconds=step.seconds)
        case shapes.Reingest() | shapes.EndLoop():
            return FlowStep(kind=StepKind(step.type), index=index, label=step.label)


def _naming(step: shapes.Subflow | shapes.SubflowWave, index: int) -> FlowStep:
    is_wave = isinstance(step, shapes.SubflowWave)
    names = [group.flow_name for group in step.groups] if is_wave else step.flow_names
    return FlowStep(
        kind=StepKind.SUBFLOW,
        index=index,
        label=step.label,
        flow_names=tuple(names),
        is_failure_passed=is_wave and step.failure_mode is not None,
    )


def _asking(step: shapes.Human, index: int) -> FlowStep:
    return FlowStep(
        kind=StepKind.HUMAN,
        index=index,
        label=step.label,
        question=step.question,
        options=tuple(step.options),
        output_key=step.output_key,
    )


def _speaking(step: shapes.Llm | shapes.AgentCommand, index: int, texts: Texts) -> FlowStep:
    messages = step.messages if isinstance(step, shapes.Llm) else []
    return FlowStep(
        kind=StepKind.LLM,
        index=index,
        label=step.label,
        slot=_slot(step),
        messages=texts.get(index) or tuple(joined(message.content) for message in messages),
        inputs=tuple(step.inputs) if isinstance(step, shapes.Llm) else (),
        is_failure_passed=step.continue_on_failure,
    )


def _breaking(step: shapes.Break, index: int) -> FlowStep:
    judging = _judging(step, StepKind.BREAK, index, on=step.break_on == "yes")
    to = Exit.FLOW if step.exit_flow else Exit.HALT if step.halt_flow else Exit.LOOP
    changes: dict[str, object] = {
        "exit": to,
        "is_left_on_failure": step.break_on_failure,
        "is_failure_passed": step.continue_on_failure,
        "is_no_answer_passed": step.continue_on_invalid_response,
    }
    if step.decision_script:
        changes["condition"] = _script(step.decision_script)
    return judging.model_copy(update=changes)


def _branching(step: shapes.If, index: int) -> FlowStep:
    judging = _judging(step, StepKind.IF, index, on=True)
    if not step.condition:
        return judging
    if names_script(step.condition):
        return judging.model_copy(update={"condition": _script(step.condition)})
    slot = Slot(agent_type=step.agent_type, identifier=step.identifier)
    asked = Condition(slot=slot, question=step.condition)
    return judging.model_copy(update={"condition": asked})


def _script(path: str) -> Condition:
    return Condition(command=f"python3 {quote(path)}", is_exact=True)


def _judging(step: shapes.Asking, kind: StepKind, index: int, *, on: bool) -> FlowStep:
    slot = Slot(agent_type=step.agent_type, identifier=step.identifier) if step.agent_type else None
    condition = Condition(
        slot=slot,
        question=step.question,
        command=step.command,
        output_key=step.output_key,
        equals=step.equals,
    )
    timeout_ms = step.timeout_seconds * 1000
    label = step.label
    return FlowStep(
        kind=kind, index=index, label=label, condition=condition, on=on, timeout_ms=timeout_ms
    )


def _slot(step: shapes.ConversationStep) -> Slot:
    return Slot(agent_type=step.agent_type, identifier=step.identifier)
