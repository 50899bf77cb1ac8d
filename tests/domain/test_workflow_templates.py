import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.command import MAX_GOAL
from domain.queue.workflow_templates.filling import ParameterError, filled, mentioned
from domain.queue.workflow_templates.rules import faults
from domain.queue.workflow_templates.template import Parameter, TemplateGoal, WorkflowTemplate


def template(*goals: dict[str, object], **parameters: str | None) -> WorkflowTemplate:
    return WorkflowTemplate(
        parameters={name: Parameter(default=value) for name, value in parameters.items()},
        goals=tuple(TemplateGoal.model_validate(goal) for goal in goals),
    )


@pytest.mark.parametrize(
    ("goals", "expected"),
    [
        ([], [("goals", "empty")]),
        ([{"id": "a"}], [("goals.0.goal", "goal_or_flow")]),
        ([{"id": "a", "goal": "x", "flow": "y"}], [("goals.0.goal", "goal_or_flow")]),
        ([{"id": "A b", "goal": "x"}], [("goals.0.id", "bad_name")]),
        ([{"id": "a", "goal": "x"}, {"id": "a", "goal": "y"}], [("goals.1.id", "duplicate_id")]),
        ([{"id": "a", "goal": "x", "after": ["b"]}], [("goals.0.after", "unknown_goal")]),
        ([{"id": "a", "goal": "x", "base": "b"}], [("goals.0.base", "unknown_goal")]),
        ([{"id": "a", "goal": "x", "after": ["a"]}], [("goals.0.after", "cycle")]),
        (
            [{"id": "a", "goal": "x", "base": "b"}, {"id": "b", "goal": "y", "after": ["a"]}],
            [("goals.0.after", "cycle")],
        ),
        (
            [{"id": "a", "flow": "x"}, {"id": "b", "goal": "y", "base": "a"}],
            [("goals.1.base", "no_branch")],
        ),
        ([{"id": "a", "goal": "do ${what}"}], [("goals.0.goal", "unknown_parameter")]),
        ([{"id": "a", "flow": "${x}"}], [("goals.0.flow", "parameter_not_here")]),
        ([{"id": "a", "flow": "x", "template": "t"}], [("goals.0.template", "conflict")]),
        ([{"id": "a", "goal": "x" * (MAX_GOAL + 1)}], [("goals.0.goal", "too_long")]),
        ([{"id": f"a{n}", "goal": "x"} for n in range(101)], [("goals", "too_many")]),
    ],
)
def test_what_a_template_must_not_say_is_reported_with_its_place(goals, expected):
    found = [(".".join(map(str, f.place)), f.type) for f in faults(template(*goals))]
    assert found == expected


def test_a_sound_template_has_no_faults():
    sound = template(
        {"id": "a", "goal": "look at ${scope}"},
        {"id": "b", "goal": "build it", "base": "a"},
        {"id": "c", "flow": "review", "after": ["a", "b"]},
        scope=None,
    )
    assert list(faults(sound)) == []


def test_parameters_are_filled_in_and_a_literal_one_stays():
    goals = filled(
        template({"id": "a", "goal": "do ${what} with $${what}"}, what=None), {"what": "x"}
    )
    assert goals[0].goal == "do x with ${what}"


def test_what_is_missing_or_not_known_is_all_told():
    with pytest.raises(ParameterError) as caught:
        filled(template({"id": "a", "goal": "${b}"}, b=None, c="d"), {"e": "f"})
    assert caught.value.message == (
        "there is no parameter 'e'; 'b' must be given. It has the parameters: b, c"
    )


@pytest.mark.parametrize("value", ["", " \n", "x" * MAX_GOAL + "y"])
def test_a_goal_that_becomes_empty_or_too_long_is_refused(value: str):
    with pytest.raises(ParameterError, match="the goal 'a'"):
        filled(template({"id": "a", "goal": "${b}"}, b=None), {"b": value})


@given(value=st.text(max_size=200))
def test_a_value_is_never_read_again(value: str):
    goals = filled(template({"id": "a", "goal": "-${b}${c}-"}, b=None, c="C"), {"b": value})
    assert goals[0].goal == f"-{value}C-"


@given(text=st.text(alphabet="$ {}ab", max_size=30))
def test_every_text_is_filled_once_its_parameters_are_declared(text: str):
    goal = {"id": "a", "goal": f"x{text}"}
    declared = dict.fromkeys(mentioned(text), "v")
    names = {name: Parameter(default="v") for name in declared}
    made = WorkflowTemplate(parameters=names, goals=(TemplateGoal.model_validate(goal),))
    assert len(filled(made, {})[0].goal) <= len(text) + 1 + len(declared)
