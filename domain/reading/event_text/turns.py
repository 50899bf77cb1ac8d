"""Texts of turns, and of what delays, stops or moves them, in sessions and in tasks."""

from domain.agents.limits.money import HOLDS
from domain.conversations import events as session_events
from domain.core.event_text import EventText, error, highlight, warning
from domain.core.text import duration, spaced
from domain.reading.event_text.phrases import after, agent_name, by
from domain.reading.event_text.registry import describe, describes

describe(
    session_events.TurnStarted,
    lambda event: f"Turn {event.number} started ({event.prompt_name})",
)


@describes(session_events.TurnEnded)
def _describe_turn_end(event: session_events.TurnEnded) -> EventText:
    result = event.result
    took = duration(result.duration_ms)
    if result.failure:
        return error(f"Turn failed after {took}", result.failure)
    return EventText(summary=f"Turn ended after {took} ({spaced(result.stop_reason)})")


@describes(session_events.TurnDelayed)
def _describe_delay(event: session_events.TurnDelayed) -> EventText:
    if event.provider in HOLDS:  # what lasts until then is only its next try
        return warning(f"Waiting for {event.provider}{after(event.reason)}")
    until = f"{event.until.astimezone():%Y-%m-%d %H:%M:%S}"
    return warning(f"Waiting for {event.provider} until {until}{after(event.reason)}")


@describes(session_events.TurnResumed)
def _describe_resumed_turn(
    event: session_events.TurnResumed,
) -> EventText | str:
    return f"Wait skipped{by(event.by)}" if event.is_skipped else "Turn resumed"


@describes(session_events.TurnStopRequested)
def _describe_stop_request(
    event: session_events.TurnStopRequested,
) -> EventText:
    return warning(f"Stop requested{by(event.by)}")


@describes(session_events.AgentSwitched)
def _describe_switch(
    event: session_events.AgentSwitched,
) -> EventText:
    name = agent_name(event.agent, event.model)
    return highlight(f"Agent switched to {name}{by(event.by)}, with a fresh context")


@describes(session_events.ContextCompacted)
def _describe_compaction(
    event: session_events.ContextCompacted,
) -> EventText:
    how = f"compacting it ({event.command})" if event.command else "continuing with a fresh one"
    return warning(f"Context nearly full, {how}", f"{event.used:,} of {event.size:,} tokens")


describe(
    session_events.TurnSlept,
    lambda _: warning("Turn paused until you answer; its agent is closed"),
)
describe(session_events.TurnWoken, lambda _: "Turn resumed")
