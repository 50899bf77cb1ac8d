"""The `temporal workflow signal` commands of the queue."""

from collections.abc import Iterator

from api.core.signal_lines import SignalLines
from domain.core.command import Proven
from domain.core.ids import CommandId
from domain.people.roles import EVERY_PROJECT
from domain.queue.commands import HoldEntry, MoveEntry, ReleaseEntry, RemoveEntry
from domain.queue.entry import EntryState
from domain.queue.inputs import QUEUE
from domain.reading.queue import EntryView, QueueView


def with_queue_lines(view: QueueView, lines: SignalLines) -> QueueView:
    """Add the commands that release the queue, and release or move waiting entries."""
    position = view.position

    def lined(shown: EntryView) -> EntryView:
        commands = ((name, QUEUE, command) for name, command in _of_entry(shown, position))
        own = lines.of(shown.entry.project, commands)
        return shown.model_copy(update={"signal_lines": own})

    release = ReleaseEntry(command_id=CommandId(f"line-release-{position}"))
    hold = HoldEntry(command_id=CommandId(f"line-hold-{position}"))
    whole = [("release", QUEUE, release)] if view.is_held else [("hold", QUEUE, hold)]
    return view.model_copy(
        update={
            "entries": tuple(lined(shown) for shown in view.entries),
            "signal_lines": lines.of(EVERY_PROJECT, whole),
        }
    )


def _of_entry(shown: EntryView, position: int) -> Iterator[tuple[str, Proven]]:
    entry = shown.entry
    name, state = entry.entry_id, entry.state
    if not state.is_before_start:
        return
    if state is EntryState.HELD or entry.is_refused:
        command_id = CommandId(f"line-release-{name}-{position}")
        yield "release", ReleaseEntry(command_id=command_id, entry_id=name)
    elif entry.after and not entry.is_anyway:
        command_id = CommandId(f"line-anyway-{name}-{position}")
        yield "release anyway", ReleaseEntry(command_id=command_id, entry_id=name, is_anyway=True)
    else:
        yield "hold", HoldEntry(command_id=CommandId(f"line-hold-{name}-{position}"), entry_id=name)
    remove = RemoveEntry(command_id=CommandId(f"line-remove-{name}-{position}"), entry_id=name)
    yield "remove", remove
    yield "move", MoveEntry(command_id=CommandId(f"line-move-{name}-{position}"), entry_id=name)
