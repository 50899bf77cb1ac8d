"""Where a run of a flow goes: the next step, out of a loop, round it again, back in on a resume.

Loops are a stack: a break leaves the innermost, which is the last frame. Branches need none, for the
positions of their ends stand in the steps.
"""

from collections.abc import Sequence

from domain.conversations.place import FlowPlace
from domain.core.errors import InvalidError
from domain.core.wire import Wire
from domain.flows.definition import Exit, FlowDefinition, FlowStep, Slot, StepKind
from domain.flows.errors import LoopMismatchError, UnknownStepError

_GENERATED = frozenset({StepKind.ELSE, StepKind.END_IF})
"""What no file has as a step of its own: nobody can resume there."""


class LoopFrame(Wire):
    """One open loop: where it begins, and how often it went round; the first time is 0."""

    position: int
    iteration: int = 0


class Spot(Wire):
    """A place in a flow that is being carried out: a position, and the loops that are open there."""

    position: int = 0
    loops: tuple[LoopFrame, ...] = ()


def landing(steps: Sequence[FlowStep], spot: Spot) -> Spot | None:
    """Go on from a spot to the next step that does something; None where the flow ends before.

    Raises:
        InvalidError: A loop goes round without doing anything.
    """
    position, loops, rounds = spot.position, spot.loops, 0
    while position < len(steps):
        step = steps[position]
        match step.kind:
            case StepKind.START_LOOP:
                loops = (*loops, LoopFrame(position=position))
                position += 1
            case StepKind.END_LOOP:
                loops, is_over = _round(steps, loops)
                position = position + 1 if is_over else loops[-1].position + 1
                rounds += 1
                if rounds > len(steps):
                    raise InvalidError(f"the loop that ends at step {step.index} does nothing")
            case StepKind.ELSE:
                position = step.position_of_end
            case StepKind.END_IF:
                position += 1
            case _:
                return Spot(position=position, loops=loops)
    return None


def resting_place(steps: Sequence[FlowStep], spot: Spot) -> Spot:
    """Return where a run stands that does not go on now: at its next step, or behind the last."""
    try:
        return landing(steps, spot) or Spot(position=len(steps))
    except InvalidError:
        return spot


def _round(
    steps: Sequence[FlowStep], loops: tuple[LoopFrame, ...]
) -> tuple[tuple[LoopFrame, ...], bool]:
    """Return the stack at a loop's end, and whether the loop is over."""
    frame = loops[-1]
    limit = steps[frame.position].max_iterations
    if limit is not None and frame.iteration + 1 >= limit:
        return loops[:-1], True
    return (*loops[:-1], frame.model_copy(update={"iteration": frame.iteration + 1})), False


def after_step(steps: Sequence[FlowStep], spot: Spot, answer: bool | None = None) -> Spot:  # noqa: FBT001  (it is a value, no switch)
    """Return where to go on once a step is over; `answer` is what its condition said."""
    step, loops = steps[spot.position], spot.loops
    is_taken = answer is not None and answer is step.on
    match step.kind:
        case StepKind.BREAK if is_taken and step.exit is Exit.LOOP:
            end = steps[loops[-1].position].position_of_end
            return Spot(position=end + 1, loops=loops[:-1])
        case StepKind.CONTINUE if is_taken:
            return Spot(position=steps[loops[-1].position].position_of_end, loops=loops)
        case StepKind.IF if not answer:
            return Spot(position=step.position_of_end + 1, loops=loops)
        case _:
            return Spot(position=spot.position + 1, loops=loops)


def around(steps: Sequence[FlowStep], position: int) -> tuple[int, ...]:
    """Return where the loops begin that a position stands in, the outermost first.

    A loop's own beginning stands outside of it, its end inside.
    """
    opened: list[int] = []
    for at, step in enumerate(steps[:position]):
        if step.kind is StepKind.START_LOOP:
            opened.append(at)
        elif step.kind is StepKind.END_LOOP:
            opened.pop()
    return tuple(opened)


def resumed(definition: FlowDefinition, index: int, loops: tuple[LoopFrame, ...]) -> Spot:
    """Return where a run goes on at a step's index, with the loops of its stack that are around it.

    Raises:
        UnknownStepError: There is no such step.
        LoopMismatchError: The step stands in a loop that is not open.
    """
    steps = definition.steps
    found = (at for at, s in enumerate(steps) if s.index == index and s.kind not in _GENERATED)
    position = next(found, None)
    if position is None:
        raise UnknownStepError(
            f"flow {definition.name!r} has no step {index}: its steps are 0 to {definition.total - 1}"
        )
    needed = around(steps, position)
    for depth, start in enumerate(needed):
        if depth >= len(loops) or loops[depth].position != start:
            raise LoopMismatchError(
                f"step {index} stands in a loop that is not open: resume at step "
                f"{steps[start].index}, where that loop begins"
            )
    return Spot(position=position, loops=loops[: len(needed)])


def slot_of(step: FlowStep) -> Slot | None:
    """Return whose conversation a step has turns in."""
    return step.slot or (step.condition.slot if step.condition else None)


def place_of(definition: FlowDefinition, spot: Spot, execution: int) -> FlowPlace:
    """Return what people are shown of a spot."""
    step = definition.steps[spot.position]
    slot = slot_of(step)
    return FlowPlace(
        execution=execution,
        step_index=step.index,
        total_steps=definition.total,
        loop_depth=len(spot.loops),
        iteration=spot.loops[-1].iteration if spot.loops else 0,
        label=step.label,
        agent_type=slot.agent_type if slot else "",
        identifier=slot.identifier if slot else "",
    )
