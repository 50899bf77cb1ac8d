"""What doors show of questions: all that a page needs to put them, and where the answer goes."""

from collections.abc import Mapping
from datetime import datetime

from domain.conversations.questions.question import Question
from domain.conversations.questions.state import Questions
from domain.core.ids import TaskId
from domain.core.wire import Wire


class OpenQuestion(Wire):
    """A question that waits for a person.

    `signal_lines` are the ready `temporal workflow signal` commands, by the label of the option; the
    API fills them.
    """

    question: Question
    workflow_id: str
    task_id: TaskId | None = None
    agent: str = ""
    asked_at: datetime | None = None
    signal_lines: dict[str, str] = {}


def open_in(
    questions: Questions,
    workflow_id: str,
    agents: Mapping[str, str],
    asked_at: Mapping[str, datetime],
    task_id: TaskId | None = None,
) -> tuple[OpenQuestion, ...]:
    """Return the questions that a workflow keeps; `agents` are those of its sessions."""
    return tuple(
        OpenQuestion(
            question=question,
            workflow_id=workflow_id,
            task_id=task_id,
            agent=agents.get(question.session_id, ""),
            asked_at=asked_at.get(question.question_id),
        )
        for question in questions.open.values()
    )
