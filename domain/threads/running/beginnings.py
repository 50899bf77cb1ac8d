"""Runs of tasks that begin with a checkpoint of an earlier one, where a person asked for that."""

import re

from domain.core.errors import InvalidError, WrongStateError
from domain.plans.plan import RunsAs
from domain.tasks.running_commands import Retry
from domain.threads.evolution import with_task
from domain.threads.fork_origin import Beginning
from domain.threads.registry import THREAD_RULES
from domain.threads.running.events import CheckpointChosen
from domain.threads.state import ThreadState

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)


def beginning(command: Retry, state: ThreadState) -> tuple[CheckpointChosen, ...]:
    """Return the choice of a checkpoint for a task's next run; nothing where none was named.

    Raises:
        InvalidError: What is named is no commit.
        WrongStateError: The task is a thread of its own.
    """
    if not command.commit:
        return ()
    if not _COMMIT.fullmatch(command.commit):
        raise InvalidError(f"{command.commit[:80]!r} is no commit: give all digits of its hash")
    if state.tasks[command.task_id].task.runs_as is RunsAs.THREAD:
        raise WrongStateError(
            f"task {command.task_id!r} is a thread of its own: fork that one instead"
        )
    chosen = CheckpointChosen(
        task_id=command.task_id,
        run=state.next_run(command.task_id),
        commit=command.commit,
        position=command.position,
        by=command.by,
    )
    return (chosen,)


@THREAD_RULES.evolves
def apply_checkpoint_chosen(event: CheckpointChosen, state: ThreadState) -> ThreadState:
    begins = Beginning(run=event.run, commit=event.commit, position=event.position)
    return with_task(state, event.task_id, begins=begins)


def describe_start(begins: Beginning | None) -> tuple[str, ...]:
    """Return what the agent of a run is told of the checkpoint that it begins with."""
    if begins is None:
        return ()
    return (
        f"- This run begins with the files of an earlier one, as they were at its checkpoint "
        f"{begins.commit[:12]}: a person chose it. See what is there already (`git log`, `git diff`) "
        "and go on from it.",
    )
