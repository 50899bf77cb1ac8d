"""Streams of events for tests of the report: each event a second after the one before, or when told."""

from datetime import UTC, datetime, timedelta
from typing import Any

from domain.agents.agents import TurnResult, Usage
from domain.conversations.events import ConversationOpened, TurnEnded, TurnStarted
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.event import EventBody
from domain.plans.plan import Plan, PlannedTask
from domain.reading.report.making import Scope, report_of
from domain.reading.report.projection import StreamFold
from domain.reading.report.report import Report
from domain.reading.report.tally import Tally
from domain.tasks.events import TaskOpened, VerificationStepEnded
from domain.threads.events import PlanProposed, PlanStarted, TaskUpdated
from domain.verification.steps import StepResult

T0 = datetime(2026, 3, 2, 12, tzinfo=UTC)
NOW = T0 + timedelta(days=3)
Told = tuple[float, EventBody]
"""Seconds after T0, and what happened."""


def counted(*told: Told, since: datetime | None = None) -> Tally:
    fold = StreamFold(since)
    for seconds, body in told:
        fold.add(body, T0 + timedelta(seconds=seconds))
    return fold.end()


def reported(*streams: list[Told], since: datetime | None = None) -> Report:
    total = Tally()
    for stream in streams:
        total.include(counted(*stream, since=since))
    return report_of(total, Scope(until=NOW, since=since))


def request(name: str, subject: Subject = Subject.PLAN) -> ApprovalRequest:
    return ApprovalRequest(request_id=name, subject=subject, title=name, content_hash="h")


def outcome(name: str, choice: Choice = Choice.APPROVE, **more: Any) -> Outcome:
    return Outcome(request_id=name, choice=choice, content_hash="h", by="p", **more)


def proposed(**after: tuple[str, ...]) -> PlanProposed:
    tasks = tuple(PlannedTask(id=name, title=name, depends_on=on) for name, on in after.items())
    plan = Plan(goal="g", tasks=tasks)
    return PlanProposed(revision=1, session_id="s", plan=plan, request=request("plan-1"))


def started(*tasks: str, plan: str = "p") -> PlanStarted:
    return PlanStarted(plan_id=plan, goal="g", tasks=tasks)


def updated(task: str, status: str, run: int = 1, notes: str = "") -> TaskUpdated:
    return TaskUpdated(
        plan_id="p", task_id=task, old_status="pending", new_status=status, run=run, notes=notes
    )


def opened(mode: str = "code", agent: str = "claude", model: str | None = None) -> TaskOpened:
    task = PlannedTask(id="t", title="t", mode=mode)
    return TaskOpened(
        task=task, run=1, session_id="s1", agent=agent, model=model, branch="b", max_retries=3
    )


def turn_began(session: str = "s1") -> TurnStarted:
    return TurnStarted(turn_id="turn", number=1, attempt=1, prompt_name="task", session_id=session)


def turn_over(
    failure: str | None = None, usage: Usage | None = None, ms: int = 0, session: str = "s1"
) -> TurnEnded:
    result = TurnResult(turn_id="turn", failure=failure, usage=usage, duration_ms=ms)
    return TurnEnded(session_id=session, result=result)


def conversation(role: str, agent: str) -> ConversationOpened:
    return ConversationOpened(session_id="s", role=role, agent=agent)


def answered(usage: Usage | None = None) -> TurnEnded:
    return TurnEnded(session_id="s", result=TurnResult(turn_id="turn", usage=usage))


def step(label: str, *, passed: bool, **more: Any) -> VerificationStepEnded:
    result = StepResult(step_id="step-1", label=label, passed=passed, **more)
    return VerificationStepEnded(attempt=1, result=result)
