"""What a task may take, in turns, tokens and context: checked before and after every turn."""

from domain.agents.agents import ContextFill, Usage
from domain.core.wire import Wire

WARNING = 0.8
CRITICAL = 0.95


class Budget(Wire):
    """The limits of one run; None is none. `context_tokens` bounds what an agent's context holds."""

    turns: int | None = None
    tokens: int | None = None
    context_tokens: int | None = None


class BudgetUse(Wire):
    """What a run has taken so far."""

    turns: int = 0
    tokens: int = 0

    def after(self, usage: Usage | None) -> "BudgetUse":
        """Return what is spent after one more turn; an agent that tells no tokens costs none."""
        tokens = usage.input_tokens + usage.output_tokens if usage else 0
        return BudgetUse(turns=self.turns + 1, tokens=self.tokens + tokens)


def exhausted(budget: Budget, spent: BudgetUse) -> str:
    """Return which limit is reached, an empty text while there is none."""
    if budget.turns is not None and spent.turns >= budget.turns:
        return f"the task's limit of turns is used up ({spent.turns} of {budget.turns})"
    if budget.tokens is not None and spent.tokens >= budget.tokens:
        return f"the task's limit of tokens is used up ({spent.tokens} of {budget.tokens})"
    return ""


def warnings(budget: Budget, before: BudgetUse, after: BudgetUse) -> tuple[str, ...]:
    """Return a warning for each limit of which a turn has used the first 80 %."""
    counts = (
        ("turns", budget.turns, before.turns, after.turns),
        ("tokens", budget.tokens, before.tokens, after.tokens),
    )
    return tuple(
        f"{now} of the task's {limit} {what} are used"
        for what, limit, then, now in counts
        if limit is not None and then < WARNING * limit <= now
    )


def context_warning(
    budget: Budget, before: ContextFill | None, after: ContextFill | None
) -> tuple[str, ...]:
    """Return a warning where an agent's context has come to 80 %, and once only."""
    is_new = fullness(budget, before) < WARNING <= fullness(budget, after)
    if not is_new or after is None:
        return ()
    return (f"the agent's context is {fullness(budget, after):.0%} full ({after.used} tokens)",)


def must_compact(budget: Budget, context: ContextFill | None) -> bool:
    """Tell whether an agent's context is so full that it must be compacted before the next turn."""
    return fullness(budget, context) >= CRITICAL


def fullness(budget: Budget, context: ContextFill | None) -> float:
    """Return how full a context is: of what the budget allows, or of the agent's own where smaller."""
    if context is None or context.size <= 0:
        return 0.0
    return context.used / min(context.size, budget.context_tokens or context.size)
