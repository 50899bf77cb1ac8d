"""Texts of the questions that agents ask, and of the answers that are remembered."""

from domain.conversations.questions import events as question_events
from domain.conversations.questions.question import Remember
from domain.core.event_text import EventText, highlight, warning
from domain.reading.event_text.phrases import by
from domain.reading.event_text.registry import describe, describes, silence


@describes(question_events.QuestionAsked)
def _describe_question(event: question_events.QuestionAsked) -> EventText:
    question = event.question
    options = "\n".join(option.label for option in question.options)
    summary = f"Question {question.question_id}: {question.phrase}"
    return warning(summary, options, milestone="question_asked")


@describes(question_events.QuestionAnswered)
def _describe_answer(event: question_events.QuestionAnswered) -> EventText:
    scope = "" if event.remember is Remember.ONCE else f", for the {event.remember}"
    labels = ", ".join(event.labels)
    summary = f"Question {event.question_id} answered{by(event.by)}: {labels}{scope}"
    return highlight(summary, milestone="question_answered")


describe(
    question_events.QuestionWithdrawn,
    lambda event: f"Question {event.question_id} withdrawn: {event.reason}",
)
describe(
    question_events.QuestionAskedAgain,
    lambda event: f"Question {event.question_id} asked again by the restarted agent",
)


@describes(question_events.RuleRemembered)
def _describe_rule(event: question_events.RuleRemembered) -> str:
    rule = event.rule
    outcome = "allowed" if rule.is_allowed else "denied"
    return f"Rule {rule.rule_id} added for the {rule.remember}: {rule.scope} is {outcome}"


describe(question_events.RuleForgotten, lambda event: f"Rule {event.rule_id} removed{by(event.by)}")
silence(question_events.AnswerTaken)
