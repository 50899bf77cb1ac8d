"""The enforcement rules: required steps run and pass, in order, or it is no pass."""

from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.verification.steps import (
    StepResult,
    StepType,
    VerificationAttempt,
    VerificationStep,
    failure_report,
    has_passed,
    next_step,
    on_unaltered,
    port_references,
    with_ports,
)

Spec = list[tuple[bool, bool, bool]]
specs = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=6)
"""Per step: is it required, does it continue on failure, will it pass."""


def steps_of(spec: Spec) -> list[VerificationStep]:
    return [
        VerificationStep(
            id=f"step-{n}",
            type=StepType.COMMAND,
            command="true",
            label=f"L{n}.",
            required=required,
            continue_on_fail=goes_on,
        )
        for n, (required, goes_on, _) in enumerate(spec)
    ]


def after(steps: list[VerificationStep], spec: Spec) -> tuple[VerificationAttempt, list[int]]:
    """Run an attempt as its workflow does; gives it and the steps that ran."""
    attempt, ran = VerificationAttempt(attempt=1), []
    while step := next_step(steps, attempt):
        number = steps.index(step)
        result = StepResult(step_id=step.id, passed=spec[number][2])
        attempt = attempt.model_copy(update={"steps": (*attempt.steps, result)})
        ran.append(number)
    return attempt, ran


@given(specs)
def test_steps_run_in_order_up_to_the_first_failure_that_ends_it(spec: Spec) -> None:
    _, ran = after(steps_of(spec), spec)
    fatal = [
        n for n, (required, goes_on, ok) in enumerate(spec) if required and not ok and not goes_on
    ]
    assert ran == list(range(fatal[0] + 1 if fatal else len(spec)))


@given(specs)
def test_it_passes_when_every_required_step_passed(spec: Spec) -> None:
    steps = steps_of(spec)
    attempt, _ = after(steps, spec)
    assert has_passed(steps, attempt) == all(ok for required, _, ok in spec if required)


@given(specs, st.data())
def test_a_required_step_that_did_not_run_is_a_failure(spec: Spec, data: st.DataObject) -> None:
    steps = steps_of([(required, goes_on, True) for required, goes_on, _ in spec])
    missing = data.draw(st.sets(st.sampled_from(range(len(spec)))) if spec else st.just(set()))
    ran = [StepResult(step_id=s.id, passed=True) for n, s in enumerate(steps) if n not in missing]
    attempt = VerificationAttempt(attempt=1, steps=tuple(ran))
    assert has_passed(steps, attempt) == (not any(spec[n][0] for n in missing))


@given(specs)
def test_the_report_names_every_step_and_its_outcome(spec: Spec) -> None:
    steps = steps_of(spec)
    attempt, ran = after(steps, spec)
    lines = [line for line in failure_report(steps, attempt).splitlines() if line.startswith("- ")]
    assert len(lines) == len(spec)
    for number, (line, (_, _, ok)) in enumerate(zip(lines, spec, strict=True)):
        word = "did not run" if number not in ran else "passed" if ok else "FAILED"
        assert f"L{number}." in line
        assert word in line


PORTS = st.dictionaries(st.text(ascii_lowercase, min_size=1), st.integers(1, 65535), max_size=4)


@given(PORTS, st.text("abc$ {}.:/"))
def test_port_numbers_replace_their_references_and_nothing_else(
    ports: dict[str, int], between: str
) -> None:
    text = between + between.join(f"${{ports.{name}}}" for name in ports)
    expected = between + between.join(str(number) for number in ports.values())
    if port_references(between) == [] and port_references(text) == list(ports):
        assert with_ports(text, ports) == expected


def test_a_port_that_is_not_held_is_an_error() -> None:
    with pytest.raises(KeyError):
        with_ports("${ports.web}", {"db": 1})


def test_a_step_that_passed_on_other_files_than_were_committed_has_not_passed() -> None:
    passed = StepResult(step_id="s", passed=True, output="ok")
    assert on_unaltered(passed, ()) == passed
    result = on_unaltered(passed, ("a.py",))
    assert not result.passed
    assert result.output.startswith("ok\npassed, but not on what was committed: a.py changed")
    failed = passed.model_copy(update={"passed": False})
    assert on_unaltered(failed, ("a.py",)) == failed
