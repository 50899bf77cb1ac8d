"""The `temporal workflow signal` commands that answer an agent's question."""

from collections.abc import Iterator

from domain.conversations.questions.commands import AnswerPermission
from domain.conversations.questions.question import QuestionKind
from domain.conversations.questions.views import OpenQuestion
from domain.core.approval_commands import Decide
from domain.core.approvals import signal_line
from domain.core.command import Coded


def with_answers(asked: OpenQuestion, secret: bytes, address: str) -> OpenQuestion:
    """Add the commands that answer an agent's question."""
    lines = {
        label: signal_line(secret, asked.workflow_id, command, address)
        for label, command in _answers(asked)
    }
    return asked.model_copy(update={"signal_lines": lines})


def _answers(asked: OpenQuestion) -> Iterator[tuple[str, Coded]]:
    """Yield each option of an agent's question with the command that chooses it once."""
    question = asked.question
    name, shown = question.question_id, question.content_hash
    for option in question.options:
        if question.kind is QuestionKind.DECISION:
            chosen = (option.label,)
            yield option.label, Decide(decision_id=name, content_hash=shown, selections=chosen)
        else:
            answer = AnswerPermission(
                question_id=name, option_id=option.option_id, content_hash=shown
            )
            yield f"{option.option_id}: {option.label}", answer
