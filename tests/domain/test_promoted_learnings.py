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
from domain.core.project_map import ProjectSurvey
from domain.core.workspaces import MergeResult, RepositoryFacts
from domain.learnings.events import PromotionMerged, PromotionStarted
from domain.learnings.noting import is_noted, noted
from domain.plans.ancestry import ParentThread
from domain.plans.plan import PlannedTask
from domain.plans.templates.template import GatePolicy, PlanTemplate
from domain.tasks.agent_commands import RecordLearning
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning, LearningEvidence, LearningKind, LearningsUsed
from domain.threads.autonomy import gate_of
from domain.threads.children.commands import NoteChild
from domain.threads.children.events import ChildReport
from domain.threads.children.rules import parent_of_child, report_of
from domain.threads.commands import EndTask, NoteProgress, SettleTask
from domain.threads.running.events import LearningsAdded, LearningsPromoted
from tests.domain.running_plan import CHAT, THREAD, RunningPlan, task
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
    parent = parent_of_child(plan.state, TaskId("a"), 1)
    assert (parent.autonomy, parent.promotes) == (Autonomy.GATES, True)
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


def test_a_change_of_the_file_that_agents_md_links_to_is_one_too():
    linked = RepositoryFacts(
        root="/r", head="c" * 40, survey=ProjectSurvey(agents_link="docs/AGENTS.md")
    )
    plan = RunningPlan(task("a"), promotes=IDS, facts=linked)
    (promoted,) = finish(plan, files=("docs/AGENTS.md",))
    assert promoted.approved_by == ("ann",)


@pytest.mark.parametrize("people", [("ann", "bob"), ()])
def test_a_change_that_people_approved_in_a_child_thread_is_one_too(people):
    plan = RunningPlan(task("a", runs_as="thread"), promotes=IDS)
    [child] = plan.state.family.children
    known = {"thread_id": child, "task_id": TaskId("a"), "run": 1}
    plan.send(NoteChild(report=ChildReport(**known, status="running")))
    ended = ChildReport(
        **known, number=2, end=TaskEnd.ACCEPTED, commit="c" * 40, promoted_by=people
    )
    plan.send(NoteChild(report=ended))
    plan.send(SettleTask(task_id=TaskId("a"), run=1, merge=MergeResult(commit="d" * 40)))
    promoted = [event.approved_by for event in plan.events if isinstance(event, LearningsPromoted)]
    assert promoted == ([people] if people else [])


@pytest.mark.parametrize(
    ("how", "is_of_promotion", "people"),
    [
        ({"files": ("AGENTS.md",)}, True, ("ann",)),
        ({"files": ("AGENTS.md",)}, False, ()),
        ({"files": ("README.md",)}, True, ()),
        ({"files": ("AGENTS.md",), "approved_by": ()}, True, ()),
    ],
)
def test_a_child_of_a_promotion_tells_who_approved_its_change_of_agents_md(
    how, is_of_promotion, people
):
    plan = RunningPlan(task("a"))
    finish(plan, **how)
    assert plan.state.opened is not None
    parent = ParentThread(thread_id=THREAD, task_id=TaskId("a"), run=1, promotes=is_of_promotion)
    opened = plan.state.opened.model_copy(update={"parent": parent})
    report = report_of(plan.state.model_copy(update={"opened": opened}))
    assert report is not None
    assert (report.end, report.promoted_by) == (TaskEnd.ACCEPTED, people)
