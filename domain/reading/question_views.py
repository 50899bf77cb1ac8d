"""The questions of a thread's agents, and what is remembered of their answers, as doors show them."""

from collections.abc import Mapping
from datetime import datetime

from domain.conversations.questions.events import QuestionAsked
from domain.conversations.questions.question import Rule
from domain.conversations.questions.views import OpenQuestion, open_in
from domain.conversations.sessions.state import SessionState
from domain.core.event import Event
from domain.core.ids import SessionId, task_workflow_id
from domain.tasks.state import TaskState
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState
from domain.threads.thread_sessions import ThreadSession


class AgentsQuestions:
    """The questions in the states of tasks and sessions, by their streams, and when each was asked."""

    def __init__(
        self, tasks: Mapping[str, TaskState], sessions: Mapping[str, SessionState]
    ) -> None:
        self._tasks = tasks
        self._sessions = sessions
        self._asked_at: dict[str, datetime] = {}

    def note(self, event: Event) -> None:
        """Keep when a question was asked."""
        if isinstance(event.body, QuestionAsked):
            self._asked_at[event.body.question.question_id] = event.at

    def of_session(self, session: ThreadSession) -> tuple[OpenQuestion, ...]:
        """Return those of a session of the thread."""
        name = session.session_id
        state = self._sessions.get(name)
        if state is None:
            return ()
        return open_in(state.questions, name, {name: state.conversation.agent}, self._asked_at)

    def of_task(self, thread: ThreadState, entry: ThreadTask) -> tuple[OpenQuestion, ...]:
        """Return those of a task's newest run."""
        workflow_id = task_workflow_id(thread.thread_id, entry.task.id)
        run = self._tasks.get(workflow_id)
        if run is None or run.run != entry.run:
            return ()
        agents = {str(name): each.agent for name, each in run.conversations.items()}
        return open_in(run.questions, workflow_id, agents, self._asked_at, entry.task.id)

    def of_thread(self, thread: ThreadState) -> tuple[OpenQuestion, ...]:
        """Return every one."""
        found: list[OpenQuestion] = []
        for session in thread.sessions.values():
            found += self.of_session(session)
        for entry in thread.tasks.everything.values():
            found += self.of_task(thread, entry)
        return tuple(found)

    def has_reached_limit(self, thread: ThreadState) -> bool:
        """Tell whether one of its turns waits at a spending limit, of which a person is asked."""
        if any(self._sessions[name].over_limit for name in self._open_sessions(thread)):
            return True
        for task_id, entry in thread.tasks.everything.items():
            run = self._tasks.get(task_workflow_id(thread.thread_id, task_id))
            if run is not None and run.run == entry.run and run.end is None and run.over_limit:
                return True
        return False

    def _open_sessions(self, thread: ThreadState) -> list[SessionId]:
        known = ((name, self._sessions.get(name)) for name in thread.sessions)
        return [name for name, state in known if state is not None and not state.is_closed]

    def rules(self, thread: ThreadState) -> tuple[Rule, ...]:
        """Return the answers that are remembered: in the thread, and in what still goes on."""
        live = [s.questions for s in self._sessions.values() if not s.is_closed]
        live += [run.questions for run in self._tasks.values() if run.end is None]
        kept = (thread.remembered.rules, *(questions.rules for questions in live))
        return tuple(rule for rules in kept for rule in rules.values())
