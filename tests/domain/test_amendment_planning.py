"""Planning sessions that work out an amendment."""

import json

import pytest

from domain.conversations.reports import EndSessionTurn
from domain.core.approval_commands import Reject
from domain.tasks.agent_commands import PlanAmendment, ProposeAmendment
from domain.threads.planning.commands import RequestAmendment
from tests.domain.running_plan import CHAT, RunningPlan, task

REMOVE = {"change": "remove", "task_id": "t5"}


@pytest.fixture
def plan() -> RunningPlan:
    """A completed task, a running one, one that waits for it, and one more that waits for that."""
    plan = RunningPlan(task("t1"), task("t2", "t1"), task("t4", "t2"), task("t5", "t4"))
    plan.complete("t1")
    return plan


def request(plan: RunningPlan) -> str:
    asked = RequestAmendment(command_id="r", text="rethink the API", by="ada")
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
    proposal = ProposeAmendment(session_id=session, amendment=plan.amendment(REMOVE))
    first = plan.send(proposal).data["request_id"]
    plan.decide(first, Reject, "keep it")
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
    reason = plan.events[-1].model_dump()["reason"]
    assert reason == "it ended 3 turns without an amendment that could be taken"


def fenced(amendment: object) -> str:
    return f"I would do without t5.\n\n```json\n{json.dumps(amendment)}\n```\n"


def test_a_planner_that_cannot_call_tools_proposes_in_one_block(plan: RunningPlan) -> None:
    session = request(plan)
    ended = EndSessionTurn(session_id=session, turn=1, text=fenced(plan.amendment(REMOVE)))
    plan.state = plan.state.model_copy(update={"prompts": ()})
    plan.send(ended)
    plan.send(ended)
    assert plan.kinds().count("amendment_proposed") == 1
    plan.decide("amendment-1")
    assert "t5" not in plan.statuses
    assert plan.state.sessions[session].is_archived


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("I would remove t5.", "the reply has no block"),
        (fenced({"why": "x", "base_version": 1, "changes": []}), "changes"),
        (
            fenced(
                {"why": "x", "base_version": 1, "changes": [{"change": "remove", "task_id": "t1"}]}
            ),
            "t1",
        ),
        ("```json\n{,}\n```", "bad_json"),
    ],
)
def test_what_is_wrong_with_a_reply_is_reported_with_the_question(
    plan: RunningPlan, said: str, problem: str
) -> None:
    session = request(plan)
    plan.state = plan.state.model_copy(update={"prompts": ()})
    ended = EndSessionTurn(session_id=session, turn=1, text=said)
    plan.send(ended)
    before = len(plan.events)
    plan.send(ended)
    assert len(plan.events) == before
    prompt = plan.events[-1].model_dump()["prompt"]
    assert prompt["name"] == "amendment-missing"
    assert problem in prompt["fields"]["problem"]


def test_a_chats_agent_has_a_planner_work_out_a_large_change(plan: RunningPlan) -> None:
    asked = PlanAmendment(session_id=CHAT, command_id="p", request="rethink the API")
    session = plan.send(asked).data["session_id"]
    assert plan.send(asked).data["session_id"] == session
    assert plan.state.sessions[session].role == "planner"
    asked_by = [e.by for e in plan.events if e.kind == "amendment_requested"]
    assert asked_by == [CHAT]
    stranger = asked.model_copy(update={"session_id": session, "command_id": "q"})
    assert plan.refuses(stranger).type == "wrong_state"
