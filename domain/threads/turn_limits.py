"""What turns of a thread and its tasks may cost."""

from domain.agents.limits.money import TurnLimits, lowest
from domain.plans.plan import PlannedTask
from domain.threads.events import ThreadOpened


def turn_limits(opened: ThreadOpened, task: PlannedTask | None = None) -> TurnLimits | None:
    """Return the lowest of what the thread, its template and its plan allow; None where that is no limit.

    What threads below a thread cost counts for the outermost one, and what candidates cost for the task that they do.
    """
    planner, usual = opened.planner, opened.template.money
    above = opened.parent.above if opened.parent else ()
    limits = TurnLimits(
        thread=above[0] if above else "",
        task=task.candidate_of if task else "",
        thread_usd=lowest(planner.max_thread_usd, usual.max_thread_usd),
        task_usd=lowest(planner.max_task_usd, usual.max_task_usd, task and task.max_usd),
    )
    return None if limits == TurnLimits() else limits
