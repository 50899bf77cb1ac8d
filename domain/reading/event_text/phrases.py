"""Phrases that the texts of many events share."""

from domain.core.approvals import Choice, Decider, Outcome
from domain.core.event_text import EventText, cut, error, success

_LEAD = 200


def by(name: str) -> str:
    """Return ` by Ada`; nothing where nobody is named."""
    return f" by {name}" if name else ""


def after(text: str) -> str:
    """Return `: text`; nothing for an empty text."""
    return f": {text}" if text else ""


def session_name(session_id: str) -> str:
    """Return the part of a session's id that people read: `session-2`."""
    return session_id.rpartition("/")[2]


def agent_name(agent: str, model: str | None) -> str:
    """Return `agent (model)`."""
    return f"{agent} ({model})" if model else agent


def quoted(head: str, text: str) -> EventText:
    """Return a line that quotes a text; a long one, or one of several lines, is in the details too."""
    line = " ".join(text.split())
    details = text if len(line) > _LEAD or "\n" in text.strip() else ""
    return EventText(summary=f"{head}{after(cut(line, _LEAD))}", details=details)


def decided(what: str, outcome: Outcome, milestone: str) -> EventText:
    """Return `Plan 1 approved by Ada`, with the feedback."""
    is_approved = outcome.choice is Choice.APPROVE
    word = "approved" if is_approved else "rejected"
    people = " and ".join((*outcome.others, outcome.by))
    decider = "policy" if outcome.decider is Decider.POLICY else people
    runs = f" (runs: {outcome.autonomy.spoken})" if outcome.autonomy else ""
    tone = success if is_approved else error
    feedback = after(cut(" ".join(outcome.feedback.split()), _LEAD))
    summary = f"{what} {word}{by(decider)}{runs}{feedback}"
    is_feedback = outcome.full_feedback == outcome.feedback and len(feedback) <= _LEAD
    details = "" if is_feedback and "\n" not in outcome.full_feedback else outcome.full_feedback
    return tone(summary, details, milestone=f"{milestone}_{word}")
