"""What of a plan does not change while its tasks run, and sets of its tasks as the bits of numbers."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from domain.core import graphs
from domain.core.ids import TaskId
from domain.plans.plan import PlannedTask


class PlanShape:
    """The order of a plan's tasks, and who needs whom; a task's bit is its place in the plan.

    Candidates have places of their own beside the task that they do at once, which is a contest.
    """

    def __init__(self, tasks: Sequence[PlannedTask]) -> None:
        needs = {task.id: task.depends_on for task in tasks}
        self.order = tuple(needs)
        self.places = {task_id: place for place, task_id in enumerate(self.order)}
        self.needs = tuple(self.bits(needed) for needed in needs.values())
        needed_by = [list[int]() for _ in self.order]
        for place, needed in enumerate(needs.values()):
            for each in needed:
                if each in self.places:
                    needed_by[self.places[each]].append(place)
        self.needed_by = tuple(map(tuple, needed_by))
        self.candidates = self.bits(tuple(t.id for t in tasks if t.candidate_of))
        self.contests = self.bits(tuple(t.id for t in tasks if t.is_contest))
        self.deciding = self.bits(tuple(t.id for t in tasks if t.decision_id is not None))
        self._graph: graphs.Graph = {str(task_id): on for task_id, on in needs.items()}

    def bits(self, names: tuple[TaskId, ...]) -> int:
        """Return some tasks as a set; one that is not in the plan is never completed."""
        found = 0
        for name in names:
            found |= 1 << self.places.get(name, len(self.order))
        return found

    @cached_property
    def above(self) -> tuple[int, ...]:
        """What each task needs, directly or through others."""
        found = [0] * len(self.order)
        for wave in self.waves:
            for place in members(wave):
                for needed in members(self.needs[place] & ((1 << len(self.order)) - 1)):
                    found[place] |= 1 << needed | found[needed]
        return tuple(found)

    @cached_property
    def waves(self) -> tuple[int, ...]:
        """The parallel groups: each needs only earlier ones."""
        layers = graphs.layers(self._graph)
        return tuple(self.bits(tuple(map(TaskId, layer))) for layer in layers)


def members(bits: int) -> Iterator[int]:
    """Yield the members of a set, in order."""
    while bits:
        yield lowest(bits)
        bits &= bits - 1


def lowest(bits: int) -> int:
    """Return the place of the first in a set."""
    return (bits & -bits).bit_length() - 1
