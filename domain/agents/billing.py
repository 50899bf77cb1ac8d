"""What a person says of money: which agents are on a flat plan."""

from typing import Annotated

from pydantic import Field

from domain.core.wire import Wire

AgentName = Annotated[str, Field(min_length=1, max_length=63)]


class MoneyOptions(Wire):
    """What work may cost, and how agents are paid."""

    subscriptions: Annotated[tuple[AgentName, ...], Field(max_length=50)] = ()
    """Agents on a flat plan: their turns are shown as included, and count for no limit."""
