"""What doors show of the conversations of a flow's run."""

from datetime import datetime

from domain.conversations.events import TurnConcern
from domain.conversations.sessions.facts import SessionFacts
from domain.conversations.stats import TaskStats
from domain.core.ids import SessionId
from domain.core.wire import Wire
from domain.flows.state import Conversation


class FlowConversationView(Wire):
    """The conversation of a slot.

    `concerns` are what worries about its running turn. One that its provider refused so many times
    `waits_until` then, for what is in `waits_for`.
    """

    agent_type: str
    identifier: str
    session_id: SessionId
    agent: str
    model: str | None = None
    turns: int = 0
    is_working: bool = False
    stats: TaskStats = TaskStats()
    concerns: tuple[TurnConcern, ...] = ()
    waits_until: datetime | None = None
    waits_for: str = ""
    refusals: int = 0


def shown(known: Conversation, facts: SessionFacts) -> FlowConversationView:
    """Return a conversation with what its session's own stream tells."""
    return FlowConversationView(
        agent_type=known.slot.agent_type,
        identifier=known.slot.identifier,
        session_id=known.session_id,
        agent=known.chosen.agent,
        model=known.chosen.model,
        turns=facts.turns,
        is_working=facts.is_working,
        stats=facts.stats,
        concerns=tuple(facts.concerns.values()),
        waits_until=facts.waits_until,
        waits_for=facts.waits_for,
        refusals=facts.refusals,
    )
