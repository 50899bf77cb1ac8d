"""Whether an agent's own compaction of its context brought anything."""

from domain.agents.agents import ContextFill, StopReason, TurnResult
from domain.agents.limits.budgets import Budget, must_compact

EMPTY = (
    "the agent's own compaction brought no summary: a fresh session goes on with the handoff packet"
)


def is_empty(budget: Budget, before: ContextFill | None, result: TurnResult) -> bool:
    """Tell whether a turn that was to compact a context told neither a summary nor of more room.

    A failure ends the work by itself, and a person who stopped the turn says what is next.
    """
    if result.failure is not None or result.stop_reason is StopReason.CANCELLED:
        return False
    after = result.context
    if after is not None and after != before and must_compact(budget, after):
        return True
    has_room = after is not None and (before is None or after.used < before.used)
    return not has_room and not result.text.strip()
