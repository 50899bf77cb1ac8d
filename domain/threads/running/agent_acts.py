"""What the thread's agent does by itself beside giving context: it records learnings and aborts tasks."""

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.ids import SessionId
from domain.tasks.agent_commands import AbortByAgent, RecordLearning
from domain.tasks.learnings import (
    THREADS_AGENT,
    Learning,
    LearningKind,
    LearningRecorded,
    used_in,
)
from domain.tasks.running_commands import Abort
from domain.threads.events import TaskAbortRequested
from domain.threads.registry import THREAD_RULES
from domain.threads.running.coordination import check_chat
from domain.threads.running.execution import abort_task
from domain.threads.running.learnings import with_learnings
from domain.threads.state import ThreadState

MAX_OF_AGENT = 50
"""Learnings that the thread's agent records; more would push those of tasks out of their prompts."""

MAX_NOTE = 300


@THREAD_RULES.handles
def record_learning(command: RecordLearning, state: ThreadState) -> Decided:
    used = used_in(command)
    if used and command.session_id in _planning(state) and not command.text.strip():
        return Decided(used, Answer(message="Noted."))
    check_chat(command, state)
    if not command.text.strip():
        return Decided(used, Answer(message="Noted."))
    learning = Learning(learning=LearningKind(command.learning), text=command.text.strip())
    own = [known for known in state.learnings if not known.task_id]
    if learning in own:
        return Decided(used, Answer(message="Already recorded."))
    if len(own) >= MAX_OF_AGENT:
        raise WrongStateError(f"a thread's agent records at most {MAX_OF_AGENT} learnings")
    return Decided(
        (*used, LearningRecorded(learning=learning)),
        Answer(message="Recorded. Tasks that start from now on read it."),
    )


def _planning(state: ThreadState) -> set[SessionId]:
    """Return the sessions that plan, or plan an amendment: they say what helped, and record nothing."""
    return {*state.planning.planners, *state.amending.planners}


@THREAD_RULES.evolves
def apply_learning_recorded(event: LearningRecorded, state: ThreadState) -> ThreadState:
    return with_learnings(state, (event.learning,))


@THREAD_RULES.handles
def abort_by_agent(command: AbortByAgent, state: ThreadState) -> Decided:
    """Abort a task as a person does, where the thread allows its agent to."""
    check_chat(command, state)
    if not state.planner_settings.agent_aborts:
        raise WrongStateError(
            "this thread does not let its agent abort tasks (setting agent_aborts): use the tool "
            "`recommend`, and the person decides"
        )
    decided = abort_task(Abort(task_id=command.task_id, by=THREADS_AGENT), state)
    if not decided.events:
        return decided
    reason = " ".join(command.reason.split())[:MAX_NOTE]
    requested = TaskAbortRequested(task_id=command.task_id, by=THREADS_AGENT, reason=reason)
    others = tuple(event for event in decided.events if not isinstance(event, TaskAbortRequested))
    return decided._replace(events=(requested, *others))
