"""A plan that names agents that are not here says so where it is proposed."""

from domain.core.approval_commands import Approve
from domain.plans.named_agents import MAX_DOUBTS, find_doubts
from domain.plans.warnings import WarningKind
from domain.tasks.agent_commands import ProposePlan
from domain.threads.planning.commands import EditPlan
from tests.domain.planning_world import FIRST, World
from tests.domain.running_plan import task

REVIEW = {"type": "review_agent", "prompt": "Look at it", "agent": "nobody"}


def why_not(agent: str) -> str:
    return "" if agent == "codex" else f"there is no agent {agent!r}"


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
