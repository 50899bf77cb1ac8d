"""Steps that run at the same time: those next to each other with the same `parallelGroup`."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from domain.core.ids import is_name
from domain.verification.steps import (
    StepResult,
    StepType,
    VerificationAttempt,
    VerificationStep,
    ends_attempt,
    is_last_of,
)

MAX_SIDE_BY_SIDE = 4
"""How many steps of a group run at once; the others start as these end."""

INDEPENDENT = (StepType.COMMAND, StepType.SCRIPT)
"""What can be in a group: the other types look at what earlier steps or the agent made."""

_SHOWN = 80


def unfinished_beside(
    steps: Sequence[VerificationStep], attempt: VerificationAttempt | None, step: VerificationStep
) -> tuple[VerificationStep, ...]:
    """Return the later steps of a step's group that have no result yet."""
    if step.parallel_group is None:
        return ()
    return tuple(
        other
        for other in steps[steps.index(step) + 1 :]
        if other.parallel_group == step.parallel_group
        and (attempt is None or attempt.result_of(other.id) is None)
    )


def in_order(
    steps: Sequence[VerificationStep], results: Sequence[StepResult]
) -> tuple[StepResult, ...]:
    """Return results in the order of the steps, the newest of a group where it belongs.

    The results of a group are journaled as its steps end; all others are in order as they come.
    """
    places = {step.id: number for number, step in enumerate(steps)}
    *earlier, newest = results
    place = places.get(newest.step_id)
    if place is None or steps[place].parallel_group is None:
        return tuple(results)
    before = [r for r in earlier if places.get(r.step_id, -1) < place]
    after = [r for r in earlier if places.get(r.step_id, -1) >= place]
    return (*before, newest, *after)


def is_last_group(
    steps: Sequence[VerificationStep],
    attempt: VerificationAttempt | None,
    group: Sequence[VerificationStep],
) -> bool:
    """Tell whether nothing runs on an attempt's checkout after these steps, the next of the attempt.

    Also true where an earlier step failed and these only run since they are of its group.
    """
    results = ((step, attempt.result_of(step.id)) for step in steps) if attempt else ()
    is_over = any(result is not None and ends_attempt(step, result) for step, result in results)
    return is_over or is_last_of(steps, group[-1])


def group_faults(steps: Sequence[VerificationStep]) -> Iterator[tuple[int, str, str]]:
    """Yield what is wrong with the groups of steps: the step's index, a type, and what to do."""
    for number, step in enumerate(steps):
        group = step.parallel_group
        if group is None:
            continue
        if not is_name(group):
            words = f"{group[:_SHOWN]!r}: use lowercase letters, digits and dashes, at most 63"
            yield number, "bad_group", words
        if step.type not in INDEPENDENT:
            yield (
                number,
                "not_parallel",
                f"a {step.type} step can't be in a group: only command and script steps can",
            )
    seen: set[str] = set()
    for group, members in groupby(enumerate(steps), key=lambda pair: pair[1].parallel_group):
        if group in seen:
            words = (
                f"the steps of {group[:_SHOWN]!r} are not next to each other: move them together"
            )
            yield next(members)[0], "split_group", words
        if group is not None:
            seen.add(group)
