"""Texts of merge conflicts: found, answered, resolved."""

from domain.core.event_text import EventText, error, highlight, info, warning
from domain.core.ids import TaskId
from domain.core.text import counted
from domain.reading.event_text.phrases import by
from domain.reading.event_text.registry import describe, describes, silence
from domain.tasks.conflicts import OfMerge
from domain.threads.merging import events as merging_events


def _task(about: OfMerge) -> TaskId | None:
    return about.task_id or None


@describes(merging_events.ConflictFound)
def _describe_conflict(event: merging_events.ConflictFound) -> EventText:
    found = event.conflict
    whose = f"Changes of {found.called} conflict" if found.session_id else ""
    return warning(
        f"{whose or found.named('Task') + ' conflicts'} in {', '.join(found.files)}",
        "\n".join(found.notes),
        task_id=_task(found),
        milestone="conflict",
    )


@describes(merging_events.ConflictAnswered)
def _describe_answer(event: merging_events.ConflictAnswered) -> EventText:
    return highlight(
        f"Conflict of {event.named()} answered{by(event.by)}: {event.how.spoken}",
        task_id=_task(event),
        milestone="conflict_answered",
    )


@describes(merging_events.ConflictPrepared)
def _describe_worktree(event: merging_events.ConflictPrepared) -> EventText:
    if event.failure:
        return error(event.failure, task_id=_task(event))
    where = f"is ready for you in {event.path}"
    return warning(f"Merge of {event.named()} {where}", task_id=_task(event))


@describes(merging_events.ConflictUnresolved)
def _describe_unresolved(event: merging_events.ConflictUnresolved) -> EventText:
    why = event.failure or f"conflict markers are left in {', '.join(event.files)}"
    return error(f"Conflict of {event.named()} is not resolved: {why}", task_id=_task(event))


@describes(merging_events.ConflictResolved)
def _describe_resolved(event: merging_events.ConflictResolved) -> EventText:
    then = "merging it is next" if event.session_id else "verification is next"
    return info(f"Conflict of {event.named()} resolved by hand; {then}", task_id=_task(event))


@describes(merging_events.ResolutionProposed)
def _describe_resolution(event: merging_events.ResolutionProposed) -> EventText:
    size = f"+{event.snapshot.insertions} −{event.snapshot.deletions}"
    files = counted(event.snapshot.file_count or len(event.snapshot.files), "file")
    return warning(
        f"The agent of {event.called} resolved its conflict ({size} in {files}): look at it, then "
        "say done",
        milestone="conflict",
    )


describe(
    merging_events.ConflictDropped,
    lambda event: info(f"Conflict of {event.named()} dropped{by(event.by)}", task_id=_task(event)),
)


@describes(merging_events.CollisionsChecked)
def _describe_collisions(event: merging_events.CollisionsChecked) -> EventText | None:
    pairs = (f"{c.first} and {c.second} in {', '.join(c.files)}" for c in event.found)
    count = counted(len(event.found), "conflict")
    return (
        warning(f"{count} ahead with the work as it is", "\n".join(pairs)) if event.found else None
    )


silence(merging_events.ConflictWorkRemoved)
