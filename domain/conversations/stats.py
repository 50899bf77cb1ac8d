"""What a run of a task took."""

from pydantic import Field

from domain.agents.agents import Usage
from domain.agents.pricing import PARTIAL
from domain.agents.spending import Taken
from domain.core.amounts import MILLIONTHS
from domain.core.money import USD, Money
from domain.core.wire import Wire


class TaskStats(Wire):
    """Tokens as the agents told them, tool calls as they were seen, and seconds of agents' work.

    Tokens of an agent that tells of its last calls only are no sum: then `is_partial`. Costs are added
    up by currency as they were told; `money` is what all cost, by list prices where nothing was told.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    tool_calls: int = 0
    tool_failures: int = 0
    duration_seconds: float = 0.0
    costs: dict[str, float] = {}
    is_partial: bool = False
    cached_tokens: int = 0
    money: Money = Field(default=Money(), exclude_if=lambda money: money == Money())

    @property
    def tool_successes(self) -> int:
        """The calls that did not fail."""
        return self.tool_calls - self.tool_failures

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def usd(self) -> float:
        """What is known to be paid, in US dollars; before there were prices, only what agents told."""
        told = self.costs.get(USD, 0.0)
        return told if self.money == Money() else self.money.spent / MILLIONTHS

    def after(
        self, usage: Usage | None, calls: int, failures: int, duration_ms: int
    ) -> "TaskStats":
        """Return the stats with one more turn."""
        return TaskStats(
            prompt_tokens=self.prompt_tokens + (usage.input_tokens if usage else 0),
            completion_tokens=self.completion_tokens + (usage.output_tokens if usage else 0),
            cached_tokens=self.cached_tokens + (usage.cached_tokens if usage else 0),
            tool_calls=self.tool_calls + calls,
            tool_failures=self.tool_failures + failures,
            duration_seconds=round(self.duration_seconds + duration_ms / 1000, 3),
            costs=self._costs_with(usage),
            is_partial=self.is_partial or (usage is not None and usage.source in PARTIAL),
            money=self.money,
        )

    def plus(self, taken: Taken) -> "TaskStats":
        """Return the stats with one more turn, or part of one."""
        counts = (taken.tool_calls, taken.tool_failures, taken.duration_ms)
        added = self.after(taken.usage, *counts)
        return added.model_copy(update={"money": self.money.plus(taken.cost)})

    def _costs_with(self, usage: Usage | None) -> dict[str, float]:
        if usage is None or usage.cost is None:
            return self.costs
        spent = self.costs.get(usage.currency, 0.0) + usage.cost
        return {**self.costs, usage.currency: round(spent, 6)}
