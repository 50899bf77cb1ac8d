"""The card that an amendment is shown as: a line for each change, + ~ -."""

from collections.abc import Iterator, Mapping

from domain.core.ids import TaskId
from domain.plans.changes import task_changes
from domain.plans.plan import PlannedTask
from domain.threads.amending.amendment import (
    AbortTask,
    AddTask,
    Amendment,
    Change,
    ModifyTask,
    RemoveTask,
)
from domain.threads.amending.problems import Tasks
from domain.threads.amending.revision import Amended

MAX_LINE = 400


def card(tasks: Tasks, amendment: Amendment, result: Amended) -> tuple[str, ...]:
    """Return the lines of a card, of the state of the plan that the amendment is proposed in."""
    written = {task.id: task for task in result.tasks}
    titles = {name: entry.task.title for name, entry in tasks.items()}
    titles |= {name: task.title for name, task in written.items()}
    lines = [f"{amendment.counts}: {amendment.why}"]
    for change in amendment.changes:
        lines += _lines(change, tasks, written, titles)
    for decision in amendment.decisions:
        labels = " | ".join(option.label for option in decision.options)
        lines.append(f"? {decision.id}: {decision.question} [{labels}]")
    return tuple(" ".join(line.split())[:MAX_LINE] if line[0] != " " else line for line in lines)


def _lines(
    change: Change,
    tasks: Tasks,
    written: Mapping[TaskId, PlannedTask],
    titles: Mapping[TaskId, str],
) -> Iterator[str]:
    because = f" ({change.reason})" if change.reason else ""
    match change:
        case AddTask():
            task = written[change.named[0]]
            yield f"+ {task.id}: {task.title}{because}"
            if task.depends_on:
                needs = ", ".join(f"{name} ({titles[name]})" for name in task.depends_on)
                yield f"    depends on: {' '.join(needs.split())}"[:MAX_LINE]
        case ModifyTask():
            name = change.task_id
            yield f"~ {name}: {_modified(tasks[name].task, written[name])}{because}"
        case RemoveTask():
            yield f"- {change.task_id}: removed, {titles[change.task_id]}{because}"
        case AbortTask():
            at_work = tasks[change.task_id].status.is_at_work
            what = "aborted while it runs" if at_work else "aborted"
            yield f"- {change.task_id}: {what}, {titles[change.task_id]}{because}"
        case _:
            yield f"~ order: {', then '.join(change.order)}, before all that wait{because}"


def _modified(before: PlannedTask, after: PlannedTask) -> str:
    """Say what changes in a task; what it depends on with both sides."""
    fields = [f for part in task_changes({"": before}, {"": after}) for f in part.fields]
    plain = [f.field for f in fields if f.field != "depends on"]
    text = f"modified {', '.join(plain)}" if plain else ""
    if any(f.field == "depends on" for f in fields):
        now = ", ".join(after.depends_on) or "nothing"
        was = ", ".join(before.depends_on) or "nothing"
        text = "; ".join(part for part in (text, f"depends on {now} instead of {was}") if part)
    return text or "stays as it is"
