"""Decisions that an agent asks for with `ask_decision`: what it is told, and what a person chooses."""

from domain.conversations.questions import events as question_events
from domain.conversations.questions.choices import chosen_of
from domain.conversations.questions.commands import AskDecision
from domain.conversations.questions.question import Asked, QuestionKind, QuestionOption
from domain.conversations.questions.rules import answered, new_question, open_question, repeated
from domain.conversations.questions.state import GivenAnswer, Questions
from domain.core.approval_commands import Decide
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError

MIN_OPTIONS = 2
MAX_DECISION_OPTIONS = 10
MAX_HEADER = 40
MAX_ASKED = 1_500
MAX_OPTION_LABEL = 100
MAX_DESCRIPTION = 500

ASKED = (
    "The person was asked, and has not answered yet. If other work does not depend on it, do that "
    "and call ask_decision again with the same arguments to look for the answer. Else end your "
    "turn now: the answer comes as your next message. Do not choose for them."
)


def ask_decision(questions: Questions, command: AskDecision, place: str) -> Decided:
    """Ask, or tell what the person has answered to the same question.

    Raises:
        InvalidError: With everything that is wrong, worded for a model.
        TooManyQuestionsError: Too many are open, or were asked in this turn.
    """
    asked = _read(command)
    subject = asked.subject
    waiting = (q for q in questions.open_of(command.session_id, QuestionKind.DECISION))
    if any(question.subject == subject for question in waiting):
        return Decided(answer=Answer(message=ASKED, data={"version": questions.version}))
    for given in questions.given.values():
        is_same = (given.session_id, given.subject) == (command.session_id, subject)
        if not given.is_live or not is_same:
            continue
        taken = question_events.AnswerTaken(question_id=given.question_id, asker=command.turn_id)
        return Decided(() if given.taken_by else (taken,), Answer(message=answer_for_agent(given)))
    question = new_question(questions, asked, command, place)
    asking = question_events.QuestionAsked(question=question)
    return Decided((asking,), Answer(message=ASKED, data={"version": questions.version}))


def _read(command: AskDecision) -> Asked:
    """Return what is asked, complete and bounded."""
    problems = [*_wrong_words(command), *_wrong_options(command)]
    if problems:
        raise InvalidError("; ".join(problems))
    options = tuple(
        QuestionOption(option_id=label, label=label, description=option.description.strip())
        for option in command.options
        if (label := _line(option.label))
    )
    return Asked(
        kind=QuestionKind.DECISION,
        header=_line(command.header),
        title=command.question.strip(),
        options=options,
        multi_select=command.multi_select,
    )


def _wrong_words(command: AskDecision) -> list[str]:
    problems: list[str] = []
    if not command.question.strip():
        problems.append("question: say what is to be decided, in a sentence")
    if len(command.question) > MAX_ASKED:
        problems.append(
            f"question: at most {MAX_ASKED} characters; what explains it goes into the descriptions"
        )
    if len(command.header) > MAX_HEADER:
        problems.append(f"header: at most {MAX_HEADER} characters, like 'Database'")
    return problems


def _wrong_options(command: AskDecision) -> list[str]:
    labels = [_line(option.label) for option in command.options]
    problems: list[str] = []
    if not MIN_OPTIONS <= len(labels) <= MAX_DECISION_OPTIONS:
        problems.append(
            f"options: give {MIN_OPTIONS} to {MAX_DECISION_OPTIONS}, not {len(labels)}; the person "
            "can also answer in words of their own"
        )
    if any(not label or len(label) > MAX_OPTION_LABEL for label in labels):
        problems.append(f"options: each label has 1 to {MAX_OPTION_LABEL} characters")
    if len(set(labels)) < len(labels):
        problems.append("options: no two labels may be the same")
    if any(len(option.description) > MAX_DESCRIPTION for option in command.options):
        problems.append(f"options: a description has at most {MAX_DESCRIPTION} characters")
    return problems


def _line(text: str) -> str:
    return " ".join(text.split())


def answer_for_agent(given: GivenAnswer) -> str:
    """Return an answer as the agent reads it, from the tool or as its next message."""
    chosen = ", ".join(given.labels)
    return f"You asked: {given.title}\n\nThe person decided: {chosen}"


def decide(questions: Questions, command: Decide) -> Decided:
    """Choose one or more options of a decision.

    Raises:
        NotFoundError, NotShownError: See `open_question`.
        AlreadyDecidedError: It was decided otherwise.
        InvalidError: It is none, or there is no such option; the message lists them.
    """
    known = (command.decision_id, command.content_hash)
    named = tuple(selection.strip() for selection in command.selections)
    if (given := repeated(questions, known, named)) is not None:
        return Decided(answer=answered(given.question_id, given.labels))
    question = open_question(questions, known)
    if question.kind is not QuestionKind.DECISION:
        raise InvalidError(f"{question.question_id} asks for permission: allow or deny it")
    labels = chosen_of(question, command.selections)
    places = tuple(n for n, option in enumerate(question.options) if option.label in labels)
    chosen = question_events.QuestionAnswered(
        question_id=question.question_id,
        content_hash=question.content_hash,
        chosen=places,
        labels=labels,
        option_ids=named,
        by=command.by,
    )
    return Decided((chosen,), answered(question.question_id, labels))
