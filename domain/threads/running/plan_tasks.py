"""The tasks of a plan, with what the rules ask of all of them kept up to date.

A rule that looks at every task after every event costs the square of the plan. So what it asks (which
can start, which are at work, how many are done) follows from each change: sets are bits of a number, a
task's bit is its place in the plan, and tasks that did not change are shared between versions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema
from rpds import HashTrieMap

from domain.core.ids import TaskId
from domain.tasks.status import TaskStatus
from domain.threads.running.plan_shape import PlanShape, lowest, members
from domain.threads.running.state import ThreadTask
from domain.threads.running.task_sets import PLACE_OF, TaskSets, sets_after, sets_of

AT_WORK = (TaskStatus.PLANNING, TaskStatus.RUNNING)
WAITING = (TaskStatus.PENDING, TaskStatus.NEEDS_DECISION)
STOPPED = (TaskStatus.FAILED, TaskStatus.BLOCKED, TaskStatus.CANCELLED)


class PlanTasks(Mapping[TaskId, ThreadTask]):
    """The tasks by id, in the plan's order; it never changes, `with_task` returns another.

    Of a task that several agents do at once each has an entry as well. These candidates are found by
    their ids, they start and are at work; what lists or counts tasks leaves them out (0090).
    """

    __slots__ = ("_entries", "_shape", "sets")

    def __init__(
        self, shape: PlanShape, entries: "HashTrieMap[TaskId, ThreadTask]", sets: TaskSets
    ) -> None:
        self._shape = shape
        self._entries = entries
        self.sets = sets

    @classmethod
    def of(cls, entries: Mapping[TaskId, ThreadTask]) -> Self:
        """Index tasks."""
        if isinstance(entries, cls):
            return entries
        shape = PlanShape([entry.task for entry in entries.values()])
        return cls(shape, HashTrieMap(entries), sets_of(shape, entries))

    def with_task(self, task_id: TaskId, entry: ThreadTask) -> Self:
        """Return the tasks with one changed, at a cost that does not grow with their number."""
        before = self._entries[task_id]
        if entry.task is not before.task:
            return type(self).of({**self.everything, task_id: entry})
        entries = self._entries.insert(task_id, entry)
        sets = sets_after(self.sets, self._shape, self._shape.places[task_id], before, entry)
        return type(self)(self._shape, entries, sets)

    # --- as a mapping

    def __getitem__(self, task_id: TaskId) -> ThreadTask:
        return self._entries[task_id]

    def __contains__(self, task_id: object) -> bool:
        return task_id in self._shape.places

    def __iter__(self) -> Iterator[TaskId]:
        if not self._shape.candidates:
            return iter(self._shape.order)
        return (name for name in self._shape.order if not self._entries[name].task.candidate_of)

    def __len__(self) -> int:
        return len(self._shape.order) - self._shape.candidates.bit_count()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlanTasks) and self.everything == other.everything

    __hash__ = None  # pyright: ignore[reportAssignmentType] as Mapping has it

    def __deepcopy__(self, _memo: object = None) -> Self:
        """Return itself, as `Wire` does."""
        return self

    def __repr__(self) -> str:
        return f"PlanTasks({self.everything!r})"

    @property
    def everything(self) -> dict[TaskId, ThreadTask]:
        """All entries: the tasks, and the candidates of those that several agents do."""
        return {name: self._entries[name] for name in self._shape.order}

    def candidates_of(self, task_id: TaskId) -> list[tuple[TaskId, ThreadTask]]:
        """Return those who do a task at once, in order; none of any other task."""
        found = ((name, self._entries[name]) for name in self._named(self._shape.candidates))
        return [each for each in found if each[1].task.candidate_of == task_id]

    def waiting_candidates(self) -> Iterator[TaskId]:
        """Yield the candidates that have not begun."""
        return self._named(self._with(WAITING) & self._shape.candidates)

    def contests(self) -> Iterator[tuple[TaskId, ThreadTask]]:
        """Yield the tasks that several agents do at once."""
        return ((name, self._entries[name]) for name in self._named(self._shape.contests))

    # --- what the rules ask

    def count(self, *statuses: TaskStatus) -> int:
        """Return how many tasks have one of some statuses."""
        return (self._with(statuses) & ~self._shape.candidates).bit_count()

    def of_status(self, *statuses: TaskStatus) -> Iterator[TaskId]:
        """Yield the tasks that have one of some statuses, in the plan's order."""
        return self._named(self._with(statuses) & ~self._shape.candidates)

    def having(self, *statuses: TaskStatus) -> Iterator[tuple[TaskId, ThreadTask]]:
        """Yield the tasks that have one of some statuses with their ids, in the plan's order."""
        return ((name, self._entries[name]) for name in self.of_status(*statuses))

    def at_work(self) -> Iterator[tuple[TaskId, ThreadTask]]:
        """Yield the tasks of which a run is under way: of one that several agents do, its candidates."""
        found = self._named(self._with(AT_WORK) & ~self._shape.contests)
        return ((name, self._entries[name]) for name in found)

    def startable(self) -> "Startable":
        """Return the tasks that wait, and for no other task, in the plan's order."""
        deciding = self._shape.deciding | self._with((TaskStatus.NEEDS_DECISION,))
        waiting = self._with(WAITING) & self.sets.ready & ~self._shape.contests
        return Startable(self._shape.order, waiting, deciding)

    def learned(self) -> Iterator[TaskId]:
        """Yield the completed tasks whose learnings the thread has not taken."""
        return self._named(self.sets.learned & self._with((TaskStatus.COMPLETED,)))

    @property
    def is_completed(self) -> bool:
        """Whether every task is completed."""
        return self.count(TaskStatus.COMPLETED) == len(self)

    @property
    def is_moving(self) -> bool:
        """Whether some task is at work, or will start by itself or with a decision."""
        active = self._with((*AT_WORK, TaskStatus.NEEDS_DECISION))
        found = active | self._with((TaskStatus.PENDING,)) & self.sets.ready
        return bool(found & ~self._shape.contests)

    @property
    def mark(self) -> str:
        """A name for all that the file of the plan tells of its tasks."""
        return f"{self.sets.mark:016x}"

    @property
    def insertions(self) -> int:
        """How many lines the newest runs added, as far as they told."""
        return self.sets.insertions

    @property
    def deletions(self) -> int:
        """How many lines the newest runs removed, as far as they told."""
        return self.sets.deletions

    @property
    def waves(self) -> int:
        """How many parallel groups there are."""
        return len(self._shape.waves)

    def wave(self, number: int) -> list[TaskId]:
        """Return the tasks of a parallel group, from 0."""
        return list(self._named(self._shape.waves[number] & ~self._shape.candidates))

    def is_over(self, wave: int) -> bool:
        """Tell whether no task of a parallel group waits or is at work."""
        return not self._shape.waves[wave] & self._with((*WAITING, *AT_WORK))

    def is_apart(self, task_id: TaskId) -> bool:
        """Tell whether no file of a task was changed by another one, of those that it is not built on."""
        entry, place = self._entries[task_id], self._shape.places[task_id]
        others = self._with((*AT_WORK, TaskStatus.COMPLETED))
        others &= ~(self._shape.above[place] | 1 << place | self._shape.candidates)
        files = entry.progress.files if entry.progress else ()
        return not any(self.sets.changing.get(file, 0) & others for file in files)

    def dependants(self, task_id: TaskId) -> list[TaskId]:
        """Return every task that needs one, directly or through others, in the plan's order."""
        found, new = 0, [self._shape.places[task_id]]
        while new:
            for place in self._shape.needed_by[new.pop()]:
                if not found >> place & 1:
                    found |= 1 << place
                    new.append(place)
        return list(self._named(found))

    def by_wave(self, names: Iterable[TaskId]) -> list[TaskId]:
        """Return some tasks in an order in which each comes after those that it needs."""
        wanted = self._shape.bits(tuple(names))
        return [name for wave in self._shape.waves for name in self._named(wave & wanted)]

    def _with(self, statuses: tuple[TaskStatus, ...]) -> int:
        found = 0
        for status in statuses:
            found |= self.sets.of_status[PLACE_OF[status]]
        return found

    def _named(self, bits: int) -> Iterator[TaskId]:
        order = self._shape.order
        return (order[place] for place in members(bits))

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        plain = handler.generate_schema(dict[TaskId, ThreadTask])
        return core_schema.no_info_after_validator_function(
            cls.of,
            plain,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda tasks: tasks.everything, return_schema=plain
            ),
        )


class Startable(Iterator[TaskId]):
    """Tasks that can start, one after the other, as long as there is room."""

    def __init__(self, order: Sequence[TaskId], bits: int, deciding: int) -> None:
        self._order = order
        self._bits = bits
        self._deciding = deciding

    def __next__(self) -> TaskId:
        bits = self._bits
        if not bits:
            raise StopIteration
        self._bits = bits & (bits - 1)
        return self._order[lowest(bits)]

    def leave_decisions(self) -> None:
        """Pass over what only waits for room: of the rest, those with a decision are left."""
        self._bits &= self._deciding
