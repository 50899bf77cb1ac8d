"""Texts of merge conflicts: found, answered, resolved."""

from domain.core.event_text import EventText, error, highlight, info, warning
from domain.core.text import counted
from domain.reading.event_text.phrases import by
from domain.reading.event_text.registry import describe, describes, silence
from domain.threads.merging import events as merging_events


@describes(merging_events.ConflictFound)
def _describe_conflict(event: merging_events.ConflictFound) -> EventText:
    found = event.conflict
    return warning(
        f"Task {found.task_id} conflicts in {', '.join(found.files)}",
        "\n".join(found.notes),
        task_id=found.task_id,
        milestone="conflict",
    )


@describes(merging_events.ConflictAnswered)
def _describe_answer(event: merging_events.ConflictAnswered) -> EventText:
    return highlight(
        f"Conflict of task {event.task_id} answered{by(event.by)}: {event.how.spoken}",
        task_id=event.task_id,
        milestone="conflict_answered",
    )


@describes(merging_events.ConflictPrepared)
def _describe_worktree(event: merging_events.ConflictPrepared) -> EventText:
    if event.failure:
        return error(event.failure, task_id=event.task_id)
    where = f"is ready for you in {event.path}"
    return warning(f"Merge of task {event.task_id} {where}", task_id=event.task_id)


@describes(merging_events.ConflictUnresolved)
def _describe_unresolved(event: merging_events.ConflictUnresolved) -> EventText:
    why = event.failure or f"conflict markers are left in {', '.join(event.files)}"
    summary = f"Conflict of task {event.task_id} is not resolved: {why}"
    return error(summary, task_id=event.task_id)


describe(
    merging_events.ConflictResolved,
    lambda event: info(
        f"Conflict of task {event.task_id} resolved by hand; verification is next",
        task_id=event.task_id,
    ),
)
describe(
    merging_events.ConflictDropped,
    lambda event: info(f"Conflict of task {event.task_id} dropped", task_id=event.task_id),
)


@describes(merging_events.CollisionsChecked)
def _describe_collisions(event: merging_events.CollisionsChecked) -> EventText | None:
    pairs = (f"{c.first} and {c.second} in {', '.join(c.files)}" for c in event.found)
    count = counted(len(event.found), "conflict")
    return (
        warning(f"{count} ahead with the work as it is", "\n".join(pairs)) if event.found else None
    )


silence(merging_events.ConflictWorkRemoved)
