"""What files of codeInfo2 have besides: reviews, waves, conditions in one field, and what is refused of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.profiles import Scope
from domain.flows.definition import StepKind
from domain.flows.events import ChildEnd, StepOutcome
from domain.flows.files import read_flow_file
from domain.flows.person_commands import ResumeFlow
from domain.flows.reading import NoTexts
from domain.flows.state import FlowStatus
from domain.flows.views import FoundFlow
from tests.domain.flow_lab import CODER, judge, llm, nested, problems, read
from tests.domain.flow_world import FlowRun
from tests.domain.test_subflow_rules import note

ASKED = {**CODER, "question": "Is it done?"}
SCRIPT = "scripts/flow_control/is_done.py"
GROUP = {"kind": "singleton", "id": "one", "flowName": "review"}
BASE = {"type": "prepareReviewBase", "outputKey": "current-review-base"}
REVIEW = {"type": "codexReview", "outputKey": "current-codex-review"}
CHECK = {"type": "validateReviewArtifacts", "pointerKeys": ["current-codex-review"]}


def wave(*groups, **more):
    return {"type": "subflowWave", "groups": list(groups or (GROUP,)), **more}


def branch(**more):
    return {"type": "if", "then": [llm("then")], "else": [llm("else")], **more}


def no_answer(run):
    run.say("maybe")
    run.say("perhaps")


def no_turn(run):
    run.say("", failure="its model is gone")


def no_command(run):
    run.run_command("no such file", passed=False, exit_code=127)


def no_word(run):
    run.run_command("fine", passed=True, exit_code=0)


FAILURES = [
    (no_answer, ASKED, "continueOnInvalidResponse"),
    (no_turn, ASKED, "continueOnFailure"),
    (no_command, {"command": "./is-done"}, "continueOnFailure"),
    (no_command, {"decisionScript": SCRIPT}, "continueOnFailure"),
    (no_word, {"decisionScript": SCRIPT}, "continueOnInvalidResponse"),
]


# --- what is done


@given(
    failure=st.sampled_from(FAILURES),
    on=st.sampled_from(["yes", "no"]),
    leaves=st.sampled_from([{}, {"exitFlow": True}, {"haltFlow": True}]),
)
def test_a_break_that_fails_and_may_is_no_break(failure, on, leaves):
    fail, condition, field = failure
    gate = judge(**condition, breakOn=on, **{field: True}, **leaves)
    run = FlowRun(read(nested(gate, llm()), llm()))

    fail(run)

    assert run.ended()[-1].outcome in {StepOutcome.FAILED, StepOutcome.NO_ANSWER}
    assert (run.state.status, run.indexes()) == (FlowStatus.RUNNING, [1, 2])


@pytest.mark.parametrize(("fail", "condition", "field"), FAILURES)
@pytest.mark.parametrize("has_other", [True, False])
def test_a_break_that_fails_and_may_not_ends_the_run(fail, condition, field, has_other):
    (other,) = {"continueOnFailure", "continueOnInvalidResponse"} - {field}
    fields = {field: False, other: has_other and fail is not no_word}
    run = FlowRun(read(nested(judge(**condition, **fields), llm()), llm()))

    fail(run)

    assert run.state.status in {FlowStatus.STOPPED, FlowStatus.FAILED}
    assert run.indexes() == [1]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_condition_is_a_script_or_a_question(answer):
    asked = FlowRun(read(branch(**CODER, condition="Does it build? See build.py")))
    asked.answer(answer)
    decided = FlowRun(read(branch(condition=f" {SCRIPT} ")))
    decided.run_command(f'{{"answer": "{answer}"}}', exit_code=0)

    assert asked.indexes() == decided.indexes() == ([0, 1] if answer == "yes" else [0, 2])
    assert asked.state.definition.commands == ()
    assert decided.state.definition.commands == (f"python3 {SCRIPT}",)
    assert decided.state.definition.slots[0].agent_type == CODER["agentType"]


def test_a_script_of_a_condition_must_say_yes_or_no():
    run = FlowRun(read(branch(condition=SCRIPT, **CODER)))
    run.run_command("fine", exit_code=0)
    assert run.state.status is FlowStatus.FAILED


@pytest.mark.parametrize("may_fail", [True, False])
def test_a_wave_runs_its_flows_side_by_side_and_may_go_on_where_one_fails(may_fail):
    groups = [{**GROUP, "id": name, "flowName": name} for name in ("a", "b")]
    mode = {"failureMode": "best_effort"} if may_fail else {}
    run = FlowRun(read(wave(*groups, **mode), llm()))
    assert {child.flow_name for child in run.state.awaited} == {"a", "b"}

    note(run, "a", ChildEnd.FAILED)
    assert run.indexes() == [0]  # the other one has not ended
    note(run, "b", ChildEnd.COMPLETED)

    assert run.ended()[-1].outcome is StepOutcome.FAILED
    assert run.indexes() == ([0, 1] if may_fail else [0])
    assert run.state.status is (FlowStatus.RUNNING if may_fail else FlowStatus.FAILED)


def test_a_base_and_a_check_of_reviews_are_commands_of_their_steps():
    flow = read({**BASE, "label": "Base"}, {**CHECK, "ensureCanonicalFallback": True}, llm())
    base, check = flow.steps[:2]

    assert (base.kind, base.output_key, base.label) == (
        StepKind.COMMAND,
        "current-review-base",
        "Base",
    )
    assert (check.kind, check.output_key) == (StepKind.COMMAND, "")
    assert len(flow.commands) == 2  # they need trust


def test_commands_of_reviews_are_summed_up_where_people_are_shown_them_and_no_others():
    copied = read(BASE).commands[0]
    found = read_flow_file(
        json.dumps(
            {"steps": [BASE, REVIEW, CHECK, {"type": "command", "command": "make"}]}
        ).encode(),
        FOUND,
        NoTexts(),
    )
    pretended = read({"type": "command", "label": "Treadle", "command": copied + "; make"})

    assert found.row().commands == (
        "Treadle's own program: find the commit that the branch is compared with",
        "Treadle's own program: keep the review as current-codex-review",
        "Treadle's own program: check which of these reviews can be used: current-codex-review",
        "make",
    )
    assert pretended.shown_commands == (copied + "; make",)


def test_a_review_is_a_turn_in_a_conversation_of_its_own_each_time():
    run = FlowRun(read(nested(REVIEW, judge(command="make"), maxIterations=2), llm("last")))
    sessions = []
    for _ in range(2):
        sessions.append(run.state.conversation.session_id)
        run.say("No findings.")
        run.run_command("No findings.", exit_code=0)
        run.run_command("", passed=False, exit_code=1)

    assert len(set(sessions)) == 2
    assert [slot.agent_type for slot in run.state.definition.slots] == ["codex", "coding_agent"]
    assert run.state.outputs["current-codex-review"].text == "No findings."
    assert run.state.index == 3
    assert run.state.definition.total == 4


def test_a_review_that_was_not_written_fails_the_run_and_is_asked_for_again_at_its_step():
    run = FlowRun(read(REVIEW, llm()))
    run.say("done")
    run.run_command("the reviewer left no review", passed=False, exit_code=1)

    assert (run.state.status, run.state.index) == (FlowStatus.FAILED, 0)
    assert "left no review" in run.state.reason

    session = run.state.conversations[0].session_id
    run.do(ResumeFlow(step_index=0))
    assert run.state.conversation.session_id == session


def test_a_review_has_the_agent_that_its_step_names():
    named = {"modelSource": "flow_request_or_step_or_agent", "agentType": "reviewer"}
    assert [slot.agent_type for slot in read({**REVIEW, **named}).slots] == ["reviewer"]


def test_what_a_review_names_of_models_is_passed_over_and_said_to_be():
    step = {**REVIEW, "model": "x-1", "reasoningEffort": "high"}
    found = read_flow_file(json.dumps({"steps": [step, REVIEW]}).encode(), FOUND, NoTexts())

    assert found.warnings == (
        "step 0: model and reasoningEffort are passed over: whoever starts the run chooses the agent and its model",
    )


# --- what is refused, with one error


FOUND = FoundFlow(name="x", scope=Scope.REPOSITORY, path="/flows/x.json")
MATRIX = {"kind": "matrix", "id": "m", "itemsFrom": "x.y", "itemName": "i", "flowNames": ["a"]}
REFUSED = [
    ({"type": "subflowWave", "groupsFrom": "g", "reviewWorkspace": {}}, "groupsFrom", "`singleton`"),
    (wave(reviewWorkspace={"snapshotFrom": "x"}), "reviewWorkspace", "leave it out"),
    (wave(GROUP, {**MATRIX, "bindings": {}}), "groups[1].kind", "`singleton`"),
    (wave({**GROUP, "bindings": {"input": {"a": "b"}}}), "groups[0].bindings", "have the flow itself say"),
    (wave(GROUP, {**GROUP, "id": "two"}), "groups[1].flowName", "in this wave twice"),
    (branch(condition="Is it done?"), "condition", "`agentType` and `identifier` is missing"),
    (branch(condition="Done?", agentType="a"), "condition", "then `identifier` is missing"),
    (branch(condition="../x.py"), "condition", "a Python file in the repository"),
    (branch(condition="/x.py", **CODER), "condition", "a Python file in the repository"),
    (branch(condition=SCRIPT, **ASKED), "condition", "`condition` or `question`"),
    (branch(condition=SCRIPT, command="make"), "condition", "`condition` or `command`"),
    ({"type": "github_open_pr"}, "type", "`treadle publish`"),
    ({"type": "prepareReviewTargets", "outputKey": "x"}, "type", "`prepareReviewBase`"),
    (nested(judge(**ASKED, breakOnFailure=True, continueOnFailure=True)), None, "not both"),
    (nested(judge(**ASKED, breakOnFailure=True, continueOnInvalidResponse=True)), None, "not both"),
    ({**CHECK, "finalizeCurrentReview": True}, "finalizeCurrentReview", "`status`"),
    ({**BASE, "outputKey": "a b"}, "outputKey", "letters"),
    ({**BASE, "basePolicy": "newest"}, "basePolicy", "branched_from"),
    ({**REVIEW, "reasoningEffort": "most"}, "reasoningEffort", "must be"),
    ({**CHECK, "pointerKeys": ["a", "a"]}, "pointerKeys", "different"),
    (wave({**GROUP, "flowname": "x"}), "groups[0].flowname", "did you mean `flowName`?"),
    ({"type": "subflowWave"}, "groups", "is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "field", "words"), REFUSED)
@pytest.mark.parametrize("is_nested", [False, True])
def test_one_cause_is_one_error_with_its_line_its_step_and_what_to_do(
    step, field, words, is_nested
):
    steps = [llm(), nested(llm(), step)] if is_nested else [llm(), llm(), step]
    raw = json.dumps({"steps": steps}, indent=1).encode()

    (problem,) = read_flow_file(raw, FOUND, NoTexts()).problems

    way = "steps[1].steps[1]" if is_nested else "steps[2]"
    if field is not None:
        assert (problem.step, problem.field) == (3 if is_nested else 2, f"{way}.{field}")
    line = raw.decode().splitlines()[problem.line - 1]
    assert problem.line > 5
    assert (field or "continueOn").rpartition(".")[2] in line or "{" in line
    assert words in problem.message


@given(st.sampled_from([step for step, _, _ in REFUSED[:13]]), st.integers(1, 4))
def test_each_refused_step_has_an_error_of_its_own(step, times):
    found = problems({"steps": [llm(), *[step] * times]})
    assert [number for number, _, _ in found] == sorted({number for number, _, _ in found})
    assert len(found) == times
