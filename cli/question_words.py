"""Questions of agents in words, as `treadle logs` prints them."""

from domain.conversations.questions import events as asked
from domain.conversations.questions.question import Remember


def told(event: asked.QuestionEvent) -> str:  # noqa: PLR0911  (one for each event)
    """Say what happened to a question; nothing where it says itself."""
    match event:
        case asked.QuestionAsked(question=question):
            options = " | ".join(option.label for option in question.options)
            return f"asks you {question.question_id}, {question.phrase} [{options}]"
        case asked.QuestionAnswered() as given:
            kept = f", for the {given.remember}" if given.remember is not Remember.ONCE else ""
            return f"{given.question_id}: {', '.join(given.labels)}, by {given.by}{kept}"
        case asked.QuestionWithdrawn(question_id=name, reason=reason):
            return f"{name} is not asked any longer: {reason}"
        case asked.QuestionAskedAgain(question_id=name):
            return f"{name} is asked again by the agent that was restarted"
        case asked.RuleRemembered(rule=rule):
            outcome = "allowed" if rule.is_allowed else "denied"
            return f"{rule.rule_id}: {rule.scope} is {outcome} from now on in the {rule.remember}"
        case asked.RuleForgotten(rule_id=name, by=by):
            return f"{name} is forgotten, by {by}"
        case _:
            return ""
