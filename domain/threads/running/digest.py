"""What agents are told of a plan's tasks: all of them, or of a large plan a digest and pages.

A digest counts the tasks by status, names those that need attention, and says how the others are looked up.
"""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from domain.core.closest import known_names
from domain.core.errors import NotFoundError
from domain.core.event_text import cut
from domain.core.ids import TaskId
from domain.core.text import counted, on_one_line, spaced
from domain.plans.handoff import WHOLE_PLAN
from domain.tasks.status import TaskFilter, TaskStatus
from domain.threads.running.health import port_lines, task_line, task_table
from domain.threads.state import ThreadState

PAGE = 100
MAX_NAMED = 12
"""Tasks of each group of a digest that are told in a line of their own."""

MAX_LINE = 240
MAX_DIGEST = 12_000
"""Characters of a digest: three groups of lines, and what is around them."""

MAX_LISTED = 30
"""Questions and ports of a large plan that are told."""

_HOW = (
    "The tool `task_status` lists the others, 100 at a time: with `status` one of all, waiting, "
    f"{', '.join(TaskStatus)}, and `after` the last id of the page before."
)


class Group(NamedTuple):
    """Tasks of a digest that need attention for the same reason."""

    title: str
    tasks: tuple[TaskId, ...]


def is_large(state: ThreadState) -> bool:
    """Tell whether a plan has too many tasks for all of them to be told at once."""
    return len(state.tasks) > WHOLE_PLAN


def told_tasks(state: ThreadState) -> str:
    """Return where the tasks stand: each in a line, of a large plan the digest."""
    return digest(state) if is_large(state) else task_table(state)


def digest(state: ThreadState) -> str:
    """Return the counts by status, the tasks that need attention, and how to list the others."""
    lines = [f"{counted(len(state.tasks), 'task')}: {counts(state)}.", ""]
    for title, tasks in attention(state):
        lines.append(f"{title} ({len(tasks):,}):")
        lines += _lines(tasks[:MAX_NAMED], state)
        left = len(tasks) - MAX_NAMED
        lines += [f"- … and {left:,} more"] if left > 0 else []
        lines.append("")
    return "\n".join((*lines, _HOW))


def counts(state: ThreadState) -> str:
    """Return how many tasks have each status, those that none has left out."""
    numbers = ((state.tasks.count(status), status) for status in TaskStatus)
    return ", ".join(f"{number:,} {spaced(status)}" for number, status in numbers if number)


def attention(state: ThreadState) -> tuple[Group, ...]:
    """Return the tasks that stopped, wait for a person, or are at work; each is in one group."""
    stopped = tuple(state.tasks.of_status(TaskStatus.FAILED, TaskStatus.CANCELLED))
    waiting = tuple(_waiting(state))
    asking = frozenset(waiting)
    working = tuple(name for name, _ in state.tasks.at_work() if name not in asking)
    groups = (
        Group("Failed or cancelled", stopped),
        Group("Waiting for a person", waiting),
        Group("At work", working),
    )
    return tuple(group for group in groups if group.tasks)


def _waiting(state: ThreadState) -> Iterable[TaskId]:
    """Yield the tasks that go on only after a person has answered, in the plan's order."""
    active = (TaskStatus.PLANNING, TaskStatus.RUNNING, TaskStatus.NEEDS_DECISION)
    for name, entry in state.tasks.having(*active):
        progress = entry.progress
        asks = progress is not None and progress.run == entry.run and bool(progress.asks)
        is_open = entry.end is None or name in state.merges.open
        is_asking = is_open and (asks or name in state.merges.open or _is_to_choose(name, state))
        if entry.status is TaskStatus.NEEDS_DECISION or is_asking:
            yield name


def _is_to_choose(name: TaskId, state: ThreadState) -> bool:
    """Tell whether a person is asked whose work is taken, of those who did a task at once."""
    contest = state.contests.get(name)
    return contest is not None and contest.request is not None


def page(state: ThreadState, wanted: TaskFilter, after: TaskId | None) -> str:
    """Return the next tasks of a status in the plan's order, and how the page after it is asked for.

    Raises:
        NotFoundError: The plan has no task `after`.
    """
    order = {name: place for place, name in enumerate(state.tasks)}
    if after and after not in order:
        known = known_names(after, state.tasks)
        raise NotFoundError(f"no task {after!r} to go on after; this plan has: {known}")
    names = _filtered(state, wanted)
    if after:
        names = [name for name in names if order[name] > order[after]]
    shown, left = names[:PAGE], len(names) - PAGE
    word = "" if wanted is TaskFilter.ALL else f"{spaced(wanted)} "
    head = f"{counted(len(names), f'{word}task')}{f' after {after}' if after else ''}:"
    lines = [head, *_lines(shown, state)] if names else [f"no {word}task is left"]
    more = [f"… and {left:,} more: call it again with `after` {shown[-1]}"] if left > 0 else []
    return "\n".join([*lines, *more])


def _filtered(state: ThreadState, wanted: TaskFilter) -> list[TaskId]:
    match wanted:
        case TaskFilter.ALL:
            return list(state.tasks)
        case TaskFilter.WAITING:
            return list(_waiting(state))
        case _:
            return list(state.tasks.of_status(TaskStatus(wanted)))


def _lines(names: Iterable[TaskId], state: ThreadState) -> list[str]:
    return [cut(on_one_line(task_line(n, state.tasks[n], state)), MAX_LINE) for n in names]


def told_ports(state: ThreadState) -> str:
    """Return the ports of all tasks; of a large plan the first of those that are at work."""
    if not is_large(state):
        return "\n".join(port_lines(state.tasks.items()))
    return "\n".join(first_of(port_lines(state.tasks.at_work())))


def first_of(lines: Iterable[str]) -> list[str]:
    """Return the first lines, and how many more there are."""
    rest = iter(lines)
    shown = [cut(on_one_line(line), MAX_LINE) for line in islice(rest, MAX_LISTED)]
    left = sum(1 for _ in rest)
    return [*shown, f"… and {left:,} more"] if left else shown
