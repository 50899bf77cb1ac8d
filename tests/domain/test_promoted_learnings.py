"""Learnings come into AGENTS.md only by a change that people approved at its gate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.tools.catalogue import TOOLS
from domain.core.autonomy import Autonomy
from domain.core.errors import WrongStateError
from domain.core.event import Event
from domain.core.ids import EventId, SessionId, StreamId, TaskId
from domain.core.progress import TaskProgress
from domain.core.workspaces import MergeResult
from domain.learnings.events import PromotionMerged, PromotionStarted
from domain.learnings.noting import is_noted, noted
from domain.plans.plan import PlannedTask
from domain.plans.templates.template import GatePolicy, PlanTemplate
from domain.tasks.agent_commands import RecordLearning
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning, LearningEvidence, LearningKind, LearningsUsed
from domain.threads.autonomy import gate_of
from domain.threads.children.rules import parent_of_child
from domain.threads.commands import EndTask, NoteProgress, SettleTask
from domain.threads.running.events import LearningsAdded, LearningsPromoted
from tests.domain.running_plan import CHAT, RunningPlan, task
from tests.domain.world import NOW
from tests.hypothesis_profiles import effort

IDS = ("l-0123456789",)
AUTOMATIC = PlanTemplate(name="free", gate=GatePolicy.AUTO)


def finish(plan, *, files, approved_by=("ann",), learnings=()):
    progress = TaskProgress(task_id=TaskId("a"), run=1, files=files, order=1)
    plan.send(NoteProgress(progress=progress))
    plan.send(
        EndTask(
            task_id=TaskId("a"),
            run=1,
            end=TaskEnd.ACCEPTED,
            commit="c" * 40,
            attempts=2,
            approved_by=approved_by,
            learnings=learnings,
        )
    )
    plan.send(SettleTask(task_id=TaskId("a"), run=1, merge=MergeResult(commit="d" * 40)))
    return [event for event in plan.events if isinstance(event, LearningsPromoted)]


@given(
    st.sampled_from([None, *Autonomy]),
    st.sampled_from([None, *GatePolicy]),
    st.sampled_from([GatePolicy.AUTO, GatePolicy.ASK]),
)
@effort(40)
def test_a_person_closes_the_gates_of_a_promotion_whatever_plan_template_and_autonomy_say(
    autonomy, own, usual
):
    plan = RunningPlan(task("a"), template=PlanTemplate(name="t", gate=usual), promotes=IDS)
    planned = PlannedTask(id=TaskId("a"), title="A", gate=own)
    assert plan.state.opened is not None
    assert gate_of(planned, plan.state.opened, autonomy) is GatePolicy.ASK


def test_the_children_of_a_promotion_stop_at_their_gates_too():
    plan = RunningPlan(task("a"), template=AUTOMATIC, promotes=IDS)
    assert parent_of_child(plan.state, TaskId("a"), 1).autonomy is Autonomy.GATES
    free = RunningPlan(task("a"), template=AUTOMATIC)
    assert parent_of_child(free.state, TaskId("a"), 1).autonomy is None


def test_a_merged_change_of_agents_md_that_people_approved_is_the_promotion_and_told_once():
    plan = RunningPlan(task("a"), promotes=IDS)
    (promoted,) = finish(plan, files=("AGENTS.md",))
    assert promoted == LearningsPromoted(learning_ids=IDS, commit="d" * 40, approved_by=("ann",))
    assert plan.state.has_promoted


@pytest.mark.parametrize(
    "how", [{"files": ("README.md",)}, {"files": ("AGENTS.md",), "approved_by": ()}]
)
def test_no_other_change_and_none_without_people_is_one(how):
    assert not finish(RunningPlan(task("a"), promotes=IDS), **how)


def test_a_thread_that_was_not_opened_for_it_promotes_nothing():
    assert not finish(RunningPlan(task("a"), template=AUTOMATIC), files=("AGENTS.md",))


def test_no_tool_of_agents_promotes_and_events_of_threads_say_which_thread_did():
    assert not [tool.name for tool in TOOLS if "promot" in tool.name]
    plan = RunningPlan(task("a"), promotes=IDS)
    finish(plan, files=("AGENTS.md",))
    events = [
        Event(id=EventId(f"e{n}"), stream=StreamId("thread-p"), at=NOW, body=body)
        for n, body in enumerate(plan.events)
    ]
    found = [one.body for each in filter(is_noted, events) for one in noted(each, "/repo")]
    assert found == [
        PromotionStarted(learning_ids=IDS, thread_id="thread-p"),
        PromotionMerged(
            learning_ids=IDS, thread_id="thread-p", commit="d" * 40, approved_by=("ann",)
        ),
    ]


def test_what_a_task_learned_comes_with_the_evidence_for_it():
    step = {"type": "command", "label": "unit tests", "command": "true"}
    plan = RunningPlan(task("a", area=["api/**"], verification=[step]))
    learned = Learning(learning=LearningKind.NEXT, text="Use tabs", task_id=TaskId("a"))
    finish(plan, files=("api/x.py",), learnings=(learned,))
    (added,) = [event for event in plan.events if isinstance(event, LearningsAdded)]
    assert added.evidence == LearningEvidence(
        title="A", area=("api/**",), commit="d" * 40, verified=("unit tests",), attempts=2
    )


def test_agents_say_what_helped_them_and_a_planner_says_nothing_else():
    plan = RunningPlan(task("a"))
    used = RecordLearning(session_id=CHAT, used=(*IDS, *IDS))
    assert plan.send(used).message == "Noted."
    assert plan.events[-1] == LearningsUsed(learning_ids=IDS, by=CHAT)
    planner = next(iter(plan.state.planning.planners))
    plan.send(RecordLearning(session_id=planner, used=IDS))
    assert plan.events[-1] == LearningsUsed(learning_ids=IDS, by=planner)
    words = RecordLearning(session_id=planner, text="approve me")
    assert isinstance(plan.refuses(words), WrongStateError)
    stranger = RecordLearning(session_id=SessionId("thread-x/session-9"), used=IDS)
    assert isinstance(plan.refuses(stranger), WrongStateError)
    assert isinstance(plan.refuses(RecordLearning(session_id=CHAT)), WrongStateError)
