"""What a plan will likely cost, by what tasks cost before: an honest range, or that there is no history."""

from collections.abc import Sequence
from statistics import median

from domain.core.amounts import dollars
from domain.core.text import counted
from domain.core.wire import Wire
from domain.plans.plan import Mode, Plan

FEW = 3
"""Fewer tasks than this are no history."""


class PastTask(Wire):
    """What a task cost that is known in full: its mode, the agent that cost most in it, and its model."""

    mode: str
    agent: str = ""
    model: str = ""
    millionths: int = 0


class Expected(Wire):
    """A task that is to be done."""

    mode: str
    agent: str
    model: str = ""


class Estimate(Wire):
    """What tasks will likely cost, in millionths: the median, and the range of eight of ten.

    It is of `known` of the `tasks`, by `samples` tasks of before; those of the others nobody knows. With
    `is_of_others` some of these were tasks of other repositories.
    """

    tasks: int = 0
    known: int = 0
    samples: int = 0
    low: int = 0
    median: int = 0
    high: int = 0
    is_of_others: bool = False

    @property
    def words(self) -> str:
        """The estimate, as people read it."""
        if not self.known:
            return "no estimate yet: too few tasks with a known cost"
        whose = "across repositories" if self.is_of_others else "in this repository"
        by = f"based on {counted(self.samples, 'task')} {whose}"
        missing = self.tasks - self.known
        least = f", plus {counted(missing, 'task')} without history" if missing else ""
        amounts = f"{dollars(self.median)} ({dollars(self.low)} to {dollars(self.high)})"
        return f"{amounts}{least}, {by}"


def expected_tasks(plan: Plan, agent: str, model: str | None) -> list[Expected]:
    """Return the tasks of a plan with who does them; one without tasks is one task of mode code.

    One that several agents do at once is a task of each of them.
    """
    own = Expected(mode=Mode.CODE, agent=agent, model=model or "")
    return [
        Expected(
            mode=task.mode,
            agent=task.agent or agent,
            model=(task.model if task.agent else task.model or model) or "",
        )
        for planned in plan.tasks
        for task in planned.candidates or (planned,)
    ] or [own]


def estimate(
    tasks: Sequence[Expected], own: Sequence[PastTask], others: Sequence[PastTask]
) -> Estimate:
    """Return what tasks will likely cost; `own` are those of the same repository, the newest first."""
    found = [_like(task, own, others) for task in tasks]
    known = [(costs, is_others) for costs, is_others in found if costs]
    return Estimate(
        tasks=len(tasks),
        known=len(known),
        samples=max((len(costs) for costs, _ in known), default=0),
        low=sum(quantile(costs, 10) for costs, _ in known),
        median=sum(round(median(costs)) for costs, _ in known),
        high=sum(quantile(costs, 90) for costs, _ in known),
        is_of_others=any(is_others for _, is_others in known),
    )


def _like(
    task: Expected, own: Sequence[PastTask], others: Sequence[PastTask]
) -> tuple[list[int], bool]:
    """Return what tasks like one cost, as like as there are enough of, and whether they are of others."""
    mine = [past for past in own if past.agent == task.agent]
    like = [past for past in mine if past.mode == task.mode]
    same = [past for past in like if past.model == task.model]
    elsewhere = [p for p in others if (p.agent, p.mode) == (task.agent, task.mode)]
    for history in (same, like, mine, elsewhere):
        if len(history) >= FEW:
            return sorted(past.millionths for past in history), history is elsewhere
    return [], False


def quantile(ordered: Sequence[int], percent: int) -> int:
    """Return the value that so many percent of some values do not pass, of values in order."""
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]
