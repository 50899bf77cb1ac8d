"""What waits for a person: one thing for each answer that is needed, with the time it was asked at."""

from datetime import UTC, datetime, timedelta

from domain.agents.agents import SessionRole, TurnResult
from domain.conversations.events import TurnConcern, TurnEnded, TurnStarted
from domain.conversations.questions.events import QuestionAnswered, QuestionAsked
from domain.conversations.questions.question import Question, QuestionKind, QuestionOption
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.event import Event, JournaledEvent
from domain.core.ids import ThreadId
from domain.core.lifecycle.events import ThreadArchived
from domain.core.workspaces import RepositoryFacts, Snapshot
from domain.plans.plan import Decision, DecisionOption, Plan, PlannedTask
from domain.plans.templates.template import PlanTemplate
from domain.plans.warnings import PlanWarning, WarningKind
from domain.reading.inbox.threads import thread_items
from domain.reading.projection import ThreadFold
from domain.tasks.conflicts import Conflict
from domain.tasks.events import (
    GateDecided,
    GateOpened,
    TaskEnd,
    TaskOpened,
    VerificationEnded,
    VerificationStarted,
    VerificationStepEnded,
)
from domain.tasks.status import TaskStatus
from domain.threads.events import (
    PlanDecided,
    PlanningFailed,
    PlanProposed,
    PlanRequested,
    PlanStarted,
    SessionOpened,
    TaskReported,
    TaskUpdated,
    ThreadOpened,
)
from domain.threads.merging.events import ConflictFound
from domain.threads.running.decision_events import DecisionAsked
from domain.threads.shown import ShownDecision
from domain.verification.steps import StepResult

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
DECISION = Decision(
    id="look",
    question="Which look?",
    options=(DecisionOption(label="plain"), DecisionOption(label="rich")),
)
PLAN = Plan(
    goal="Shop",
    tasks=(
        PlannedTask(id="a", title="First"),
        PlannedTask(id="b", title="Second", depends_on=("a",)),
        PlannedTask(id="c", title="Third"),
    ),
    decisions=(DECISION,),
)
OPENED = ThreadOpened(
    goal="Make a\nshop",
    agent="scripted",
    facts=RepositoryFacts(root="/code/shop", head="c"),
    template=PlanTemplate(name="default"),
    branch="treadle/shop",
)
QUESTION = Question(
    question_id="a/question-1-1",
    session_id="thread-x/a/session-1",
    turn_id="t1",
    kind=QuestionKind.PERMISSION,
    title="Run it?",
    options=(QuestionOption(option_id="y", label="Yes", kind="allow_once"),),
)


def request(name, subject, title="Shop"):
    return ApprovalRequest(request_id=name, subject=subject, title=title, content_hash="h")


def approved(asked, choice=Choice.APPROVE):
    return Outcome(request_id=asked.request_id, choice=choice, content_hash="h", by="ann")


def proposed(number, **fields):
    asked = request(f"plan-{number}", Subject.PLAN)
    return PlanProposed(
        revision=number, session_id=f"thread-x/session-{number}", plan=PLAN, request=asked, **fields
    )


def updated(task, new, notes=""):
    return TaskUpdated(
        plan_id="p",
        task_id=task,
        old_status=TaskStatus.PENDING,
        new_status=new,
        notes=notes,
        run=1,
    )


RUNNING = [
    ("", OPENED),
    ("", proposed(1)),
    ("", PlanDecided(revision=1, outcome=approved(request("plan-1", Subject.PLAN)))),
    ("", PlanStarted(plan_id="p", goal="Shop", tasks=("a", "b", "c"))),
    ("", DecisionAsked(plan_id="p", decision_id="look", question="Which look?", options=())),
    ("", updated("a", TaskStatus.RUNNING)),
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
]
SNAPSHOT = Snapshot(
    commit="c", tree="t", base="b", files=("x", "y"), file_count=2, insertions=9, deletions=1
)


def items(life, begin=lambda: ThreadFold(ThreadId("thread-x")), find=thread_items, top="thread-x"):
    fold = begin()
    for number, (below, body) in enumerate(life, 1):
        at = BEGAN + timedelta(minutes=number)
        event = Event(id=f"e{number}", stream=f"{top}{below}", at=at, body=body)
        fold.add(JournaledEvent(position=number, event=event))
    return find(fold.view(), fold.asked)


def kinds(found):
    return [item.kind for item in found]


def minute(item):
    return (item.since - BEGAN) // timedelta(minutes=1)


def test_plans_that_wait_are_one_thing_with_a_request_each():
    warned = proposed(2, warnings=(PlanWarning(kind=WarningKind.NO_GATE, text="mind"),))
    (alone,) = items([RUNNING[0], ("", warned.model_copy(update={"revision": 1}))])
    (both,) = items([RUNNING[0], ("", proposed(1)), ("", warned)])

    assert (alone.kind, alone.plans, alone.tasks, alone.unread) == ("plan", 1, 3, ("no_gate",))
    assert (alone.title, alone.project, minute(alone)) == ("Make a shop", "/code/shop", 2)
    assert alone.item_id == both.item_id
    assert (both.plans, [r.request_id for r in both.requests]) == (2, ["plan-1", "plan-2"])
    assert minute(both) == 2


def test_what_an_agent_a_plan_and_a_task_ask_at_the_same_time_are_things_of_their_own():
    found = items([*RUNNING, ("/a", QuestionAsked(question=QUESTION))])
    assert kinds(found) == ["question", "decision"]
    assert (found[0].workflow_id, found[0].task_id, minute(found[0])) == ("thread-x/a", "a", 9)
    assert (found[1].decision, minute(found[1])) == (ShownDecision.of(DECISION), 5)

    answer = QuestionAnswered(
        question_id=QUESTION.question_id, content_hash="h", chosen=(0,), labels=("Yes",)
    )
    rest = [("/a", QuestionAsked(question=QUESTION)), ("/a", answer)]
    assert kinds(items([*RUNNING, *rest])) == ["decision"]


def verified(gate):
    step = StepResult(step_id="s", label="tests", passed=True)
    lint = StepResult(step_id="l", label="lint", passed=False, is_required=False)
    ended = TurnEnded(
        session_id="thread-x/a/session-1", result=TurnResult(turn_id="t1", snapshot=SNAPSHOT)
    )
    bodies = (
        ended,
        VerificationStarted(attempt=1),
        VerificationStepEnded(attempt=1, result=step),
        VerificationStepEnded(attempt=1, result=lint),
        VerificationEnded(attempt=1, passed=True),
        GateOpened(request=gate, snapshot=SNAPSHOT),
    )
    return [*RUNNING, *(("/a", body) for body in bodies)]


def test_a_gate_shows_what_speaks_for_the_change_and_is_gone_with_its_decision():
    gate = request("a/gate-1-1", Subject.GATE, "First")
    found = next(i for i in items(verified(gate)) if i.kind == "gate")
    assert found.evidence.model_dump() == {
        "is_verified": True,
        "passed": 1,
        "failed": 0,
        "failed_optional": 1,
        "insertions": 9,
        "deletions": 1,
        "files": 2,
    }
    assert (found.subject, found.task_id, found.workflow_id) == ("First", "a", "thread-x/a")
    decided = [*verified(gate), ("/a", GateDecided(outcome=approved(gate)))]
    assert kinds(items(decided)) == ["decision"]


def test_a_review_that_could_not_be_made_waits_for_a_person():
    held = VerificationEnded(attempt=1, passed=False, held="no reviewer")
    life = [*RUNNING, ("/a", VerificationStarted(attempt=1)), ("/a", held)]
    found = next(i for i in items(life) if i.kind == "review_held")
    assert (found.reason, found.task_id, minute(found)) == ("no reviewer", "a", 10)


def test_a_failure_is_one_thing_with_all_that_it_holds_up():
    life = [
        *RUNNING,
        ("", TaskReported(task_id="a", run=1, end=TaskEnd.FAILED, reason="broke")),
        ("", updated("a", TaskStatus.FAILED, "it\nbroke")),
        ("", updated("b", TaskStatus.BLOCKED, "a failed")),
        ("", updated("c", TaskStatus.CANCELLED, "aborted by ann")),
    ]
    (failed,) = [i for i in items(life) if i.kind == "escalation"]  # one's own abort is none
    assert (failed.task_id, failed.subject, failed.reason) == ("a", "First failed", "it broke")
    assert (failed.tasks, minute(failed)) == (1, 10)


def test_a_turn_that_worries_is_told_until_it_ends_and_silence_only_until_it_speaks():
    session = "thread-x/session-1"
    opened = SessionOpened(session_id=session, role=SessionRole.PLANNER, agent="scripted")
    life = [RUNNING[0], ("", opened)]
    told = TurnConcern(turn_id="t", bound="calls", message="it made 300 tool calls")
    shown = TurnConcern(turn_id="t", bound="quiet", message="no output", is_asking=False)
    quiet = TurnConcern(turn_id="t", bound="quiet", message="no output for 300 s")
    below, ended = "/session-1", TurnEnded(session_id="s", result=TurnResult(turn_id="t"))

    def reasons(*bodies):
        found = items([*life, *((below, body) for body in bodies)])
        return [i.reason for i in found if i.kind == "concern"]

    assert reasons(shown) == []
    assert reasons(shown, quiet) == ["no output for 300 s"]
    assert reasons(quiet, quiet.model_copy(update={"message": ""})) == []
    assert reasons(told) == ["it made 300 tool calls"]
    assert reasons(told, quiet, ended) == []


def test_planning_that_ended_without_a_plan_waits_for_a_person():
    planner = SessionOpened(
        session_id="thread-x/session-1", role=SessionRole.PLANNER, agent="scripted"
    )
    failed = PlanningFailed(session_id="thread-x/session-1", reason="no plan in 3 turns")
    asked = PlanRequested(goal="Shop", session_id="thread-x/session-1")
    (found,) = items([RUNNING[0], ("", planner), ("", asked), ("", failed)])
    assert (found.kind, found.reason, minute(found)) == ("escalation", "no plan in 3 turns", 4)


def test_a_conflict_waits_with_its_files():
    conflict = Conflict(task_id="a", run=1, commit="c", files=("x", "y"))
    life = [
        *RUNNING,
        ("", TaskReported(task_id="a", run=1, end=TaskEnd.ACCEPTED, commit="c")),
        ("", ConflictFound(conflict=conflict)),
    ]
    found = next(i for i in items(life) if i.kind == "conflict")
    assert (found.subject, minute(found)) == ("First conflicts in 2 files", 10)
    assert found.conflict.conflict == conflict


def test_nothing_of_an_archived_thread_waits():
    assert items([*RUNNING, ("", ThreadArchived(by="ann"))]) == ()
