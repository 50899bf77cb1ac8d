"""A published thread, as events, for tests of receipts."""

from datetime import UTC, datetime, timedelta
from typing import Any

from domain.agents.agents import TurnResult, Usage
from domain.conversations.events import TurnEnded
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.event import Event, EventBody
from domain.core.ids import EventId, StreamId, TaskId, ThreadId
from domain.evidence.gathering import ReceiptGathering
from domain.evidence.keys import SigningKey
from domain.evidence.receipt import Statement
from domain.forges.projects import ForgeProject
from domain.plans.plan import Plan, PlannedTask
from domain.tasks.events import GateDecided, GateOpened, TaskOpened, VerificationStepEnded
from domain.threads.events import MergeStepEnded, PlanDecided, PlanProposed
from domain.threads.publishing.events import BranchPublished
from domain.threads.publishing.publication import PushedBranch
from domain.verification.steps import StepResult, StepType, VerificationStep

THREAD = ThreadId("thread-add-a-flag-1a2b3c")
TASK = StreamId(f"{THREAD}/flag")
TREE, COMMIT, OTHER_TREE = "a" * 40, "c" * 40, "b" * 40
KEY = SigningKey(b"of a test")
BEGAN = datetime(2026, 3, 2, 12, tzinfo=UTC)
_TESTS = VerificationStep(id="tests", type=StepType.COMMAND, command="make test", label="Tests")


def request(name: str, subject: Subject) -> ApprovalRequest:
    return ApprovalRequest(request_id=name, subject=subject, title=name, content_hash="d" * 64)


def outcome(name: str, by: str, **more: Any) -> Outcome:
    return Outcome(request_id=name, choice=Choice.APPROVE, content_hash="d" * 64, by=by, **more)


def result(tree: str = TREE, **more: Any) -> StepResult:
    facts = {"step_id": "tests", "label": "Tests", "passed": True, "exit_code": 0, "tree": tree}
    return StepResult(**{**facts, "output": "3 passed", "duration_ms": 1200, **more})


def proposed() -> PlanProposed:
    plan = Plan(goal="g", tasks=(PlannedTask(id="flag", title="t"),))
    asked = request("plan-1", Subject.PLAN)
    return PlanProposed(revision=1, session_id="s", plan=plan, request=asked)


def opened(run: int = 1) -> TaskOpened:
    task = PlannedTask(id="flag", title="t", verification=(_TESTS,))
    return TaskOpened(task=task, run=run, session_id="s1", agent="codex", branch="b", max_retries=3)


def stepped(attempt: int = 1, **more: Any) -> VerificationStepEnded:
    return VerificationStepEnded(attempt=attempt, result=result(**more))


def merge_stepped(tree: str = TREE, **more: Any) -> MergeStepEnded:
    return MergeStepEnded(task_id=TaskId("flag"), run=1, tree=tree, result=result(tree="", **more))


def turned(turn: str = "turn-1", **usage: Any) -> TurnEnded:
    told = Usage(input_tokens=10, output_tokens=5, cost=0.25, currency="USD", **usage)
    ended = TurnResult(turn_id=turn, agent="codex", model="m", usage=told, duration_ms=900)
    return TurnEnded(session_id="s1", result=ended)


def published(tree: str = TREE) -> BranchPublished:
    pushed = PushedBranch(
        remote="origin",
        address="https://github.com/o/r.git",
        branch="treadle/add-a-flag",
        commit=COMMIT,
        tree=tree,
        project=ForgeProject(host="github.com", owner="o", name="r"),
    )
    return BranchPublished(pushed=pushed)


def whole() -> list[tuple[str, EventBody]]:
    return [
        (THREAD, proposed()),
        (THREAD, PlanDecided(revision=1, outcome=outcome("plan-1", "ada"))),
        (TASK, opened()),
        (TASK, turned()),
        (TASK, stepped()),
        (TASK, GateOpened(request=request("gate-1", Subject.GATE))),
        (TASK, GateDecided(outcome=outcome("gate-1", "grace", others=("ada",)))),
        (THREAD, merge_stepped()),
        (THREAD, published()),
    ]


def stated(told: list[tuple[str, EventBody]] | None = None) -> Statement:
    gathering = ReceiptGathering(THREAD)
    for number, (stream, body) in enumerate(told if told is not None else whole()):
        at = BEGAN + timedelta(seconds=number)
        gathering.add(Event(id=EventId(f"e{number}"), stream=StreamId(stream), at=at, body=body))
    return gathering.statement()
