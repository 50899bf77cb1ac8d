"""Flows shaped like those in use in public repositories, in our own words: they are read as they are."""

import pytest

from domain.flows.checks import compact_bytes
from domain.flows.definition import StepKind
from domain.flows.problems import FlowProblemsError, FlowTextError
from domain.flows.reading import read_flow
from domain.flows.starting import MAX_DEFINITION_BYTES

PLANNER = {"agentType": "planning_agent", "identifier": "planner"}
CODER = {"agentType": "coding_agent", "identifier": "coder"}
TESTER = {"agentType": "automated_testing_agent", "identifier": "tester"}
CONTROL = {"agentType": "loop_control_agent", "identifier": "loop_controller"}
RELAY = (
    'Run `python3 "$ROOT/scripts/flow_control/is_complete.py"` now, whatever it said before. '
    "Return what it prints and nothing else. Do not work the answer out yourself. " + "Why: " * 60
)


def say(who, label, *parts):
    return {
        "type": "llm",
        "label": label,
        **who,
        "messages": [{"role": "user", "content": list(parts)}],
    }


def file(who, name, **more):
    return {"type": "llm", "label": f"By {name}", **who, "markdownFile": name, **more}


def command(who, name):
    return {"type": "command", "label": name, **who, "commandName": name}


def leave(who, question, on="yes"):
    return {"type": "break", "label": "Check", **who, "question": question, "breakOn": on}


def loop(label, *steps):
    return {"type": "startLoop", "label": label, "steps": list(steps)}


class Texts:
    """Every text is there; a command has as many messages as its name says."""

    def markdown(self, path):
        return f"{path}: " + "Read the plan again. " * 900

    def command(self, agent_type, name):
        item = {"type": "message", "role": "user", "markdownFile": f"{name}/part.md"}
        return {"Description": name, "items": [item] * int(name.rpartition("-")[2])}


# the first flows: a story is chosen, refined by commands of the planner, then implemented and reviewed
EXECUTE = {
    "description": "Carry a story out until it is complete",
    "steps": [
        say(PLANNER, "Select", "Which story is next?"),
        command(PLANNER, "improve-3"),
        command({"agentType": "tasking_agent", "identifier": "planner"}, "task-up-5"),
        say(CODER, "Overview", "Where are we?"),
        loop(
            "Main",
            loop(
                "Work",
                say(CODER, "Gotchas", "What is to be watched?"),
                say(CODER, "Implement", "Do the next task."),
                say(PLANNER, "Check", "Is each task marked?"),
                leave(PLANNER, 'Is it done? Reply as JSON {"answer":"yes"|"no"}.'),
            ),
            say(PLANNER, "Review", "Review the branch."),
            leave(PLANNER, "Is it complete?"),
        ),
    ],
}

# two agents ask and answer questions; each may end the loop, one by no and one by yes
QUESTIONS = {
    "description": "Clear up what is not known of a plan",
    "steps": [
        say(PLANNER, "Select", "Which plan?"),
        loop(
            "Questions",
            say(PLANNER, "Read again", "Read it again."),
            say(PLANNER, "Ask", "Which questions are left?"),
            leave(PLANNER, "Did you add any?", on="no"),
            leave({"agentType": "research_agent", "identifier": "r"}, "Is the list empty?"),
            say({"agentType": "research_agent", "identifier": "r"}, "Answer", "Find out."),
        ),
        say(PLANNER, "Push", "Commit.", "Then push, where that is possible."),
    ],
}

# later ones: fresh conversations for each round, texts in files, loops three deep, rounds cut short
STORY = {
    "description": "Work on the current plan",
    "steps": [
        file(PLANNER, "store_handoff.md"),
        loop(
            "Story",
            {"type": "reset", "label": "Fresh planner", **PLANNER},
            {"type": "reset", "label": "Fresh coder", **CODER},
            file(PLANNER, "load_context.md"),
            loop(
                "Task",
                file(PLANNER, "select_task.md"),
                leave(CONTROL, RELAY),
                loop(
                    "Implement",
                    file(CODER, "implement/01-gotchas.md"),
                    file(CODER, "implement/02-subtasks.md", continueOnFailure=True),
                    leave(CONTROL, RELAY),
                ),
                loop("Prove", file(TESTER, "prove.md"), leave(CONTROL, RELAY)),
                {
                    "type": "continue",
                    "label": "Back to the top",
                    **CONTROL,
                    "question": RELAY,
                    "continueOn": "yes",
                },
                leave(CONTROL, 'Reply with {"answer":"yes"} alone.'),
            ),
            command(PLANNER, "check-quality-14"),
            leave(CONTROL, RELAY),
        ),
        file(PLANNER, "final_push.md"),
    ],
}

# loops are flat, and their ends may be labelled
SEED = {
    "steps": [
        {"type": "startLoop", "label": "Main"},
        say(CODER, "Draft", "Summarise."),
        {"type": "startLoop"},
        command(PLANNER, "improve-1"),
        leave(PLANNER, "Good enough?"),
        {"type": "endLoop", "label": "Improved"},
        leave(CODER, "Finished?"),
        {"type": "endLoop"},
    ]
}


@pytest.mark.parametrize(
    ("raw", "steps", "conversations", "messages"),
    [
        (EXECUTE, 12, 3, 14),
        (QUESTIONS, 8, 2, 5),
        (STORY, 20, 4, 21),
        (SEED, 8, 2, 2),
    ],
    ids=["execute", "questions", "story", "seed"],
)
def test_flows_in_use_are_read_as_they_are(raw, steps, conversations, messages):
    flow = read_flow(raw, "example", Texts())

    assert (flow.total, len(flow.slots)) == (steps, conversations)
    assert sum(len(step.messages) for step in flow.steps) == messages
    assert flow.commands == ()
    assert compact_bytes(flow) < MAX_DEFINITION_BYTES


def test_an_identifier_is_another_conversation_for_another_agent_type():
    flow = read_flow(EXECUTE, "example", Texts())

    assert [slot.identifier for slot in flow.slots].count("planner") == 2


def test_parts_of_one_message_are_one_turn():
    flow = read_flow(QUESTIONS, "example", Texts())

    assert flow.steps[-1].messages == ("Commit.\nThen push, where that is possible.",)


def test_the_messages_of_a_command_are_turns_of_its_agent():
    flow = read_flow(STORY, "example", Texts())
    step = next(step for step in flow.steps if step.label == "check-quality-14")

    assert (step.kind, step.slot.agent_type, len(step.messages)) == (
        StepKind.LLM,
        "planning_agent",
        14,
    )


def test_the_largest_ones_in_use_fit_into_what_a_run_carries():
    story = STORY["steps"]
    rounds = [loop(f"Round {number}", *story) for number in range(5)]

    flow = read_flow({"steps": rounds}, "example", Texts())

    assert flow.total == 105
    assert compact_bytes(flow) < MAX_DEFINITION_BYTES


@pytest.mark.parametrize(
    ("step", "instead"),
    [
        ({"type": "initializeReviewCycle", "mode": "final", "outputKey": "x"}, "`command` steps"),
        ({"type": "prepareReviewTargets", "outputKey": "x"}, "a `prepareReviewBase` step"),
        ({"type": "prepareReviewSet"}, "`command` steps"),
        ({"type": "copilotReview"}, "an `llm` step"),
        ({"type": "runCopilotReview", "markdownFile": "x.md"}, "an `llm` step"),
        ({"type": "prepareCopilotReviewGroups"}, "an `llm` step"),
        ({"type": "validateReviewTarget"}, "`command` steps"),
        ({"type": "validateReviewWave"}, "`command` steps"),
        ({"type": "crossRepositoryReviewGate"}, "`command` steps"),
        ({"type": "github_open_pr"}, "with `treadle publish`"),
        ({"type": "github_fetch_reviews"}, "with `treadle publish`"),
        ({"type": "github_close_pr"}, "with `treadle publish`"),
    ],
)
def test_steps_that_need_another_programs_services_are_refused_with_what_to_do_instead(
    step, instead
):
    with pytest.raises(FlowProblemsError) as refused:
        read_flow({"steps": [say(CODER, "x", "y"), {**step, "label": "Foreign"}]}, "example")

    (problem,) = refused.value.problems
    assert (problem.step, problem.type) == (1, "unknown_type")
    assert f"`{step['type']}` steps belong to another program" in problem.message
    assert instead in problem.message


class Broken(Texts):
    """Commands that can't be used, by their names."""

    def markdown(self, path):
        raise FlowTextError(f"there is no {path}")

    def command(self, agent_type, name):
        message = {"type": "message", "role": "user"}
        return {
            "list": [],
            "empty": {"Description": "x", "items": []},
            "lower": {"description": "x", "items": [{**message, "content": ["x"]}]},
            "foreign": {"Description": "x", "items": [{"type": "shell", "content": ["x"]}]},
            "extra": {"Description": "x", "items": [{**message, "content": ["x"], "markdown": "y"}]},
            "idle": {"Description": "x", "items": [{"type": "reingest", "target": "working"}]},
            "nothing": {"Description": "x", "items": [message]},
            "missing": {"Description": "x", "items": [{**message, "markdownFile": "gone.md"}]},
            "both": {"Description": "x", "items": [{**message, "content": ["x"], "markdownFile": "y"}]},
        }[name]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("list", "must be an object"),
        ("empty", "`items` must not be empty"),
        ("lower", "`Description` is missing"),
        ("foreign", '`type` must be "message", not "shell"'),
        ("extra", "did you mean `markdownFile`?"),
        ("idle", "has no message"),
        ("nothing", "needs `content` or a `markdownFile`"),
        ("missing", "there is no gone.md"),
        ("both", "not both"),
    ],
)
def test_a_command_that_cant_be_used_is_reported_at_its_step(name, words):
    with pytest.raises(FlowProblemsError) as refused:
        read_flow({"steps": [loop("x", command(PLANNER, name))]}, "example", Broken())

    (problem,) = refused.value.problems
    assert (problem.step, problem.field) == (1, "steps[0].steps[0].commandName")
    assert words in problem.message
