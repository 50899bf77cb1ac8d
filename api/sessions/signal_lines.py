"""The `temporal workflow signal` commands that answer an agent's question."""

from collections.abc import Iterator

from api.core.signal_lines import SignalLines
from domain.conversations.questions.choices import Choosable
from domain.conversations.questions.commands import AnswerPermission
from domain.conversations.questions.question import QuestionKind
from domain.conversations.questions.views import OpenQuestion
from domain.core.approval_commands import OPTIONS, Decide
from domain.core.command import Coded


def with_answers(asked: OpenQuestion, lines: SignalLines, project: str) -> OpenQuestion:
    """Add the commands that answer an agent's question."""
    answers = ((label, asked.workflow_id, command) for label, command in _answers(asked))
    return asked.model_copy(update={"signal_lines": lines.of(project, answers)})


def selections_of(asked: Choosable, name: str, shown: str) -> Iterator[tuple[str, Decide]]:
    """Yield each option with the command that chooses it, and one for several if they may be chosen."""
    for option in asked.options:
        yield (
            option.label,
            Decide(decision_id=name, content_hash=shown, selections=(option.label,)),
        )
    if asked.multi_select:
        several = Decide(decision_id=name, content_hash=shown, selections=OPTIONS, is_open=True)
        yield "several: replace each OPTION", several


def _answers(asked: OpenQuestion) -> Iterator[tuple[str, Coded]]:
    """Yield each option of an agent's question with the command that chooses it once."""
    question = asked.question
    name, shown = question.question_id, question.content_hash
    if question.kind is QuestionKind.DECISION:
        yield from selections_of(question, name, shown)
        return
    for option in question.options:
        answer = AnswerPermission(question_id=name, option_id=option.option_id, content_hash=shown)
        yield f"{option.option_id}: {option.label}", answer
