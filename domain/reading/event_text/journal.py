"""Texts of damage in the journal, and of the checks of agents."""

from domain.agents import events as agent_events
from domain.core.damage_events import EventDamaged, EventRebuilt
from domain.core.event_text import EventText, error, info, success
from domain.core.text import duration, spaced
from domain.reading.event_text.phrases import after, by
from domain.reading.event_text.registry import describe, describes


@describes(EventDamaged)
def _describe_damage(event: EventDamaged) -> EventText:
    kind = f" ({spaced(event.was)})" if event.was else ""
    repair = "`treadle journal repair` restores it if Temporal still has it"
    return error(
        f"Event at position {event.position}{kind} is damaged{after(event.reason)}; {repair}"
    )


describe(
    EventRebuilt,
    lambda event: f"Damaged event at position {event.position} rebuilt; reload to see it",
)
describe(
    agent_events.AgentCheckStarted,
    lambda event: f"Check of {event.agent} started ({event.check}){by(event.by)}",
)
describe(agent_events.AgentCheckProgress, lambda event: info(event.message))


@describes(agent_events.AgentCheckEnded)
def _describe_check_end(event: agent_events.AgentCheckEnded) -> EventText:
    took = duration(event.result.duration_ms)
    if event.result.is_well:
        return success(f"{event.agent} works ({took})")
    return error(f"{event.agent} failed ({took})", event.result.failure)
