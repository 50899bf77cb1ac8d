"""Events of the questions that agents put to the person, in the stream of who keeps them.

That is the task's for the sessions of a task, else the session's own; what a thread remembers is in
the thread's.
"""

from typing import Literal

from domain.conversations.questions.question import Label, Question, Remember, Rule
from domain.core.event import EventBody


class QuestionAsked(EventBody):
    """An agent asks; it waits until a person answers, or until nobody needs the answer.

    One that `withdraws_report` makes what its agent had reported or proposed in this turn void.
    """

    kind: Literal["question_asked"] = "question_asked"
    question: Question
    withdraws_report: bool = False


class QuestionAskedAgain(EventBody):
    """An agent that was restarted asks the same: it meets its own question."""

    kind: Literal["question_asked_again"] = "question_asked_again"
    question_id: str
    asker: str


class QuestionAnswered(EventBody):
    """A person answered; `chosen` are the places of the options, from 0, `labels` what they say.

    `option_ids` are the words of the answer, by which the same one is known when it comes again.
    """

    kind: Literal["question_answered"] = "question_answered"
    question_id: str
    content_hash: str
    chosen: tuple[int, ...]
    labels: tuple[Label, ...]
    option_ids: tuple[str, ...] = ()
    by: str = ""
    remember: Remember = Remember.ONCE


class AnswerTaken(EventBody):
    """The agent has the answer; one that was given once is used up."""

    kind: Literal["answer_taken"] = "answer_taken"
    question_id: str
    asker: str = ""


class QuestionWithdrawn(EventBody):
    """Nobody needs the answer any longer."""

    kind: Literal["question_withdrawn"] = "question_withdrawn"
    question_id: str
    reason: str


class RuleRemembered(EventBody):
    """A person wants an answer to be given again."""

    kind: Literal["rule_remembered"] = "rule_remembered"
    rule: Rule


class RuleForgotten(EventBody):
    """A person wants to be asked again."""

    kind: Literal["rule_forgotten"] = "rule_forgotten"
    rule_id: str
    by: str = ""


QuestionEvent = (
    QuestionAsked
    | QuestionAskedAgain
    | QuestionAnswered
    | AnswerTaken
    | QuestionWithdrawn
    | RuleRemembered
    | RuleForgotten
)
