"""What the rules ask of all tasks of a plan, kept up to date as single tasks change."""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from rpds import HashTrieMap

from domain.core.ids import TaskId
from domain.core.progress import TaskProgress
from domain.tasks.status import TaskStatus
from domain.threads.running.plan_shape import PlanShape
from domain.threads.running.state import ThreadTask


class TaskSets(NamedTuple):
    """The tasks of each kind, as bits."""

    of_status: tuple[int, ...]
    """By the order of TaskStatus."""

    ready: int
    """All that they need is completed."""

    learned: int
    """They have learnings that the thread has not taken."""

    insertions: int = 0
    deletions: int = 0
    changing: "HashTrieMap[str, int]" = HashTrieMap()
    """By path, the tasks whose newest run changed the file."""

    mark: int = 0
    """Changes with all that the file of a plan tells of its tasks."""


PLACE_OF = {status: place for place, status in enumerate(TaskStatus)}


def sets_of(shape: PlanShape, entries: Mapping[TaskId, ThreadTask]) -> TaskSets:
    """Return the sets of tasks in the order of a plan."""
    of_status = [0] * len(TaskStatus)
    learned = insertions = deletions = mark = 0
    changing: HashTrieMap[str, int] = HashTrieMap()
    for place, entry in enumerate(entries.values()):
        of_status[PLACE_OF[entry.status]] |= 1 << place
        learned |= bool(entry.learned) << place
        insertions += _lines(entry)[0]
        deletions += _lines(entry)[1]
        changing = _changing(changing, 1 << place, (), _files(entry))
        mark ^= _mark(place, entry)
    completed = of_status[PLACE_OF[TaskStatus.COMPLETED]]
    ready = sum(1 << place for place, needs in enumerate(shape.needs) if not needs & ~completed)
    return TaskSets(tuple(of_status), ready, learned, insertions, deletions, changing, mark)


def sets_after(
    sets: TaskSets, shape: PlanShape, place: int, before: ThreadTask, after: ThreadTask
) -> TaskSets:
    """Return the sets after one task has changed."""
    bit = 1 << place
    of_status, ready = sets.of_status, sets.ready
    if after.status is not before.status:
        left, found = list(of_status), PLACE_OF[after.status]
        left[PLACE_OF[before.status]] &= ~bit
        left[found] |= bit
        of_status = tuple(left)
        if TaskStatus.COMPLETED in {before.status, after.status}:
            ready = _ready(ready, shape, place, of_status[PLACE_OF[TaskStatus.COMPLETED]])
    learned = sets.learned | bit if after.learned else sets.learned & ~bit
    insertions, deletions, changing = sets.insertions, sets.deletions, sets.changing
    if after.progress is not before.progress:
        insertions += _lines(after)[0] - _lines(before)[0]
        deletions += _lines(after)[1] - _lines(before)[1]
        changing = _changing(changing, bit, _files(before), _files(after))
    mark = sets.mark
    if _told(after) != _told(before):
        mark ^= _mark(place, before) ^ _mark(place, after)
    return TaskSets(of_status, ready, learned, insertions, deletions, changing, mark)


def _told(entry: ThreadTask) -> tuple[object, ...]:
    """Return what the file of a plan tells of a task."""
    return (entry.status, entry.run, entry.merge_commit, entry.notes)


def _mark(place: int, entry: ThreadTask) -> int:
    told = json.dumps((place, entry.task.id, *_told(entry))).encode()
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest())


def _changing(
    changing: "HashTrieMap[str, int]", bit: int, before: tuple[str, ...], after: tuple[str, ...]
) -> "HashTrieMap[str, int]":
    """Return who changed which file after a task changed others than before."""
    if before == after:
        return changing
    for file in before:
        left = changing[file] & ~bit
        changing = changing.insert(file, left) if left else changing.remove(file)
    for file in after:
        changing = changing.insert(file, changing.get(file, 0) | bit)
    return changing


def _files(entry: ThreadTask) -> tuple[str, ...]:
    progress = _counted(entry)
    return tuple(dict.fromkeys(progress.files)) if progress else ()


def _counted(entry: ThreadTask) -> TaskProgress | None:
    """Return how far a task is; a candidate's lines and files count only as those of its task."""
    return None if entry.task.candidate_of else entry.progress


def _ready(ready: int, shape: PlanShape, place: int, completed: int) -> int:
    """Return which tasks have all that they need, after one of those it is up to has changed."""
    for other in shape.needed_by[place]:
        if shape.needs[other] & ~completed:
            ready &= ~(1 << other)
        else:
            ready |= 1 << other
    return ready


def _lines(entry: ThreadTask) -> tuple[int, int]:
    progress = _counted(entry)
    return (progress.insertions, progress.deletions) if progress is not None else (0, 0)
