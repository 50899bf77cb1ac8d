"""Texts of the base of a thread's branch."""

from domain.core.event_text import EventText, error, info, success, warning
from domain.core.text import counted
from domain.reading.event_text.phrases import by
from domain.reading.event_text.registry import describe, describes
from domain.threads.bases import events as base_events

describe(base_events.BaseRequested, lambda event: f"Updating from the base{by(event.by)}")


@describes(base_events.BaseChecked)
def _describe_check(event: base_events.BaseChecked) -> EventText:
    look = event.look
    name = f"{look.base or 'the base'}{f' of {look.remote}' if look.remote else ''}"
    moved = f"{name} has {counted(look.behind, 'new commit')}"
    if event.failure:
        return error(f"Not taken in: {name}: {event.failure}")
    if event.conflicts:
        return error(f"{moved}, in conflict with the branch: {', '.join(event.conflicts[:5])}")
    if event.commit:
        return success(f"{moved}, now in the branch: {event.commit[:12]}")
    if look.note:
        return warning(look.note)
    return info(moved if look.behind else f"{name} has nothing new")
