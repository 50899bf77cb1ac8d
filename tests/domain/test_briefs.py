"""What a task is told beside itself: the map, every answer, and how the plan is by now."""

from typing import Any

import pytest

from domain.core.approval_commands import Decide
from domain.core.approvals import content_hash
from domain.core.event import QuotedBody
from domain.core.project_map import map_of_agents
from domain.threads.patches import ALL
from domain.threads.quotes import quote
from domain.threads.running.briefs import brief
from tests.domain.running_plan import RunningPlan, add, task

STYLE: dict[str, Any] = {
    "id": "style",
    "question": "Which style?",
    "options": [{"label": "plain", "description": "short"}, {"label": "ornate"}],
}


@pytest.fixture
def plan() -> RunningPlan:
    return RunningPlan(task("a"), task("b", "a", decision_id="style"), decisions=[STYLE])


def test_every_task_is_told_the_answers_not_only_the_one_that_waited(plan: RunningPlan):
    assert brief(plan.state, "a", 1).decisions == ""
    shown = content_hash(plan.state.decisions["style"].decision)
    plan.send(Decide(decision_id="style", content_hash=shown, selections=("plain",)))
    assert brief(plan.state, "a", 1).decisions == "- Which style? plain (short)"


def test_the_plan_as_it_is_now_is_reported_once_it_is_not_the_packets_any_more(plan: RunningPlan):
    assert brief(plan.state, "b", 1).amended == ""
    plan.change(add("c", "b"))
    assert brief(plan.state, "b", 1).amended.splitlines()[-1] == "- `c` C (code, after b)"


def test_what_all_tasks_are_told_alike_is_quoted_from_the_events_that_have_it(plan: RunningPlan):
    quoting = RunningPlan(
        task("a"), task("b", "a", decision_id="style"), decisions=[STYLE], patches=ALL
    )
    for each in (plan, quoting):
        each.change(add("c", "b"))
    told, given = brief(plan.state, "b", 1), brief(quoting.state, "b", 1)
    assert (given.handoff, given.amended) == ("", "")
    events = {e.quoted_as: e for e in quoting.events if isinstance(e, QuotedBody)}
    quotes = {name: quote(events[event_id], name) for name, event_id in given.quotes.items()}
    assert quotes == {"handoff": told.handoff, "amended": told.amended}


def test_agents_get_the_map_and_read_what_speaks_to_agents_itself():
    assert map_of_agents("TREADLE.md", "- Design: docs/") == "- Design: docs/"
    assert map_of_agents("AGENTS.md", "Be nice.") == "Read `AGENTS.md` at the top of your checkout."
    assert map_of_agents("", "") == ""
