"""Which candidates are tried again, and whose work alone is merged."""

from domain.core.errors import InvalidError, WrongStateError
from domain.core.ids import TaskId
from domain.core.task_names import quoted_task
from domain.plans.best_of import letter_of
from domain.tasks.running_commands import Retry
from domain.tasks.status import TaskStatus
from domain.threads.commands import EndTask
from domain.threads.contests.standing import contest_of
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState

_RETRYABLE = frozenset({TaskStatus.FAILED, TaskStatus.CANCELLED, TaskStatus.BLOCKED})


def retried_with(command: Retry, state: ThreadState) -> list[TaskId]:
    """Return what is retried together with a task: its candidates, or the task of a candidate.

    Raises:
        InvalidError: A checkpoint is named for several candidates.
        WrongStateError: Another candidate was taken.
    """
    entry = state.tasks[command.task_id]
    if entry.task.is_contest:
        if command.commit:
            raise InvalidError("a checkpoint is that of one candidate: retry this one")
        candidates = state.tasks.candidates_of(command.task_id)
        return [name for name, each in candidates if each.status in _RETRYABLE]
    above = entry.task.candidate_of
    if not above:
        return []
    contest = contest_of(above, state)
    if contest.taken not in {None, command.task_id} or contest.is_over:
        taken = letter_of(contest.taken or "")
        raise WrongStateError(f"candidate {taken} of {quoted_task(above)} was taken")
    return [above] if state.tasks[above].status in _RETRYABLE else []


def refusal_to_merge(entry: ThreadTask, command: EndTask, state: ThreadState) -> str:
    """Say why an accepted candidate is not merged: only the work that was taken is; empty of any other."""
    above = entry.task.candidate_of
    if not above:
        return ""
    contest = contest_of(above, state)
    decision = contest.decided.get(command.task_id)
    if contest.taken != command.task_id or decision is None or decision.run != command.run:
        return "another candidate was taken: nothing of this one is merged"
    if decision.commit != (command.commit or ""):
        return "its work is not what was taken: nothing of it is merged"
    return ""
