"""What is wrong with a flow whose steps are sound each by itself."""

from collections.abc import Iterator, Sequence

from domain.flows.definition import FlowDefinition, FlowStep, StepKind
from domain.flows.outline import PlacedStep, way
from domain.flows.problems import FlowProblem
from domain.wire import size_bytes

LONG_TEXT_BYTES = 1024
"""Longer messages go to the journal's text store at the start of a run."""

MAX_COMPACT_BYTES = 90 * 1024
"""Of a flow without its long messages: what a run carries."""

MAX_TEXT_BYTES = 4 * 1024 * 1024
"""Of all messages of a flow together."""

_REFERENCE = "-" * 64
_LASTING = {StepKind.LLM, StepKind.COMMAND, StepKind.HUMAN, StepKind.WAIT}


def faults(flow: FlowDefinition, placed: Sequence[PlacedStep]) -> Iterator[FlowProblem]:
    """Yield what no step shows alone: outputs that nothing gives, loops that never rest, the size."""
    yield from _unknown_outputs(flow.steps, placed)
    yield from _restless_loops(flow.steps, placed)
    texts = sum(len(text.encode()) for step in flow.steps for text in step.messages)
    if texts > MAX_TEXT_BYTES:
        words = f"its messages are {texts} bytes, and {MAX_TEXT_BYTES} are the most"
        yield FlowProblem(type="too_large", message=words)
    compact = compact_bytes(flow)
    if compact > MAX_COMPACT_BYTES:
        words = (
            f"it is {compact} bytes without its long messages, and {MAX_COMPACT_BYTES} are the most"
        )
        yield FlowProblem(type="too_large", message=f"{words}: make two flows of it")


def compact_bytes(flow: FlowDefinition) -> int:
    """Return how large a flow is where references stand for its long messages."""
    return size_bytes(flow.model_copy(update={"steps": tuple(map(_compact, flow.steps))}))


def endless_loops(flow: FlowDefinition) -> tuple[int, ...]:
    """Return the numbers of the loops that only a stop ends: they have no break and no limit."""
    open_loops: list[tuple[FlowStep, bool]] = []
    endless: list[int] = []
    for step in flow.steps:
        if step.kind is StepKind.START_LOOP:
            open_loops.append((step, step.max_iterations is not None))
        elif step.kind is StepKind.BREAK:
            open_loops[-1] = (open_loops[-1][0], True)
        elif step.kind is StepKind.END_LOOP:
            loop, has_end = open_loops.pop()
            endless += [] if has_end else [loop.index]
    return tuple(sorted(endless))


def _compact(step: FlowStep) -> FlowStep:
    long = [len(text.encode()) > LONG_TEXT_BYTES for text in step.messages]
    if not any(long):
        return step
    texts = zip(step.messages, long, strict=True)
    messages = tuple("" if is_long else text for text, is_long in texts)
    references = tuple(_REFERENCE if is_long else "" for is_long in long)
    return step.model_copy(update={"messages": messages, "message_refs": references})


def _unknown_outputs(
    steps: Sequence[FlowStep], placed: Sequence[PlacedStep]
) -> Iterator[FlowProblem]:
    given = {step.output_key for step in steps}
    for step in steps:
        wanted = {"inputs": step.inputs}
        if step.condition is not None:
            wanted["outputKey"] = (step.condition.output_key,)
        for field, keys in wanted.items():
            for key in (key for key in keys if key and key not in given):
                words = f"no step has the `outputKey` {key!r}"
                yield _problem(placed[step.index], field, "unknown_output", words)


def _restless_loops(
    steps: Sequence[FlowStep], placed: Sequence[PlacedStep]
) -> Iterator[FlowProblem]:
    for position, step in enumerate(steps):
        if step.kind is StepKind.START_LOOP:
            body = steps[position : step.position_of_end]
            if not any(_lasts(each) for each in body):
                words = "a loop needs a step that takes its time, like llm, command, human or wait"
                yield _problem(placed[step.index], "type", "bad_value", words)


def _lasts(step: FlowStep) -> bool:
    asked = step.condition
    is_asking = asked is not None and (asked.slot is not None or bool(asked.command))
    return step.kind in _LASTING or is_asking


def _problem(step: PlacedStep, field: str, kind: str, words: str) -> FlowProblem:
    path = way((*step.path, field))
    return FlowProblem(type=kind, step=step.index, field=path, message=words)
