"""The repair of a plan's dependencies: unknown, own and circular ones are removed."""

from domain.core import graphs
from domain.core.ids import TaskId
from domain.plans.plan import Plan
from domain.plans.proposals.problems import MAX_WORDS, Problem, ProblemType, refusal
from domain.plans.warnings import PlanWarning, WarningKind

MAX_REMOVED = 50
_SHOWN = 10


def repair_dependencies(plan: Plan) -> tuple[Plan, tuple[PlanWarning, ...]]:
    """Return a plan with sound dependencies, and a warning for each one that was removed.

    Raises:
        InvalidPlanError: There are too many to show; such a plan is not one to repair.
    """
    graph, found = _known(plan)
    closing: set[tuple[str, str]] = set()
    for cycle in graphs.cycles(graph):
        found.append(_circular(cycle))
        closing.add((cycle[-2], cycle[-1]))
        if len(found) > MAX_REMOVED:
            break
    if len(found) > MAX_REMOVED:
        raise refusal(found[:MAX_REMOVED])
    tasks = tuple(
        task.model_copy(
            update={"depends_on": tuple(d for d in graph[task.id] if (task.id, d) not in closing)}
        )
        for task in plan.tasks
    )
    warnings = tuple(PlanWarning(kind=WarningKind.REMOVED, text=str(each)) for each in found)
    return plan.model_copy(update={"tasks": tasks}), warnings


def _known(plan: Plan) -> tuple[dict[str, list[TaskId]], list[Problem]]:
    """Return the plan's graph without dependencies on nothing or on oneself, and what was removed."""
    graph: dict[str, list[TaskId]] = {task.id: [] for task in plan.tasks}
    removed: list[Problem] = []
    for task in plan.tasks:
        where = f"task {task.id!r}"
        for needed in dict.fromkeys(task.depends_on):
            if needed == task.id:
                words = f"{task.id} → {task.id}: it depended on itself; removed"
                removed.append(Problem(where, ProblemType.CYCLE, words))
            elif needed not in graph:
                words = f"it depended on {needed!r}, which is no task of this plan; removed"
                removed.append(Problem(where, ProblemType.UNKNOWN_DEPENDENCY, words))
            else:
                graph[task.id].append(needed)
    return graph, removed


def _circular(cycle: list[str]) -> Problem:
    last, first = cycle[-2:]
    words = f"the dependency of {last!r} on {first!r} was removed"
    path = " → ".join(cycle)
    if len(path) + len(words) + 2 * len(last) > MAX_WORDS - len(f"task : {ProblemType.CYCLE}: ; "):
        path = " → ".join([*cycle[:_SHOWN], f"({len(cycle) - 1 - _SHOWN} more)", first])
    return Problem(f"task {last!r}", ProblemType.CYCLE, f"{words}: {path}")
