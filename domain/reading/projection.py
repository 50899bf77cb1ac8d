"""A thread rebuilt from the journal, by the same `evolve` that its workflows use."""

from datetime import datetime
from typing import Any

from domain.agents.agents import SessionRole
from domain.conversations.sessions import rules as sessions
from domain.conversations.sessions.facts import SessionFacts
from domain.conversations.sessions.state import SessionState
from domain.core.damage_events import EventDamaged
from domain.core.event import Event, JournaledEvent
from domain.core.ids import (
    WORK,
    SessionId,
    ThreadId,
    is_publication,
    is_terminal,
    task_workflow_id,
    thread_of,
)
from domain.core.status_words import asking_status, shown_status
from domain.plans.modes import specialist_of
from domain.reading.contests import works_of
from domain.reading.event_text import text_of
from domain.reading.forks.recall import Recall
from domain.reading.inbox.times import AskingTimes
from domain.reading.pull_requests import PullRequests
from domain.reading.question_views import AgentsQuestions
from domain.reading.spent import money_of
from domain.reading.task_activity import shown_activity
from domain.reading.task_views import of_run, sessions_of, status_of
from domain.reading.thread_warnings import refused_merges, warnings_of
from domain.reading.views import OpenRequest, SessionView, TaskView, ThreadView
from domain.tasks import state as tasks
from domain.tasks.events import GateOpened, TaskOpened
from domain.tasks.learnings import Learning
from domain.tasks.rules import evolve as evolve_task
from domain.tasks.rules import needed_for_gate
from domain.threads import rules as threads
from domain.threads.amending.history import AmendmentHistory
from domain.threads.contests.standing import asked_of, taken_of
from domain.threads.events import PlanCompleted
from domain.threads.lifecycle.state import ChatMerge, Document
from domain.threads.merging.overlaps import overlaps
from domain.threads.origin import origin_of
from domain.threads.planning.replacing import answered_requests
from domain.threads.progress import progress_of
from domain.threads.requests import needed_for
from domain.threads.running.health import current
from domain.threads.running.state import ThreadTask
from domain.threads.running.view import running_view
from domain.threads.shown import ShownConflict, ShownDecision
from domain.threads.state import ThreadState
from domain.threads.thread_sessions import ThreadSession
from domain.threads.working.rules import takes_turns_of
from domain.verification.judges.names import with_judges

_CHANGING = frozenset({SessionRole.CHAT, SessionRole.TASK})
"""The roles in which sessions of a thread change files; as `task` one carries out a plan without tasks."""

_SAME = {"session_id", "agent", "model", "is_archived", "replaced_by"}
_NO_RUN, _NEW_SESSION, _NO_FACTS = tasks.TaskState(), SessionState(), SessionFacts()
"""What is known of what has no event yet; made once, for every event of a long thread asks for it."""


class ThreadFold:
    """One thread, rebuilt from the events of its streams in journal order."""

    def __init__(self, thread_id: ThreadId) -> None:
        self.thread = ThreadState(thread_id=thread_id)
        self.tasks: dict[str, tasks.TaskState] = {}
        self.sessions: dict[str, SessionState] = {}
        self.position = 0
        self._times: dict[str, tuple[datetime, datetime]] = {}
        self.facts: dict[str, SessionFacts] = {}
        self._warnings: list[str] = []
        self.damaged: list[EventDamaged] = []
        self._learnings: dict[str, tuple[Learning, ...]] = {}
        self._earlier: dict[str, list[SessionView]] = {}
        self.history = AmendmentHistory()
        self.recall = Recall()
        self._summary = ""
        self._asked = AgentsQuestions(self.tasks, self.sessions)
        self.asked = AskingTimes()
        self._pull_requests = PullRequests()

    def add(self, journaled: JournaledEvent) -> None:
        """Fold the next event; one that was folded before is passed over."""
        event, stream = journaled.event, journaled.event.stream
        if journaled.position <= self.position or thread_of(stream) != self.thread.thread_id:
            return
        self.position = journaled.position
        if isinstance(event.body, EventDamaged):
            self.damaged.append(event.body)
        if is_terminal(stream):
            return  # what a task knows of its terminals is in its own stream
        first = self._times.get(stream, (event.at, event.at))[0]
        self._times[stream] = (first, event.at)
        self._asked.note(event)
        self.asked.note(event)
        self.recall.note(journaled)
        if stream == self.thread.thread_id:
            self._add_to_thread(event)
        elif is_publication(stream):
            self._pull_requests.add(event)
        elif "/session-" in stream:
            self._add_to_session(event)
        else:
            before = self.tasks.get(stream, _NO_RUN)
            if isinstance(event.body, TaskOpened):
                self._learnings[stream] = event.body.learnings
                self._earlier.setdefault(stream, []).extend(sessions_of(before, is_earlier=True))
            self.tasks[stream] = self._with_what_is_shown(evolve_task(before, event.body), event)

    def _with_what_is_shown(self, task: tasks.TaskState, event: Event) -> tasks.TaskState:
        """Take what a gate shows from its own event where that of the turn before may be damaged."""
        body = event.body
        if not (self.damaged and isinstance(body, GateOpened) and body.snapshot):
            return task
        return task.model_copy(update={"snapshot": body.snapshot})

    def _add_to_thread(self, event: Event) -> None:
        self.thread = threads.evolve(self.thread, event.body)
        self.history.add(event)
        self._warnings.extend(warnings_of(event.body))
        if isinstance(event.body, PlanCompleted):
            self._summary = event.body.summary

    def _add_to_session(self, event: Event) -> None:
        stream = event.stream
        self.facts[stream] = self.facts.get(stream, _NO_FACTS).after(event.body)
        self.sessions[stream] = sessions.evolve(self.sessions.get(stream, _NEW_SESSION), event.body)

    # --- views

    def view(self) -> ThreadView | None:
        """Return the thread, None before it is opened."""
        state = self.thread
        if state.opened is None:
            return None
        return ThreadView(
            **self._status(),
            **origin_of(state, state.opened),
            plan_status=state.plan_status,
            planning_failure=state.planning_failure,
            progress=progress_of(state),
            waiting_for=state.asks,
            requests=self.requests(),
            answered=answered_requests(state),
            questions=self._asked.of_thread(state),
            rules=self._asked.rules(state),
            decisions=tuple(map(ShownDecision.of, state.open_decisions)),
            conflicts=tuple(map(ShownConflict.of, state.merges.open.values())),
            base=state.base,
            **self._pull_requests.with_branch(state),
            plans=state.plans,
            approved=state.approved,
            **works_of(state, self.task),
            sessions=tuple(self.session(s) for s in state.sessions.values()),
            warnings=self._warnings_now(),
            notices=current(state),
            running=running_view(state),
            version=state.amending.version,
            versions=state.amending.versions,
            amendments=self.history.open,
            children=tuple(state.family.children.values()),
            learnings=state.learnings,
            overlaps=overlaps(self._changed()),
            plan_file=self._document.path,
            summary=self._summary,
            opened_at=self._times[state.thread_id][0],
            changed_at=max(t[1] for t in self._times.values()),
            position=self.position,
        )

    def _warnings_now(self) -> tuple[str, ...]:
        """Return what a person should know now; what they read at an approval is history."""
        waiting = [plan for plan in self.thread.plans if plan.is_among(self.thread.requests)]
        latest = (warning.text for warning in waiting[-1].warnings) if waiting else ()
        damaged = (text.summary for event in self.damaged if (text := text_of(event)))
        refused = refused_merges(self.thread)
        problem = filter(None, (self._document.problem,))
        return (*latest, *self._warnings, *refused, *damaged, *problem)

    @property
    def _document(self) -> Document:
        return self.thread.lifecycle.documents.get(self.thread.plan_id, Document())

    def _files_of(self, stream: str) -> tuple[str, ...]:
        session = self.sessions.get(stream)
        return session.files if session else ()

    def _changed(self) -> dict[str, tuple[str, ...]]:
        """Return the files that each chat and each task's newest run changed."""
        chats = {
            session_id.rpartition("/")[2]: self._files_of(session_id)
            for session_id, session in self.thread.sessions.items()
            if session.role in _CHANGING
        }
        runs = {
            task_id: self.tasks.get(task_workflow_id(self.thread.thread_id, task_id))
            for task_id in self.thread.tasks
            if task_id != WORK
        }
        files = {name: run.snapshot.files for name, run in runs.items() if run and run.snapshot}
        return {**chats, **files}

    def _status(self) -> dict[str, Any]:
        state = self.thread
        asks = bool(state.asks or self._asked.of_thread(state) or self.requests())
        status = asking_status(state.status, asks=asks or self._asked.has_reached_limit(state))
        shown = shown_status(status, state.asks)
        money = money_of(self.facts, "")
        return {"status": status, "shown_status": shown, "set_up": state.set_up, "money": money}

    def requests(self) -> tuple[OpenRequest, ...]:
        """Return every question that waits for a person, the plan's first."""
        state = self.thread
        found: list[OpenRequest] = []
        for request in state.requests.values():
            asked = OpenRequest(
                request=request, workflow_id=state.thread_id, task_id=asked_of(request, state)
            )
            found.append(asked.counting(needed_for(request, state), state.given))
        for task_id, entry in state.tasks.everything.items():
            workflow_id = task_workflow_id(state.thread_id, task_id)
            task = self.tasks.get(workflow_id)
            if task is None or task.run != entry.run or (open_one := task.asked_alone) is None:
                continue
            asked = OpenRequest(request=open_one, workflow_id=workflow_id, task_id=task_id)
            found.append(asked.counting(needed_for_gate(task), task.given))
        return tuple(found)

    def task(self, entry: ThreadTask) -> TaskView:
        """Return one task."""
        planned = entry.task
        stream, run = self._run_of(entry)
        child = self.thread.family.child_of(planned.id, entry.run)
        times = self._times.get(stream)
        return TaskView(
            task_id=planned.id,
            title=planned.title,
            description=planned.description,
            mode=planned.mode,
            owner=specialist_of(planned),
            depends_on=planned.depends_on,
            status=status_of(entry.status, run),
            notes=entry.notes,
            run=entry.run,
            begins_with=entry.beginning_of(entry.run),
            turns=run.turns,
            attempts=run.attempts,
            total_attempts=entry.attempts or len(run.attempts),
            snapshot=with_judges(run.snapshot, run.steps),
            report=run.report.summary if run.report else "",
            request=run.request,
            questions=self._asked.of_task(self.thread, entry),
            branch=run.branch,
            merge_commit=entry.merge_commit,
            work_ms=entry.duration_ms or run.work_ms,
            started_at=times[0] if times else None,
            ended_at=times[1] if times and entry.is_over else None,
            ports=run.ports,
            context=tuple(given.text for given in entry.context),
            learnings=self._learnings.get(stream, ()),
            learned=run.learned,
            child=child.thread_id if child else None,
            earlier_sessions=tuple(self._earlier.get(stream, ())),
            **shown_activity(entry, run, self.thread),
            **of_run(run, self.facts, stream),
        )

    def _run_of(self, entry: ThreadTask) -> tuple[str, tasks.TaskState]:
        """Return the newest run of a task and its stream: of one that several do, of the one that was taken."""
        taken = taken_of(entry.task.id, self.thread)
        does = self.thread.tasks[taken] if taken else entry
        stream = task_workflow_id(self.thread.thread_id, does.task.id)
        state = self.tasks.get(stream)
        return stream, state if state is not None and state.run == does.run else _NO_RUN

    def session(self, session: ThreadSession) -> SessionView:
        """Return one session of the thread."""
        facts = self.facts.get(stream := session.session_id, _NO_FACTS)
        shown: dict[str, Any] = {**facts.shown, **self._turns(stream, facts)}
        shown["files"] = self._files_of(stream)
        return SessionView(
            **session.model_dump(include=_SAME),
            role="work" if session.role is SessionRole.TASK else session.role,
            tool_calls=facts.tool_calls,
            **shown,
            questions=self._asked.of_session(session),
            merge=self.thread.lifecycle.merged.get(stream, ChatMerge()),
        )

    def _turns(self, session_id: SessionId, facts: SessionFacts) -> dict[str, Any]:
        """Return the turns of a session, and whether one runs: while the work takes them, its own."""
        run = self.tasks.get(task_workflow_id(self.thread.thread_id, WORK), _NO_RUN)
        if not takes_turns_of(session_id, self.thread) or run.session_id != session_id:
            return {"turns": facts.turns, "is_working": facts.is_working}
        return {"turns": run.session_turns, "is_working": run.running_session == session_id}
