"""Rules of questions: who asks the same, whose answer it is, what is remembered, what is withdrawn.

An answer serves one question, by its content hash, and where it was given once, one request. An agent
that was restarted in the middle of a turn asks the same with another request: it meets its own
question, or the answer that came meanwhile and that nobody took.
"""

from collections.abc import Iterable
from enum import StrEnum
from functools import reduce

from domain.conversations.questions import events as question_events
from domain.conversations.questions.commands import AnswerPermission, AskPermission, ForgetRule
from domain.conversations.questions.question import (
    ALLOW,
    DENY,
    Asked,
    Question,
    QuestionKind,
    QuestionOption,
    Remember,
    Rule,
)
from domain.conversations.questions.state import GivenAnswer, Questions, folded
from domain.core.command import AgentCommand, Answer
from domain.core.decisions import Decided
from domain.core.errors import (
    AlreadyDecidedError,
    InvalidError,
    NotFoundError,
    NotShownError,
    TooManyQuestionsError,
    WrongStateError,
)
from domain.core.event import EventBody
from domain.core.wire import Wire, size_bytes

MAX_OPEN = 6
MAX_IN_TURN = 60
MAX_RULES = 50
MAX_QUESTION_BYTES = 16_000
"""Of JSON: so the open ones stay below 100 KB in a state, a history, a page."""


class PermissionStatus(StrEnum):
    """What became of a request for permission."""

    WAITING = "waiting"
    ANSWERED = "answered"
    RULED = "ruled"


class PermissionState(Wire):
    """What an agent's request is told; `chosen` is the place of the option, `version` to wait on."""

    status: PermissionStatus
    version: int = 0
    chosen: int | None = None
    is_allowed: bool = False
    words: str = ""


# --- asking


def ask_permission(questions: Questions, command: AskPermission, place: str) -> Decided:
    """Ask, meet what was asked before, or take its answer; `place` begins the question's id.

    Raises:
        InvalidError: It is too large, or nothing can be chosen.
        TooManyQuestionsError: Too many are open, or were asked in this turn.
    """
    if (given := _answer_to(questions, command)) is not None:
        taken = question_events.AnswerTaken(question_id=given.question_id, asker=command.asker)
        return Decided(() if given.taken_by else (taken,), _permission_answer(_answered(given)))
    own = [q for q in questions.open.values() if q.asker == command.asker]
    if (rule := questions.rule_for(command.asked.scope)) is not None:
        reason = f"{rule.rule_id} answers it"
        gone = (
            question_events.QuestionWithdrawn(question_id=q.question_id, reason=reason) for q in own
        )
        return Decided(tuple(gone), _permission_answer(by_rule(rule)))
    waiting = _permission_answer(
        PermissionState(status=PermissionStatus.WAITING, version=questions.version)
    )
    if own:
        return Decided(answer=waiting)
    if (met := _earlier(questions, command)) is not None:
        again = question_events.QuestionAskedAgain(question_id=met.question_id, asker=command.asker)
        return Decided((again,), waiting)
    question = new_question(questions, command.asked, command, place)
    question = question.model_copy(update={"asker": command.asker})
    return Decided((question_events.QuestionAsked(question=question),), waiting)


def new_question(questions: Questions, asked: Asked, command: AgentCommand, place: str) -> Question:
    """Return a question that can wait.

    Raises:
        InvalidError: It is too large, or nothing can be chosen.
        TooManyQuestionsError: Too many are open, or were asked in this turn.
    """
    if not asked.options:
        raise InvalidError("a question needs options to choose from")
    if size_bytes(asked) > MAX_QUESTION_BYTES:
        raise InvalidError(f"a question has at most {MAX_QUESTION_BYTES} bytes, options and all")
    if len(questions.open) >= MAX_OPEN:
        raise TooManyQuestionsError(
            f"{len(questions.open)} questions wait for the person already: wait for an answer"
        )
    if questions.in_turn >= MAX_IN_TURN:
        raise TooManyQuestionsError(
            f"this turn has asked the person {questions.in_turn} times: go on without, or end it"
        )
    question = Question(
        **dict(asked),
        question_id=f"{place}{questions.asked + 1}",
        session_id=command.session_id,
        turn_id=command.turn_id,
    )
    return question.hashed()


def _process(asker: str) -> str:
    return asker.partition("/")[0]


def _answer_to(questions: Questions, command: AskPermission) -> GivenAnswer | None:
    """Return the answer that a request got, or one that came while its agent was away."""
    subject, process = command.asked.subject, _process(command.asker)
    for given in questions.given.values():
        if given.taken_by == command.asker:
            return given
        is_left = given.asker == command.asker or _process(given.asker) != process
        is_same = (given.session_id, given.turn_id) == (command.session_id, command.turn_id)
        is_open = given.is_live and not given.taken_by
        if is_open and is_left and is_same and given.subject == subject:
            return given
    return None


def _earlier(questions: Questions, command: AskPermission) -> Question | None:
    """Return the same question of a process that is no more."""
    subject, process = command.asked.subject, _process(command.asker)
    for question in questions.open.values():
        is_same = (question.session_id, question.turn_id) == (command.session_id, command.turn_id)
        if is_same and _process(question.asker) != process and question.subject == subject:
            return question
    return None


def by_rule(rule: Rule) -> PermissionState:
    """Return what a request is told for which an answer is remembered."""
    outcome = "allowed" if rule.is_allowed else "refused"
    words = f"{outcome} by {rule.rule_id} of {rule.by or 'a person'}"
    return PermissionState(status=PermissionStatus.RULED, is_allowed=rule.is_allowed, words=words)


def _answered(given: GivenAnswer) -> PermissionState:
    words = f"{given.labels[0]!r} by {given.by or 'a person'}"
    return PermissionState(status=PermissionStatus.ANSWERED, chosen=given.chosen[0], words=words)


def _permission_answer(state: PermissionState) -> Answer:
    return Answer(message=state.words or state.status, data=state.model_dump(mode="json"))


# --- answering


def answer_permission(questions: Questions, command: AnswerPermission) -> Decided:
    """Choose one of the agent's options, and remember the answer where that is wanted.

    Raises:
        NotFoundError, AlreadyDecidedError, NotShownError, InvalidError: See `open_question`; the
            option is none of the question's, or can't be remembered.
        WrongStateError: So much is remembered that nothing more is.
    """
    known = (command.question_id, command.content_hash)
    if (given := repeated(questions, known, (command.option_id,))) is not None:
        return Decided(answer=answered(given.question_id, given.labels))
    question = open_question(questions, known)
    if question.kind is not QuestionKind.PERMISSION:
        raise InvalidError(f"{question.question_id} is a decision: choose with `decide`")
    names = [option.option_id for option in question.options]
    if command.option_id not in names:
        listed = ", ".join(f"{o.option_id} ({o.label})" for o in question.options)
        raise InvalidError(f"choose one of: {listed}; got: {command.option_id[:80]!r}")
    place = names.index(command.option_id)
    option = question.options[place]
    chosen = question_events.QuestionAnswered(
        question_id=question.question_id,
        content_hash=question.content_hash,
        chosen=(place,),
        labels=(option.label,),
        option_ids=(option.option_id,),
        by=command.by,
        remember=command.remember,
    )
    remembered = _remembered(questions, command, question, option)
    return Decided((chosen, *remembered), answered(question.question_id, (option.label,)))


def answered(question_id: str, labels: tuple[str, ...]) -> Answer:
    """Return what a door answers, the first time and every other."""
    return Answer(message=f"{question_id}: {', '.join(labels)}")


def repeated(
    questions: Questions, known: tuple[str, str], chosen: tuple[str, ...]
) -> GivenAnswer | None:
    """Return an answer that was given before; `known` is the id and the hash of the question.

    Raises:
        AlreadyDecidedError: Another one was given.
    """
    given = questions.given.get(known[0])
    if given is None:
        return None
    if (given.content_hash, given.option_ids) == (known[1], chosen):
        return given
    made = ", ".join(given.labels)
    raise AlreadyDecidedError(f"{given.question_id} was already answered by {given.by!r}: {made}")


def open_question(questions: Questions, known: tuple[str, str]) -> Question:
    """Return a question that waits; `known` is its id and its hash.

    Raises:
        NotFoundError: Nothing of that id waits.
        NotShownError: It is not what was shown.
    """
    question_id, shown = known
    question = questions.open.get(question_id)
    if question is None:
        listed = ", ".join(questions.open) or "none"
        raise NotFoundError(f"no question {question_id[:80]!r} waits here; there waits: {listed}")
    if question.content_hash != shown:
        raise NotShownError(f"{question_id} is not what was shown: look at it again")
    return question


def _remembered(
    questions: Questions, command: AnswerPermission, question: Question, option: QuestionOption
) -> tuple[EventBody, ...]:
    if command.remember is Remember.ONCE:
        return ()
    if not question.scope or option.kind not in {*ALLOW, *DENY}:
        raise InvalidError("this answer can't be remembered: give it once")
    if len(questions.rules) >= MAX_RULES:
        raise WrongStateError(
            f"{MAX_RULES} answers are remembered here, and no more: forget some, or give it once"
        )
    rule = Rule(
        rule_id=question.question_id.replace("question-", "rule-"),
        scope=question.scope,
        is_allowed=option.kind in ALLOW,
        remember=command.remember,
        session_id=question.session_id,
        by=command.by,
    )
    return (question_events.RuleRemembered(rule=rule),)


def forget(rules: dict[str, Rule], command: ForgetRule) -> Decided:
    """Be asked again.

    Raises:
        NotFoundError: Nothing of that name is remembered.
    """
    if command.rule_id not in rules:
        listed = ", ".join(rules) or "none"
        raise NotFoundError(f"no rule {command.rule_id[:80]!r} here; there is: {listed}")
    forgotten = question_events.RuleForgotten(rule_id=command.rule_id, by=command.by)
    return Decided((forgotten,), Answer(message=f"forgotten: {rules[command.rule_id].scope}"))


def after(questions: Questions, events: Iterable[EventBody]) -> Questions:
    """Return what is known after events that are not recorded yet."""
    return reduce(folded, events, questions)


def withdrawn(questions: list[Question], reason: str) -> tuple[EventBody, ...]:
    """Return that nobody needs the answers to these any longer."""
    return tuple(
        question_events.QuestionWithdrawn(question_id=q.question_id, reason=reason)
        for q in questions
    )
