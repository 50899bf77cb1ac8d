"""Planning sessions that work out an amendment (features.md D2)."""

import pytest

from domain import commands
from domain.threads.commands import EndSessionTurn
from tests.domain.running_plan import CHAT, RunningPlan, task

REMOVE = {"change": "remove", "task_id": "t5"}


@pytest.fixture
def plan() -> RunningPlan:
    """A completed task, a running one, one that waits for it, and one more that waits for that."""
    plan = RunningPlan(task("t1"), task("t2", "t1"), task("t4", "t2"), task("t5", "t4"))
    plan.complete("t1")
    return plan


def request(plan: RunningPlan) -> str:
    asked = commands.RequestAmendment(command_id="r", text="rethink the API", by="ada")
    return plan.send(asked).data["session_id"]


def test_a_planning_session_gets_the_state_and_the_request(plan: RunningPlan) -> None:
    session = request(plan)
    prompt = plan.events[-1].model_dump()["prompt"]
    assert prompt["name"] == "amendment-planner"
    assert prompt["fields"]["request"] == "rethink the API"
    assert prompt["fields"]["version"] == "1"
    assert "- `t2` T2: running, code, depends on t1" in prompt["fields"]["tasks"]
    assert {"project_map", "template_hints", "learnings"} < set(prompt["fields"])
    assert plan.state.sessions[session].role == "planner"
    assert plan.statuses["t2"] == "running"


def test_a_planning_session_proposes_revises_and_is_put_away(plan: RunningPlan) -> None:
    session = request(plan)
    proposal = commands.ProposeAmendment(session_id=session, amendment=plan.amendment(REMOVE))
    first = plan.send(proposal).data["request_id"]
    plan.decide(first, commands.Reject, "keep it")
    assert not plan.state.sessions[session].is_archived
    again = proposal.model_copy(
        update={
            "amendment": plan.amendment(
                {"change": "modify", "task_id": "t5", "task": {"title": "x"}}
            )
        }
    )
    plan.decide(plan.send(again).data["request_id"])
    assert plan.state.sessions[session].is_archived
    assert plan.refuses(proposal).type == "wrong_state"


def test_a_planning_session_that_proposes_nothing_is_asked_twice_then_the_person(
    plan: RunningPlan,
) -> None:
    session = request(plan)
    plan.state = plan.state.model_copy(update={"prompts": ()})
    for turn in (1, 2, 3):
        plan.send(EndSessionTurn(session_id=session, turn=turn))
        plan.state = plan.state.model_copy(update={"prompts": ()})
    assert plan.kinds().count("amendment_nudged") == 2
    assert "3 turns without propose_amendment" in plan.events[-1].model_dump()["reason"]


def test_a_chats_agent_has_a_planner_work_out_a_large_change(plan: RunningPlan) -> None:
    asked = commands.PlanAmendment(session_id=CHAT, command_id="p", request="rethink the API")
    session = plan.send(asked).data["session_id"]
    assert plan.send(asked).data["session_id"] == session
    assert plan.state.sessions[session].role == "planner"
    asked_by = [e.by for e in plan.events if e.kind == "amendment_requested"]
    assert asked_by == [CHAT]
    stranger = asked.model_copy(update={"session_id": session, "command_id": "q"})
    assert plan.refuses(stranger).type == "wrong_state"
