"""Plans side by side: what a person compares before they select one."""

from collections.abc import Iterable, Sequence
from statistics import median

from domain.core import graphs
from domain.core.wire import Wire
from domain.plans.plan import Mode, Plan, RunsAs

MAX_FILES = 200


class FinishedTaskCost(Wire):
    """What a finished task took: a piece of history to expect from."""

    mode: Mode
    turns: int
    tokens: int


class ExpectedCost(Wire):
    """What a plan will likely take, None where nothing tells.

    `at_most` sums the budgets of its tasks, where all have one. `expected` takes the median of
    finished tasks of the same mode, else of all, `known` of them.
    """

    turns_at_most: int | None = None
    tokens_at_most: int | None = None
    expected_turns: int | None = None
    expected_tokens: int | None = None
    known: int = 0


class PlanSummary(Wire):
    """One plan in a comparison; `critical_path` is its longest chain of tasks."""

    revision: int
    planner: str
    approach: str
    summary: str
    key_risk: str
    tasks: int
    child_threads: int
    decisions: int
    warnings: int
    parallel_groups: tuple[tuple[str, ...], ...]
    critical_path: tuple[str, ...]
    files: tuple[str, ...]
    cost: ExpectedCost


class Comparison(Wire):
    """Plans side by side; `shared_files` are areas that all of them name."""

    plans: tuple[PlanSummary, ...]
    shared_files: tuple[str, ...] = ()


def summarised(plan: Plan, history: Sequence[FinishedTaskCost], **of: str | int) -> PlanSummary:
    """Return what is compared of a plan; `of` says its revision, planner and number of warnings."""
    return PlanSummary.model_validate(
        {
            "approach": plan.approach,
            "summary": plan.summary,
            "key_risk": plan.key_risk,
            "tasks": len(plan.tasks),
            "child_threads": sum(task.runs_as is RunsAs.THREAD for task in plan.tasks),
            "decisions": len(plan.decisions),
            "parallel_groups": plan.parallel_groups,
            "critical_path": graphs.longest_path(plan.graph),
            "files": plan.files[:MAX_FILES],
            "cost": expected_cost(plan, history),
            **of,
        }
    )


def compared(plans: Iterable[PlanSummary]) -> Comparison:
    """Return plans side by side."""
    columns = tuple(plans)
    shared = [f for f in columns[0].files if all(f in c.files for c in columns)] if columns else []
    return Comparison(plans=columns, shared_files=tuple(shared))


def expected_cost(plan: Plan, history: Sequence[FinishedTaskCost]) -> ExpectedCost:
    """Return what a plan will likely take, by its budgets and by what other tasks took."""
    # a plan without tasks runs as one task of mode code
    modes = [task.mode for task in plan.tasks] or [Mode.CODE]
    return ExpectedCost(
        turns_at_most=_sum([task.max_turns for task in plan.tasks]),
        tokens_at_most=_sum([task.max_tokens for task in plan.tasks]),
        expected_turns=_expected(modes, [(s.mode, s.turns) for s in history]),
        expected_tokens=_expected(modes, [(s.mode, s.tokens) for s in history if s.tokens]),
        known=len(history),
    )


def _sum(budgets: Sequence[int | None]) -> int | None:
    known = [budget for budget in budgets if budget is not None]
    return sum(known) if known and len(known) == len(budgets) else None


def _expected(modes: Sequence[Mode], spent: Sequence[tuple[Mode, int]]) -> int | None:
    if not spent:
        return None
    overall = median(amount for _, amount in spent)
    of_mode = {mode: [amount for m, amount in spent if m is mode] for mode in set(modes)}
    return round(sum(median(of_mode[m]) if of_mode[m] else overall for m in modes))
