"""What is wrong with a flow whose steps are sound each by itself."""

from collections.abc import Iterator, Sequence

from domain.flows.definition import Exit, FlowDefinition, FlowStep, StepKind
from domain.flows.outline import PlacedStep, way
from domain.flows.problems import FlowProblem
from domain.flows.prompts import INLINE
from domain.flows.starting import MAX_DEFINITION_BYTES, MAX_MESSAGE, MAX_SLOTS, size_of

MAX_TEXT_BYTES = 4 * 1024 * 1024
"""Of all texts of a flow together."""

_OF_MODELS = ("model", "reasoningEffort")
_CUT = "-" * 200
_REFERENCE = "-" * 64
_LASTING = {StepKind.LLM, StepKind.SUBFLOW, StepKind.COMMAND, StepKind.HUMAN, StepKind.WAIT}


def faults(flow: FlowDefinition, placed: Sequence[PlacedStep]) -> Iterator[FlowProblem]:
    """Yield what no step shows alone: outputs that nothing gives, loops that never rest, the size."""
    yield from _unknown_outputs(flow.steps, placed)
    yield from _restless_loops(flow.steps, placed)
    yield from _long_texts(flow.steps, placed)
    texts = sum(len(text.encode()) for step in flow.steps for text in _texts(step))
    sizes = (
        ("bytes in its texts", texts, MAX_TEXT_BYTES),
        ("bytes without its long texts", compact_bytes(flow), MAX_DEFINITION_BYTES),
        ("conversations", len(flow.slots), MAX_SLOTS),
    )
    for what, size, most in sizes:
        if size > most:
            words = f"it has {size} {what}, and {most} are the most: make several flows of it"
            yield FlowProblem(type="too_large", message=words)


def compact_bytes(flow: FlowDefinition) -> int:
    """Return how large a flow is in a history, where references stand for its long texts.

    The flows that run with it are not counted.
    """
    steps = tuple(map(_compact, flow.steps))
    return size_of(flow.model_copy(update={"steps": steps, "subflows": ()}).compact())


def surprises(flow: FlowDefinition) -> Iterator[str]:
    """Yield what is sound, and yet may not be what somebody expects."""
    for index in endless_loops(flow):
        yield f"the loop of step {index} has neither a break nor maxIterations: only a stop ends it"
    passed = [str(step.index) for step in flow.steps if step.kind is StepKind.REINGEST]
    if passed:
        where = f"step{'s' if len(passed) > 1 else ''} {', '.join(passed)}"
        yield f"{where}: reingest is passed over, for agents read the files as they are"


def passed_over(placed: Sequence[PlacedStep]) -> Iterator[str]:
    """Yield which fields of a file's steps are read and do nothing here."""
    for step in placed:
        fields = [field for field in _OF_MODELS if step.kind == "codexReview" and field in step.raw]
        if fields:
            are = "are" if len(fields) > 1 else "is"
            who = "whoever starts the run chooses the agent and its model"
            yield f"step {step.index}: {' and '.join(fields)} {are} passed over: {who}"


def endless_loops(flow: FlowDefinition) -> tuple[int, ...]:
    """Return the numbers of the loops that only a stop ends: they have no break and no limit."""
    open_loops: list[tuple[FlowStep, bool]] = []
    endless: list[int] = []
    for step in flow.steps:
        if step.kind is StepKind.START_LOOP:
            open_loops.append((step, step.max_iterations is not None))
        elif step.kind is StepKind.BREAK:
            left = open_loops[-1:] if step.exit is Exit.LOOP else open_loops
            open_loops[len(open_loops) - len(left) :] = [(loop, True) for loop, _ in left]
        elif step.kind is StepKind.END_LOOP:
            loop, has_end = open_loops.pop()
            endless += [] if has_end else [loop.index]
    return tuple(sorted(endless))


def _texts(step: FlowStep) -> tuple[str, ...]:
    return (*step.messages, step.condition.question) if step.condition else step.messages


def _compact(step: FlowStep) -> FlowStep:
    is_long = [len(text) > INLINE for text in _texts(step)]
    if not any(is_long):
        return step
    changes: dict[str, object] = {
        "messages": tuple(_CUT if len(text) > INLINE else text for text in step.messages),
        "message_refs": tuple(_REFERENCE if long else "" for long in is_long),
    }
    if step.condition is not None:
        changes["condition"] = step.condition.model_copy(update={"question": _CUT})
    return step.model_copy(update=changes)


def _long_texts(steps: Sequence[FlowStep], placed: Sequence[PlacedStep]) -> Iterator[FlowProblem]:
    for step in steps:
        longest = max(map(len, _texts(step)), default=0)
        if longest > MAX_MESSAGE:
            words = f"a text has {longest} characters, and {MAX_MESSAGE} are the most"
            yield FlowProblem(
                type="too_large", step=step.index, field=way(placed[step.index].path), message=words
            )


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
