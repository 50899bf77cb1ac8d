"""Groups of verification steps: which run together, what ends an attempt, what is refused."""

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.approvals import content_hash
from domain.core.wire import Wire
from domain.plans.templates.rules import step_faults
from domain.verification.side_by_side import (
    group_faults,
    in_order,
    is_last_group,
    unfinished_beside,
)
from domain.verification.steps import (
    StepResult,
    StepType,
    VerificationAttempt,
    VerificationStep,
    next_step,
)

groups = st.lists(st.sampled_from([None, "a", "b"]), max_size=8)


def steps_of(names: list[str | None]) -> list[VerificationStep]:
    return [
        VerificationStep(id=f"s{n}", type=StepType.COMMAND, command="true", parallel_group=name)
        for n, name in enumerate(names)
    ]


def are_adjacent(names: list[str | None]) -> bool:
    runs = [name for name, _ in groupby(names) if name is not None]
    return len(runs) == len(set(runs))


@given(groups)
def test_a_group_is_refused_where_its_steps_are_apart_and_only_there(names) -> None:
    faults = [kind for _, kind, _ in group_faults(steps_of(names))]
    assert (faults == []) is are_adjacent(names)
    assert set(faults) <= {"split_group"}


@given(groups.filter(are_adjacent), st.data())
def test_an_attempt_ends_after_the_group_of_the_first_failure(names, data) -> None:
    steps = steps_of(names)
    passing = data.draw(st.lists(st.booleans(), min_size=len(steps), max_size=len(steps)))
    attempt, ran = VerificationAttempt(attempt=1), []
    while step := next_step(steps, attempt):
        number = steps.index(step)
        result = StepResult(step_id=step.id, passed=passing[number])
        attempt = attempt.model_copy(update={"steps": (*attempt.steps, result)})
        ran.append(number)

    end = len(steps)
    if False in passing:
        end = passing.index(False) + 1
        while end < len(steps) and names[end] is not None and names[end] == names[end - 1]:
            end += 1
    assert ran == list(range(end))


@given(groups.filter(are_adjacent))
def test_a_step_takes_along_the_later_ones_of_its_group(names) -> None:
    steps = steps_of(names)
    for number, step in enumerate(steps):
        beside = unfinished_beside(steps, None, step)
        same = [s for s in steps[number + 1 :] if s.parallel_group == names[number]]
        assert list(beside) == (same if names[number] else [])


def test_steps_with_results_are_not_taken_along() -> None:
    steps = steps_of(["a", "a", "a"])
    attempt = VerificationAttempt(attempt=1, steps=(StepResult(step_id="s1", passed=True),))
    assert [s.id for s in unfinished_beside(steps, attempt, steps[0])] == ["s2"]


@given(groups.filter(are_adjacent), st.randoms())
def test_results_are_in_the_order_of_the_steps_whichever_ended_first(names, random) -> None:
    steps, results = steps_of(names), ()
    for name, members in groupby(steps, key=lambda step: step.parallel_group):
        ending = list(members)
        if name is not None:
            random.shuffle(ending)
        for step in ending:
            results = in_order(steps, (*results, StepResult(step_id=step.id, passed=True)))
    assert [result.step_id for result in results] == [step.id for step in steps]


def test_what_runs_after_a_failure_in_its_group_is_the_last() -> None:
    steps = steps_of(["a", "a", None])
    failed = VerificationAttempt(attempt=1, steps=(StepResult(step_id="s0", passed=False),))
    assert is_last_group(steps, failed, steps[1:2])
    assert not is_last_group(steps, VerificationAttempt(attempt=1), steps[:2])
    assert is_last_group(steps, VerificationAttempt(attempt=1), steps[2:])


@pytest.mark.parametrize("name", ["", "Checks", "a b", "../x", "x" * 64])
def test_a_bad_name_is_refused(name) -> None:
    assert [kind for _, kind, _ in group_faults(steps_of([name]))] == ["bad_group"]


@pytest.mark.parametrize(
    "step",
    [
        VerificationStep(type=StepType.REVIEW_AGENT, prompt="look", parallel_group="a"),
        VerificationStep(type=StepType.FILE_EXISTS, path="a", parallel_group="a"),
        VerificationStep(
            type=StepType.HTTP_HEALTH, url="http://localhost:8000/", parallel_group="a"
        ),
    ],
    ids=lambda step: step.type,
)
def test_what_looks_at_the_work_of_others_is_in_no_group(step) -> None:
    assert list(step_faults(step)) == []
    assert [kind for _, kind, _ in group_faults([step])] == ["not_parallel"]


def test_a_group_is_part_of_what_is_approved_and_its_lack_is_not_written() -> None:
    class Shown(Wire):
        steps: tuple[VerificationStep, ...]

    alone, grouped = steps_of([None]), steps_of(["a"])
    assert content_hash(Shown(steps=tuple(alone))) != content_hash(Shown(steps=tuple(grouped)))
    assert "parallel_group" not in alone[0].model_dump(mode="json")
    sent = {"type": "command", "command": "true", "parallelGroup": "a"}
    assert VerificationStep.model_validate(sent).parallel_group == "a"
    written = grouped[0].model_dump_json()
    assert VerificationStep.model_validate_json(written) == grouped[0]
