"""What tasks found out, for those that come after them (features.md J1)."""

from collections.abc import Iterable
from enum import StrEnum

from domain.ids import TaskId
from domain.wire import Wire

MAX_OF_A_RUN = 20
MAX_TOLD = 12_000
"""Characters of learnings that one prompt carries, the newest before the older ones."""


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


class Learning(Wire):
    """One thing that a run of a task found out."""

    learning: LearningKind
    text: str
    task_id: TaskId = TaskId("")
    run: int = 1


def told(learnings: Iterable[Learning]) -> str:
    """Return learnings as a prompt carries them: a line each with where it is from, oldest first.

    Where they are too many the oldest are left out, and it says so.
    """
    lines: list[str] = []
    left, every = MAX_TOLD, list(learnings)
    for learning in reversed(every):
        words = " ".join(learning.text.split())
        line = f"- from task {learning.task_id} ({learning.learning.phrase}): {words}"
        if len(line) > left:
            lines.append(f"- ({len(every) - len(lines)} older ones are left out)")
            break
        left -= len(line)
        lines.append(line)
    return "\n".join(reversed(lines))
