"""What tasks found out, for those that come after them."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Literal

from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.ids import TaskId
from domain.core.wire import Wire
from domain.tasks.agent_commands import RecordLearning

MAX_OF_A_RUN = 20
MAX_TOLD = 12_000
"""Characters of learnings that one prompt carries, the newest before the older ones."""


THREADS_AGENT = "the thread's agent"
"""Whose learnings have no task."""


class LearningKind(StrEnum):
    """What a learning says: this worked, this was unexpected, the next one should know this."""

    WORKED = "worked"
    UNEXPECTED = "unexpected"
    NEXT = "next"

    @property
    def phrase(self) -> str:
        """What people and agents read."""
        return _PHRASES[self]


_PHRASES = {
    LearningKind.WORKED: "worked",
    LearningKind.UNEXPECTED: "was unexpected",
    LearningKind.NEXT: "the next one should know",
}


class LearningEvidence(Wire):
    """What stands behind a run's learnings: its task, the commit, and the required steps that passed on it."""

    title: str = ""
    area: tuple[str, ...] = ()
    commit: str = ""
    verified: tuple[str, ...] = ()
    attempts: int = 0


class Learning(Wire):
    """One thing that a run of a task found out."""

    learning: LearningKind
    text: str
    task_id: TaskId = TaskId("")
    run: int = 1


def newest(learnings: tuple[Learning, ...]) -> tuple[Learning, ...]:
    """Return the newest learnings, as many as one prompt carries, oldest first."""
    left = MAX_TOLD
    for number, learning in enumerate(reversed(learnings)):
        left -= len(_line(learning))
        if left < 0:
            return learnings[len(learnings) - number :]
    return learnings


def describe_learnings(learnings: Iterable[Learning]) -> str:
    """Return learnings as a prompt carries them: a line each with where it is from, oldest first."""
    return "\n".join(_line(learning) for learning in newest(tuple(learnings)))


def _line(learning: Learning) -> str:
    words = " ".join(learning.text.split())
    source = f"task {learning.task_id}" if learning.task_id else THREADS_AGENT
    return f"- from {source} ({learning.learning.phrase}): {words}"


class LearningRecorded(EventBody):
    """A task's agent found something out; in the task's stream."""

    kind: Literal["learning_recorded"] = "learning_recorded"
    learning: Learning


class LearningsUsed(EventBody):
    """An agent said which kept learnings helped it; in its task's stream, or its thread's."""

    kind: Literal["learnings_used"] = "learnings_used"
    learning_ids: tuple[str, ...]
    by: str = ""


def used_in(command: RecordLearning) -> tuple[LearningsUsed, ...]:
    """Return the event of the kept learnings that an agent says it used, where it names any.

    Raises:
        WrongStateError: It names none, and says nothing else.
    """
    ids = tuple(dict.fromkeys(command.used))
    if not ids and not command.text.strip():
        raise WrongStateError("give a `text`, or the ids of kept learnings that helped in `used`")
    return (LearningsUsed(learning_ids=ids, by=command.session_id),) if ids else ()
