"""What turns took, and whose that was: told while they run, at their end, and when they are held."""

from domain.agents.agents import TurnInput, TurnResult, Usage
from domain.agents.pricing import recorded_money
from domain.core.money import Money
from domain.core.wire import Wire


class Taken(Wire):
    """What a turn, or the part of it that one agent had, took so far; `money` is set once all is added up."""

    agent: str = ""
    model: str | None = None
    usage: Usage | None = None
    tool_calls: int = 0
    tool_failures: int = 0
    duration_ms: int = 0
    money: Money | None = None

    @property
    def cost(self) -> Money:
        """What that cost, also where it was recorded before there were prices."""
        return recorded_money(self.usage, self.tool_calls) if self.money is None else self.money

    @property
    def by(self) -> str:
        """The agent and its model, where it has not its own."""
        return f"{self.agent} {self.model or ''}".rstrip()

    def plus(self, later: "Taken") -> "Taken":
        """Return the sum with what came later, which says whose it is."""
        return Taken(
            agent=later.agent or self.agent,
            model=later.model if later.agent else self.model,
            usage=self.usage.plus(later.usage) if self.usage else later.usage,
            tool_calls=self.tool_calls + later.tool_calls,
            tool_failures=self.tool_failures + later.tool_failures,
            duration_ms=self.duration_ms + later.duration_ms,
        )

    def on(self, result: TurnResult, turn: TurnInput) -> TurnResult:
        """Return a turn's result with all this, as that of the agent that has the turn now."""
        fields = {"agent": turn.agent, "model": turn.model, "part": turn.refusals}
        counts = ("usage", "tool_calls", "tool_failures", "duration_ms", "money")
        fields.update({name: getattr(self, name) for name in counts})
        return result.model_copy(update=fields)


def held(result: TurnResult) -> Taken | None:
    """Return what a turn took that goes on later, None where that is nothing.

    Of an agent that told and did nothing it is still unknown what it cost, once it was asked.
    """
    has_cost = result.money is not None and result.money != Money()
    return taken_by(result) if result.tool_calls or result.usage or has_cost else None


def taken_by(ended: object) -> Taken:
    """Return what the last part of a turn took, of its result or of an event that tells its end."""
    return Taken.model_validate({name: getattr(ended, name) for name in Taken.model_fields})
