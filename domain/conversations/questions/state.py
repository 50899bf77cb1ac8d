"""What a session or a task knows of the questions of its agents, and how events change it."""

from functools import singledispatch

from domain.conversations.events import TurnEnded
from domain.conversations.questions import events as question_events
from domain.conversations.questions.question import Question, QuestionKind, Remember, Rule
from domain.core.event import EventBody
from domain.core.ids import SessionId, TurnId
from domain.core.text import bullets
from domain.core.wire import Wire

MAX_GIVEN = 50
"""Answers that are kept: a repeated decision gets the same answer, another one is refused."""


class GivenAnswer(Wire):
    """An answer, without what was asked.

    It is live until the turn ends in which the agent asked, or a decision's answer came; `taken_by`
    is the request that got it.
    """

    question_id: str
    kind: QuestionKind
    session_id: SessionId
    turn_id: TurnId
    title: str
    subject: str
    content_hash: str
    chosen: tuple[int, ...]
    labels: tuple[str, ...]
    option_ids: tuple[str, ...] = ()
    by: str = ""
    remember: Remember = Remember.ONCE
    asker: str = ""
    taken_by: str = ""
    is_live: bool = True


class Questions(Wire):
    """The open questions and the answers of one session or task.

    `asked` counts all, `in_turn` those of the running turn; `version` grows with all that an agent
    that waits must look at. `shared` are the rules that the thread is told of, and keeps.
    """

    asked: int = 0
    in_turn: int = 0
    version: int = 0
    open: dict[str, Question] = {}
    given: dict[str, GivenAnswer] = {}
    rules: dict[str, Rule] = {}
    shared: tuple[Rule, ...] = ()

    @property
    def waiting_for(self) -> str:
        """What a person is asked, in a phrase; empty when nothing is."""
        if not self.open:
            return ""
        first = next(iter(self.open.values()))
        more = f" (and {len(self.open) - 1} more)" if len(self.open) > 1 else ""
        return f"{first.phrase}{more}"

    def open_of(self, session_id: str, kind: QuestionKind | None = None) -> list[Question]:
        """Return a session's open questions, of one kind or of both."""
        return [
            q for q in self.open.values() if q.session_id == session_id and kind in {None, q.kind}
        ]

    def untaken(self, session_id: str, kind: QuestionKind) -> list[GivenAnswer]:
        """Return the answers of a kind that a session's agent has not got yet."""
        return [
            given
            for given in self.given.values()
            if given.is_live
            and not given.taken_by
            and (given.session_id, given.kind) == (session_id, kind)
        ]

    def answers_left(self, session_id: str) -> str:
        """Return the permissions that a session's agent has an answer to, a line each."""
        given = self.untaken(session_id, QuestionKind.PERMISSION)
        return bullets(f"{answer.title}: {', '.join(answer.labels)}" for answer in given)

    def rule_for(self, scope: str) -> Rule | None:
        """Return what is remembered for exactly this."""
        return next((rule for rule in self.rules.values() if scope and rule.scope == scope), None)


def folded(questions: Questions, event: EventBody) -> Questions:
    """Fold one event; others than those of questions and of turns' ends change nothing."""
    return _fold(event, questions)


@singledispatch
def _fold(event: EventBody, questions: Questions) -> Questions:
    del event
    return questions


@_fold.register
def _apply_question_asked(event: question_events.QuestionAsked, questions: Questions) -> Questions:
    asked = event.question
    return questions.model_copy(
        update={
            "asked": questions.asked + 1,
            "in_turn": questions.in_turn + 1,
            "open": {**questions.open, asked.question_id: asked},
        }
    )


@_fold.register
def _apply_question_asked_again(
    event: question_events.QuestionAskedAgain, questions: Questions
) -> Questions:
    asked = questions.open.get(event.question_id)
    if asked is None:
        return questions
    met = asked.model_copy(update={"asker": event.asker})
    return questions.model_copy(update={"open": {**questions.open, met.question_id: met}})


@_fold.register
def _apply_question_answered(
    event: question_events.QuestionAnswered, questions: Questions
) -> Questions:
    asked = questions.open.get(event.question_id)
    if asked is None:
        return questions
    given = GivenAnswer(
        question_id=asked.question_id,
        kind=asked.kind,
        session_id=asked.session_id,
        turn_id=asked.turn_id,
        title=asked.title[:200],
        subject=asked.subject,
        content_hash=asked.content_hash,
        chosen=event.chosen,
        labels=event.labels,
        option_ids=event.option_ids,
        by=event.by,
        remember=event.remember,
        asker=asked.asker,
    )
    kept = dict(list(questions.given.items())[1 - MAX_GIVEN :])
    closed = _closed(questions, event.question_id)
    return closed.model_copy(update={"given": {**kept, given.question_id: given}})


@_fold.register
def _apply_answer_taken(event: question_events.AnswerTaken, questions: Questions) -> Questions:
    given = questions.given.get(event.question_id)
    if given is None:
        return questions
    taken = given.model_copy(update={"taken_by": event.asker or "message"})
    return questions.model_copy(update={"given": {**questions.given, given.question_id: taken}})


@_fold.register
def _apply_question_withdrawn(
    event: question_events.QuestionWithdrawn, questions: Questions
) -> Questions:
    return _closed(questions, event.question_id)


def _closed(questions: Questions, question_id: str) -> Questions:
    left = {name: asked for name, asked in questions.open.items() if name != question_id}
    return questions.model_copy(update={"open": left, "version": questions.version + 1})


@_fold.register
def _apply_rule_remembered(
    event: question_events.RuleRemembered, questions: Questions
) -> Questions:
    if event.rule.remember is Remember.THREAD:
        newest = (*questions.shared, event.rule)[-MAX_GIVEN:]
        return questions.model_copy(update={"shared": newest})
    others = {n: rule for n, rule in questions.rules.items() if rule.scope != event.rule.scope}
    return questions.model_copy(update={"rules": {**others, event.rule.rule_id: event.rule}})


@_fold.register
def _apply_rule_forgotten(event: question_events.RuleForgotten, questions: Questions) -> Questions:
    left = {name: rule for name, rule in questions.rules.items() if name != event.rule_id}
    return questions.model_copy(update={"rules": left})


@_fold.register
def _apply_turn_ended(event: TurnEnded, questions: Questions) -> Questions:
    del event
    if not questions.given and not questions.in_turn:
        return questions
    over = {n: given.model_copy(update={"is_live": False}) for n, given in questions.given.items()}
    return questions.model_copy(update={"given": over, "in_turn": 0})
