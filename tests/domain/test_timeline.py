"""A thread by the clock: what each task did when, and the moments that a person goes back to."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import Prompt
from domain.conversations.events import AgentUpdate, MessageQueued, TurnStarted
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.event import Event, EventBody, JournaledEvent
from domain.core.ids import ThreadId
from domain.core.workspaces import RepositoryFacts
from domain.plans.plan import Plan, PlannedTask
from domain.plans.status import PlanStatus
from domain.plans.templates.template import PlanTemplate
from domain.reading.timeline.projection import TimelineFold
from domain.tasks.events import (
    GateDecided,
    GateOpened,
    TaskEnd,
    TaskEnded,
    TaskOpened,
    VerificationEnded,
    VerificationStarted,
)
from domain.tasks.learnings import LearningRecorded
from domain.tasks.status import TaskStatus
from domain.threads.events import (
    PlanCompleted,
    PlanDecided,
    PlanProposed,
    PlanStarted,
    TaskMerged,
    TaskReported,
    TaskUpdated,
    ThreadOpened,
)

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
PLAN = Plan(
    goal="shop",
    tasks=(PlannedTask(id="a", title="A"), PlannedTask(id="b", title="B", depends_on=("a",))),
)
OPENED = ThreadOpened(
    goal="shop",
    agent="scripted",
    facts=RepositoryFacts(root="/x", head="c"),
    template=PlanTemplate(name="default"),
    branch="treadle/shop",
)
ASKED = ApprovalRequest(
    request_id="plan-1", subject=Subject.PLAN, title="shop", content_hash=PLAN.content_hash
)
GATE = ApprovalRequest(request_id="a/gate-1-1", subject=Subject.GATE, title="A", content_hash="h")


def by_ann(request):
    return Outcome(
        request_id=request.request_id,
        choice=Choice.APPROVE,
        content_hash=request.content_hash,
        by="ann",
    )


def updated(task, old, new, notes=""):
    return TaskUpdated(
        plan_id="p", task_id=task, old_status=old, new_status=new, notes=notes, run=1
    )


LIFE: list[tuple[str, EventBody]] = [
    ("", OPENED),
    ("", PlanProposed(revision=1, session_id="s", plan=PLAN, request=ASKED)),
    ("", PlanDecided(revision=1, outcome=by_ann(ASKED))),
    ("", PlanStarted(plan_id="p", goal="shop", tasks=("a", "b"))),
    ("", updated("a", TaskStatus.PENDING, TaskStatus.RUNNING)),
    (
        "/a",
        TaskOpened(
            task=PLAN.tasks[0],
            run=1,
            session_id="thread-x/a/session-1",
            agent="scripted",
            branch="a",
            max_retries=3,
        ),
    ),
    (
        "/a",
        TurnStarted(
            session_id="thread-x/a/session-1", turn_id="t1", number=1, attempt=1, prompt_name="task"
        ),
    ),
    ("/a/session-1", AgentUpdate(turn_id="t1", update={"text": "hello"})),
    ("/a", VerificationStarted(attempt=1)),
    ("/a", VerificationEnded(attempt=1, passed=False)),
    ("/a", VerificationStarted(attempt=2)),
    ("/a", VerificationEnded(attempt=2, passed=True)),
    ("/a", GateOpened(request=GATE)),
    ("/a", GateDecided(outcome=by_ann(GATE))),
    ("/a", TaskEnded(end=TaskEnd.ACCEPTED)),
    ("", TaskReported(task_id="a", run=1, end=TaskEnd.ACCEPTED, commit="c1")),
    ("", TaskMerged(task_id="a", commit="c2", branch="x")),
    ("", updated("a", TaskStatus.RUNNING, TaskStatus.COMPLETED)),
    ("", updated("b", TaskStatus.PENDING, TaskStatus.FAILED, "it\nbroke")),
    ("", PlanCompleted(plan_id="p", final_status=PlanStatus.CANCELLED, summary="over")),
]


def journaled(life):
    return [
        JournaledEvent(
            position=10 * number,
            event=Event(
                id=f"e{number}",
                stream=f"thread-x{below}",
                at=BEGAN + timedelta(minutes=number),
                body=body,
            ),
        )
        for number, (below, body) in enumerate(life, 1)
    ]


def folded(life):
    fold = TimelineFold(ThreadId("thread-x"))
    for each in journaled(life):
        fold.add(each)
        fold.add(each)
    return fold.timeline()


def test_a_task_s_line_says_what_it_did_when():
    first, second = folded(LIFE).tasks
    assert [(s.status, s.position) for s in first.spans] == [
        ("pending", 40),
        ("running", 50),
        ("verifying", 90),
        ("running", 100),
        ("verifying", 110),
        ("waiting", 130),
        ("merging", 140),
    ]
    assert all(s.ended_at == n.began_at for s, n in zip(first.spans, first.spans[1:], strict=False))
    assert first.spans[-1].ended_at == BEGAN + timedelta(minutes=18)
    assert [(s.status, s.ended_at) for s in second.spans[1:]] == [("failed", None)]


def test_moments_are_those_that_a_person_goes_back_to_and_each_is_on_its_task_s_line():
    timeline = folded(LIFE)
    kinds = [m.kind for m in timeline.moments]
    assert kinds == [
        "thread_opened",
        "plan_proposed",
        "plan_approved",
        "context_reset",
        "task_started",
        "attempt_failed",
        "attempt_passed",
        "gate_opened",
        "gate_approved",
        "merged",
        "task_failed",
        "plan_ended",
    ]
    assert [m.kind for m in timeline.tasks[0].marks] == kinds[4:10]
    assert timeline.tasks[1].marks[0].label == "Task b failed: it broke"
    assert timeline.ended_at == BEGAN + timedelta(minutes=len(LIFE))


def test_a_message_is_a_moment_only_where_a_person_wrote_it():
    said = Prompt(fields={"text": "and tests,\nplease"})
    told = MessageQueued(message_id="m1", prompt=said, by="ann")
    own = MessageQueued(message_id="m2", prompt=said)
    life = [LIFE[0], ("/session-1", told), ("/session-1", own)]
    assert [m.label for m in folded(life).moments[1:]] == ["ann: and tests, please"]


def test_a_thread_without_events_has_no_timeline():
    assert TimelineFold(ThreadId("thread-x")).timeline() is None
    assert folded(LIFE[:1]).tasks == ()


@given(st.integers(1, len(LIFE)), st.lists(st.sampled_from(["/a", "/b", ""]), max_size=5))
def test_spans_follow_each_other_without_overlap_whatever_comes(upto, others):
    learned = LearningRecorded.model_validate(
        {"kind": "learning_recorded", "learning": {"learning": "worked", "text": "x"}}
    )
    timeline = folded([*LIFE[:upto], *((below, learned) for below in others)])
    for task in timeline.tasks:
        for span, following in zip(task.spans, task.spans[1:], strict=False):
            assert span.ended_at is not None
            assert span.ended_at <= following.began_at
            assert span.status is not following.status or span.ended_at < following.began_at
