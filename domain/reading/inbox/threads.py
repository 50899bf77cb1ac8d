"""What of a thread waits for a person."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from domain.agents.agents import SessionRole
from domain.core import graphs
from domain.core.approvals import Subject
from domain.core.ids import SessionId, TaskId, task_workflow_id
from domain.core.text import counted
from domain.reading.inbox import times
from domain.reading.inbox.item import Evidence, InboxItem, InboxKind, line
from domain.reading.inbox.pull_requests import pull_request_items
from domain.reading.inbox.times import AskingTimes
from domain.reading.inbox.warnings import turn_warning
from domain.reading.views import OpenRequest, TaskView, ThreadView
from domain.tasks.status import TaskStatus
from domain.threads.running.failures import Standing, failures
from domain.threads.setting_up.state import SetUpStage
from domain.threads.state import ProposedPlan

_OF_TASK = {Subject.GATE: InboxKind.GATE, Subject.TASK_PLAN: InboxKind.TASK_PLAN}


def thread_items(view: ThreadView, asked: AskingTimes) -> tuple[InboxItem, ...]:
    """Return what waits in a thread; nothing of one that was put away."""
    if view.is_archived:
        return ()
    return tuple(_Asking(view, asked).items())


class _Asking:
    """One thread, looked through for what waits."""

    def __init__(self, view: ThreadView, asked: AskingTimes) -> None:
        self._view = view
        self._asked = asked
        self._tasks = {task.task_id: task for task in view.runs}

    def items(self) -> Iterator[InboxItem]:
        """Yield everything."""
        view = self._view
        plans = [r for r in view.requests if r.request.subject is Subject.PLAN]
        if plans:
            yield self._plans(plans)
        for asked in view.requests:
            if asked.request.subject is not Subject.PLAN:
                yield self._request(asked)
        yield from self._set_up()
        yield from self._questions()
        yield from self._decisions()
        yield from self._conflicts()
        yield from (self._item(**fields) for fields in pull_request_items(view, self._asked))
        for task in view.runs:
            yield from self._waiting(task)
        yield from self._failures()
        yield from self._concerns()

    def _item(self, kind: InboxKind, name: str, since: datetime | None, **more: Any) -> InboxItem:
        view = self._view
        workflow_id = more.pop("workflow_id", view.thread_id)
        return InboxItem(
            item_id=f"{workflow_id}#{kind}" + (f":{name}" if name else ""),
            kind=kind,
            thread_id=view.thread_id,
            workflow_id=workflow_id,
            project=view.repository,
            title=line(view.topic or view.goal),
            opened_by=view.opened_by,
            assignee=view.assignee,
            since=times.first(since, view.changed_at, view.opened_at),
            **more,
        )

    def _plans(self, requests: list[OpenRequest]) -> InboxItem:
        view = self._view
        wanted = {r.request.request_id for r in requests}
        plans = [plan for plan in view.plans if plan.request.request_id in wanted]
        since = [self._asked.of(view.thread_id, name) for name in wanted]
        first = plans[0] if plans else None
        return self._item(
            InboxKind.PLAN,
            "",
            min((at for at in since if at), default=None),
            session_id=first.session_id if first and len(requests) == 1 else None,
            subject=line(_plans_words(plans) or requests[0].request.title),
            missing=requests[0].missing,
            request=requests[0].request,
            requests=tuple(r.request for r in requests),
            not_by=tuple(r.not_by for r in requests),
            unread=_unread(plans) if len(plans) == 1 else (),
            plans=len(requests),
            tasks=max((len(plan.plan.tasks) for plan in plans), default=0),
        )

    def _request(self, asked: OpenRequest) -> InboxItem:
        request, task = asked.request, self._tasks.get(asked.task_id) if asked.task_id else None
        name = request.request_id
        found = (a for a in self._view.amendments if a.amendment_id == name)
        amendment = next(found, None) if request.subject is Subject.AMENDMENT else None
        return self._item(
            _OF_TASK.get(request.subject, InboxKind(request.subject)),
            name,
            self._asked.of(asked.workflow_id, name),
            workflow_id=asked.workflow_id,
            task_id=asked.task_id,
            session_id=amendment.session_id if amendment else None,
            subject=line(amendment.lines[0] if amendment else request.title),
            missing=asked.missing,
            request=request,
            requests=(request,),
            not_by=(asked.not_by,),
            amendment=amendment,
            evidence=evidence(task) if task and request.subject is Subject.GATE else None,
            tasks=len(amendment.tasks) if amendment else 0,
        )

    def _set_up(self) -> Iterator[InboxItem]:
        """Yield a set-up of workspaces that failed."""
        set_up = self._view.set_up
        if set_up.stage is SetUpStage.FAILED:
            yield self._item(
                InboxKind.SET_UP,
                "",
                self._asked.of(self._view.thread_id, times.SET_UP),
                subject="Setting up workspaces failed",
                reason=line(set_up.result.failure),
            )

    def _questions(self) -> Iterator[InboxItem]:
        for asked in self._view.questions:
            question = asked.question
            yield self._item(
                InboxKind.QUESTION,
                question.question_id,
                asked.asked_at,
                workflow_id=asked.workflow_id,
                task_id=asked.task_id,
                session_id=question.session_id,
                subject=line(question.phrase),
                question=asked,
            )

    def _decisions(self) -> Iterator[InboxItem]:
        for decision in self._view.decisions:
            held = [t for t in self._view.works if t.status is TaskStatus.NEEDS_DECISION]
            yield self._item(
                InboxKind.DECISION,
                decision.id,
                self._asked.of(self._view.thread_id, times.decision(decision.id)),
                subject=line(decision.question),
                decision=decision,
                tasks=len(held),
            )

    def _conflicts(self) -> Iterator[InboxItem]:
        for found in self._view.conflicts:
            asked, files = found.conflict, counted(len(found.conflict.files), "file")
            subject = f"{self._title(asked.task_id)} conflicts in {files}"
            if asked.session_id:
                subject = f"The changes of {asked.called} conflict in {files}"
                if asked.resolution is not None:
                    subject = f"The agent of {asked.called} resolved its conflict in {files}"
            yield self._item(
                InboxKind.CONFLICT,
                asked.called,
                self._asked.of(self._view.thread_id, times.conflict(asked.subject)),
                task_id=asked.task_id or None,
                session_id=asked.session_id,
                subject=line(subject),
                conflict=found,
                reason=line(found.failure),
            )

    def _waiting(self, task: TaskView) -> Iterator[InboxItem]:
        """Yield what a task waits for that no request and no question tells of."""
        if not task.waiting_for or task.request or task.questions:
            return
        workflow_id = task_workflow_id(self._view.thread_id, task.task_id)
        kind = InboxKind.REVIEW_HELD if task.is_review_held else InboxKind.ESCALATION
        yield self._item(
            kind,
            task.task_id,
            self._asked.of(workflow_id, times.TURN),
            workflow_id=workflow_id,
            task_id=task.task_id,
            session_id=_worker_of(task) or SessionId(f"{workflow_id}/session-{task.run}"),
            subject=line(f"{task.title} asks you"),
            evidence=evidence(task),
            reason=line(task.waiting_for.partition(": ")[2] or task.waiting_for),
        )

    def _failures(self) -> Iterator[InboxItem]:
        view = self._view
        if view.planning_failure:
            since = self._asked.of(view.thread_id, times.PLANNING)
            subject = "Planning ended without a plan"
            reason = line(view.planning_failure)
            yield self._item(InboxKind.ESCALATION, "", since, subject=subject, reason=reason)
        stands = [Standing(t.task_id, t.status, t.depends_on, t.abort_reason) for t in view.works]
        failed = failures(stands) if view.plan_status.is_live else frozenset[TaskId]()
        for task in (task for task in view.works if task.task_id in failed):
            yield self._item(
                InboxKind.ESCALATION,
                task.task_id,
                self._asked.of(view.thread_id, times.status(task.task_id)),
                task_id=task.task_id,
                subject=line(_stop_words(task)),
                evidence=evidence(task),
                tasks=self._held_up_by(task),
                reason=line(task.abort_reason or task.notes),
            )

    def _concerns(self) -> Iterator[InboxItem]:
        """Yield what worries about the turns that run."""
        view = self._view
        own = {s.session_id for s in view.work.sessions} if view.work else set[SessionId]()
        others = (s for s in view.sessions if s.session_id not in own)
        found = [(None, session, session.session_id) for session in others]
        for task in view.works:
            stream = task_workflow_id(view.thread_id, task.task_id)
            found += [(task, session, stream) for session in task.sessions]
        for task, session, stream in found:
            worry = turn_warning(session, self._asked, stream)
            if worry is None or session.is_archived:
                continue
            yield self._item(
                InboxKind.CONCERN,
                session.session_id,
                worry.since,
                task_id=task.task_id if task else None,
                session_id=session.session_id,
                subject=line(f"{task.title if task else session.role}: a concern about its turn"),
                reason=line(worry.text),
            )

    def _held_up_by(self, task: TaskView) -> int:
        graph: dict[str, tuple[TaskId, ...]] = {t.task_id: t.depends_on for t in self._view.works}
        after = graphs.dependants(graph, task.task_id)
        return sum(self._tasks[TaskId(name)].status is TaskStatus.BLOCKED for name in after)

    def _title(self, task_id: str) -> str:
        task = next((t for name, t in self._tasks.items() if name == task_id), None)
        return task.title if task else task_id


def _worker_of(task: TaskView) -> SessionId | None:
    own = (s.session_id for s in task.sessions if s.role == SessionRole.TASK)
    return next(own, None)


def evidence(task: TaskView) -> Evidence | None:
    """Return what speaks for a task's change, None where it has neither files nor steps."""
    attempt, snapshot = task.attempts[-1] if task.attempts else None, task.snapshot
    if attempt is None and (snapshot is None or not snapshot.files):
        return None
    steps = attempt.steps if attempt else ()
    return Evidence(
        is_verified=attempt is not None and attempt.is_finished,
        passed=sum(step.passed for step in steps),
        failed=sum(not step.passed and step.is_required for step in steps),
        failed_optional=sum(not step.passed and not step.is_required for step in steps),
        insertions=snapshot.insertions if snapshot else 0,
        deletions=snapshot.deletions if snapshot else 0,
        files=(snapshot.file_count or len(snapshot.files)) if snapshot else 0,
    )


def _stop_words(task: TaskView) -> str:
    how = "aborted by the thread's agent" if task.abort_reason else task.status
    return f"{task.title} {how}"


def _plans_words(plans: list[ProposedPlan]) -> str:
    if len(plans) > 1:
        sizes = " or ".join(str(len(plan.plan.tasks)) for plan in plans)
        return f"{len(plans)} plans to choose from: {sizes} tasks"
    return _plan_words(plans[0]) if plans else ""


def _plan_words(plan: ProposedPlan) -> str:
    tasks = counted(len(plan.plan.tasks), "task") if plan.plan.tasks else "one unit of work"
    return f"{plan.plan.goal or plan.request.title} ({tasks})"


def _unread(plans: list[ProposedPlan]) -> tuple[Any, ...]:
    kinds = (w.kind for plan in plans for w in plan.warnings if w.needs_acknowledgement)
    return tuple(dict.fromkeys(kinds))
