"""What a flow file may say, and how it is told what it may not."""

import pytest

from domain.flows.definition import Slot, StepKind
from domain.flows.problems import FlowProblemsError
from tests.domain.flow_lab import CODER, END, START, judge, llm, nested, problems, read


def shown(flow):
    return [(step.kind.value, step.index, step.position_of_end) for step in flow.steps]


def test_the_flat_spelling_of_a_loop_ends_at_its_end():
    flow = read(llm(), START, llm(), judge(), END, llm(), description=" Until done. ")

    assert shown(flow) == [
        ("llm", 0, 0),
        ("startLoop", 1, 4),
        ("llm", 2, 0),
        ("break", 3, 0),
        ("endLoop", 4, 1),
        ("llm", 5, 0),
    ]
    assert (flow.total, flow.description) == (6, "Until done.")


def test_the_nested_spelling_has_ends_that_bear_the_number_of_what_they_end():
    flow = read(nested(llm(), judge()), llm())

    assert shown(flow) == [
        ("startLoop", 0, 3),
        ("llm", 1, 0),
        ("break", 2, 0),
        ("endLoop", 0, 0),
        ("llm", 3, 0),
    ]


def test_both_spellings_may_stand_in_each_other():
    flow = read(nested(START, llm(), judge(), END, judge()), START, nested(llm(), judge()), END)

    assert [step.kind for step in flow.steps].count(StepKind.END_LOOP) == 4
    assert [step.index for step in flow.steps] == [0, 1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 7, 10]


def test_branches_know_their_else_and_their_end():
    both = {"type": "if", "command": "test -f x", "then": [llm()], "else": [llm(), llm()]}
    one = {"type": "if", **CODER, "question": "Ready?", "then": [llm()]}

    assert shown(read(both, one)) == [
        ("if", 0, 2),
        ("llm", 1, 0),
        ("else", 0, 5),
        ("llm", 2, 0),
        ("llm", 3, 0),
        ("endIf", 0, 0),
        ("if", 4, 8),
        ("llm", 5, 0),
        ("endIf", 4, 6),
    ]


def test_texts_are_trimmed_and_the_parts_of_a_message_are_its_lines():
    said = [{"role": "user", "content": [" one ", "two\n"]}, {"role": "user", "content": ["three"]}]
    flow = read({"type": "llm", "agentType": " a ", "identifier": "b\t", "messages": said})

    assert flow.steps[0].messages == ("one\ntwo", "three")
    assert flow.slots == (Slot(agent_type="a", identifier="b"),)


def test_each_kind_of_step_keeps_what_it_says():
    flow = read(
        {"type": "command", "command": "make", "timeoutSeconds": 9, "outputKey": "built"},
        {"type": "human", "question": "Ship?", "options": ["yes", "no"], "outputKey": "ship"},
        {"type": "wait", "seconds": 60, "label": "Let it settle"},
        {"type": "reset", **CODER},
        llm("Look", inputs=["built"], continueOnFailure=True),
        nested(llm(), judge(outputKey="ship", equals="yes"), maxIterations=3),
        nested(judge("continue", command="test -f more"), llm()),
    )
    command, human, wait, reset, turn, loop = flow.steps[:6]
    judging = next(step for step in flow.steps if step.kind is StepKind.BREAK)

    assert (command.command, command.timeout_ms, command.output_key) == ("make", 9000, "built")
    assert (human.question, human.options) == ("Ship?", ("yes", "no"))
    assert (wait.seconds, wait.label, reset.slot) == (
        60,
        "Let it settle",
        Slot(agent_type="coding_agent", identifier="coder"),
    )
    assert (turn.inputs, turn.is_failure_passed, loop.max_iterations) == (("built",), True, 3)
    assert judging.condition.equals == "yes"
    assert flow.commands == ("make", "test -f more")


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ([], [(None, "", "bad_value")]),
        (None, [(None, "", "bad_value")]),
        ({}, [(None, "steps", "missing_field")]),
        ({"steps": {}}, [(None, "steps", "bad_value")]),
        ({"steps": []}, [(None, "steps", "bad_value")]),
        ({"steps": [3]}, [(0, "steps[0]", "bad_value")]),
        ({"steps": [llm()], "name": "x"}, [(None, "name", "unknown_field")]),
        ({"steps": [llm()], "description": " "}, [(None, "description", "bad_value")]),
    ],
)
def test_what_is_no_flow_is_told_where(raw, found):
    assert problems(raw) == found


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ([llm(), END], [(1, "steps[1].type", "loop_mismatch")]),
        ([START, llm()], [(0, "steps[0].type", "loop_mismatch")]),
        ([START, START, llm(), END], [(0, "steps[0].type", "loop_mismatch")]),
        ([judge()], [(0, "steps[0].type", "loop_mismatch")]),
        ([nested(llm(), judge()), END], [(3, "steps[1].type", "loop_mismatch")]),
        ([START, nested(llm(), END)], [(0, "steps[0].type", "loop_mismatch"), (3, "steps[1].steps[1].type", "loop_mismatch")]),
        ([START, END], [(0, "steps[0].type", "bad_value")]),
        ([nested()], [(0, "steps[0].steps", "bad_value")]),
        ([nested({"type": "reset", **CODER})], [(0, "steps[0].type", "bad_value")]),
    ],
)  # fmt: skip
def test_loops_that_do_not_match_are_reported_with_their_step(steps, found):
    assert problems({"steps": steps}) == found


@pytest.mark.parametrize(
    ("step", "field", "kind"),
    [
        ({"type": "LLM"}, "type", "unknown_type"),
        ({"type": "prepareReviewSet"}, "type", "unknown_type"),
        ({"label": "x"}, "type", "missing_field"),
        ({"type": 3}, "type", "bad_value"),
        ({**llm(), "agentType": None}, "agentType", "bad_value"),
        ({**llm(), "identifier": " \n"}, "identifier", "bad_value"),
        ({**llm(), "agentType": "a\x1b[31m"}, "agentType", "bad_value"),
        ({**llm(), "Label": "x"}, "Label", "unknown_field"),
        ({**llm(), "label": None}, "label", "bad_value"),
        ({**llm(), "messages": []}, "messages", "bad_value"),
        ({**llm(), "markdownFile": "x.md"}, "markdownFile", "bad_value"),
        ({"type": "llm", **CODER}, "messages", "missing_field"),
        ({"type": "llm", **CODER, "markdownFile": "x.md"}, "markdownFile", "bad_text"),
        ({"type": "command", **CODER, "commandName": "x"}, "commandName", "bad_text"),
        ({"type": "command", **CODER}, "command", "missing_field"),
        ({"type": "command", "command": "x", "timeoutSeconds": 0}, "timeoutSeconds", "bad_value"),
        ({"type": "command", "command": "x", "timeoutSeconds": True}, "timeoutSeconds", "bad_value"),
        ({"type": "command", "command": "x\0y"}, "command", "bad_value"),
        ({"type": "command", "command": "x", "outputKey": "a b"}, "outputKey", "bad_value"),
        ({"type": "human", "question": "Which?", "options": ["one"]}, "options", "bad_value"),
        ({"type": "human", "question": "Which?", "options": ["one", "One"]}, "options", "bad_value"),
        ({"type": "wait", "seconds": 1.5}, "seconds", "bad_value"),
        ({"type": "wait", "seconds": "1"}, "seconds", "bad_value"),
        ({"type": "if", "outputKey": "x", "then": [llm()]}, "outputKey", "unknown_output"),
        ({"type": "if", "command": "x"}, "then", "missing_field"),
        ({**llm(), "inputs": ["x"]}, "inputs", "unknown_output"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_reported_with_step_and_field(step, field, kind):
    assert (1, f"steps[1].{field}", kind) in problems({"steps": [llm(), step]})


@pytest.mark.parametrize("answer", [True, "Yes", "", None, ["yes"]])
def test_a_break_happens_on_yes_or_no_alone(answer):
    step = {**judge(), "breakOn": answer}

    assert problems({"steps": [nested(llm(), step)]}) == [
        (2, "steps[0].steps[1].breakOn", "bad_value")
    ]


@pytest.mark.parametrize(
    ("condition", "field"),
    [
        ({}, "question"),
        ({"question": "Done?"}, "agentType"),
        ({**CODER, "question": "Done?", "command": "true"}, "command"),
        ({"command": "true", "outputKey": "x"}, "outputKey"),
        ({"command": "true", "equals": "x"}, "equals"),
        ({**CODER, "question": "Done?", "timeoutSeconds": 3}, "timeoutSeconds"),
    ],
)
def test_a_condition_is_one_of_three(condition, field):
    step = {"type": "break", "breakOn": "yes", **condition}

    found = problems({"steps": [nested(llm(), step)]})

    assert f"steps[0].steps[1].{field}" in [place for _, place, _ in found]


@pytest.mark.parametrize(
    "message",
    [
        {"role": "system", "content": ["x"]},
        {"role": "user", "content": "x"},
        {"role": "user", "content": []},
        {"role": "user", "content": [" "]},
        {"role": "user", "content": ["\ud800"]},
        {"role": "user", "content": ["x"], "name": "y"},
        {"content": ["x"]},
        "x",
    ],
)
def test_a_message_is_a_users_with_texts(message):
    assert problems({"steps": [{**llm(), "messages": [message]}]})[0][0] == 0


def test_all_problems_come_at_once_in_the_order_of_the_file():
    found = problems({"steps": [{"type": "wait"}, END, {"type": "nope"}, llm(x=1)], "y": 1})

    assert [step for step, _, _ in found] == [None, 0, 1, 2, 3]


def test_words_say_what_was_meant():
    with pytest.raises(FlowProblemsError) as refused:
        read({"type": "Break"}, llm(agenttype="x"), {"type": "copilotReview", "outputKey": "x"})

    assert "did you mean `break`?" in refused.value.message
    assert "did you mean `agentType`?" in refused.value.message
    assert "`copilotReview` steps belong to another program" in refused.value.message
