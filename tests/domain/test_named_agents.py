"""A plan that names agents that are not here says so where it is proposed."""

import json

from domain.core.approval_commands import Approve
from domain.plans.named_agents import MAX_DOUBTS, find_doubts, find_doubts_in_reply
from domain.plans.warnings import WarningKind
from domain.tasks.agent_commands import ProposePlan
from domain.threads.planning.commands import Amend, EditPlan
from tests.domain.planning_world import FIRST, World
from tests.domain.running_plan import RunningPlan, add, modify, remove, task

REVIEW = {"type": "review_agent", "prompt": "Look at it", "agent": "nobody"}


def why_not(agent: str, model: str | None) -> str:
    if agent != "codex":
        return f"there is no agent {agent!r}"
    return "" if model in {None, "large"} else f"agent 'codex' told of no model {model!r}"


def test_each_agent_is_told_with_its_place() -> None:
    raw = {
        "summary": "x",
        "tasks": [task("a", agent="ghost"), task("b", agent="codex", verification=[REVIEW])],
    }
    assert find_doubts(raw, why_not) == (
        "task 'a': there is no agent 'ghost'",
        "a review of task 'b': there is no agent 'nobody'",
    )


def test_a_plan_without_tasks_has_its_review_looked_at() -> None:
    (doubt,) = find_doubts({"summary": "x", "verification": [REVIEW]}, why_not)
    assert doubt.startswith("the plan's review: ")


def test_a_model_is_told_with_the_agent_that_shall_use_it() -> None:
    review = {**REVIEW, "agent": "codex", "model": "tiny"}
    raw = {
        "summary": "x",
        "tasks": [
            task("a", model="tiny"),
            task("b", agent="codex", model="large", verification=[review]),
        ],
    }
    assert find_doubts(raw, why_not, usual="codex") == (
        "task 'a': agent 'codex' told of no model 'tiny'",
        "a review of task 'b': agent 'codex' told of no model 'tiny'",
    )


def test_a_plan_in_a_reply_is_looked_at_and_its_doubts_are_warnings() -> None:
    plan = {"summary": "x", "tasks": [task("a", agent="ghost")]}
    reply = f"Here it is:\n```json\n{json.dumps(plan)}\n```\n"
    doubts = find_doubts_in_reply(reply, why_not)
    assert doubts == ("task 'a': there is no agent 'ghost'",)
    assert find_doubts_in_reply("No plan yet.", why_not) == ()

    world = World()
    world.ended(text=reply, doubts=doubts)
    assert [w.text for w in world.state.plans[-1].warnings] == list(doubts)


def test_a_template_that_a_plan_names_is_not_taken_in_silence() -> None:
    raw = {"summary": "x", "tasks": [task("a", template="hotfix"), task("b")]}
    (doubt,) = find_doubts(raw, why_not)
    assert doubt.startswith("task 'a': the template 'hotfix' is not taken")
    assert find_doubts(json.dumps(raw), why_not) == (doubt,)


def test_an_amendment_is_looked_at_and_approved_as_it_was_shown() -> None:
    plan = RunningPlan(task("a"), task("b", "a"))
    changes = (add("c", agent="ghost"), modify("b", model="tiny"), remove("a"))
    amendment = plan.amendment(*changes[:2])
    doubts = find_doubts({**amendment, "changes": list(changes)}, why_not, usual="codex")
    assert doubts == (
        "task 'c': there is no agent 'ghost'",
        "task 'b': agent 'codex' told of no model 'tiny'",
    )

    said = plan.send(Amend(command_id="x", amendment=amendment, doubts=doubts, by="ada"))
    assert said.data["warnings"] == list(doubts)
    plan.decide(said.data["request_id"])
    assert plan.state.tasks["c"].task.agent == "ghost"


def test_what_is_no_plan_has_no_doubts_and_many_are_cut() -> None:
    assert find_doubts("no plan", why_not) == ()
    raw = {"summary": "x", "tasks": [task(f"t{n}", agent="ghost") for n in range(50)]}
    assert len(find_doubts(raw, why_not)) == MAX_DOUBTS


def test_a_person_is_warned_and_can_still_approve() -> None:
    world = World()
    plan = {"summary": "x", "tasks": [task("a", agent="ghost")]}
    told = world.send(ProposePlan(session_id=FIRST, plan=plan, doubts=("task 'a': no ghost",)))
    assert "warning: task 'a': no ghost" in told.message
    (warning,) = world.state.plans[-1].warnings
    assert (warning.kind, warning.needs_acknowledgement) == (WarningKind.UNKNOWN_AGENT, False)
    world.send(EditPlan(revision=1, plan={**plan, "approach": "again"}, doubts=("task 'a': no",)))
    assert [w.text for w in world.state.plans[-1].warnings] == ["task 'a': no"]
    world.decide(Approve, "plan-2")
