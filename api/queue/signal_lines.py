"""The `temporal workflow signal` commands of the queue."""

from collections.abc import Iterator

from domain.core.approvals import signal_line
from domain.core.command import Coded
from domain.core.ids import CommandId
from domain.core.ports import CodeKey
from domain.queue.commands import MoveEntry, ReleaseEntry
from domain.queue.entry import EntryState
from domain.queue.inputs import QUEUE
from domain.reading.queue import EntryView, QueueView


def with_queue_lines(view: QueueView, key: CodeKey, address: str) -> QueueView:
    """Add the commands that release the queue, and release or move waiting entries."""
    secret, position = key.read(), view.position

    def line(command: Coded) -> str:
        return signal_line(secret, QUEUE, command, address)

    def lined(shown: EntryView) -> EntryView:
        lines = {name: line(command) for name, command in _of_entry(shown, position)}
        return shown.model_copy(update={"signal_lines": lines})

    release = ReleaseEntry(command_id=CommandId(f"line-release-{position}"))
    return view.model_copy(
        update={
            "entries": tuple(lined(shown) for shown in view.entries),
            "signal_lines": {"release": line(release)} if view.is_held else {},
        }
    )


def _of_entry(shown: EntryView, position: int) -> Iterator[tuple[str, Coded]]:
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
    yield "move", MoveEntry(command_id=CommandId(f"line-move-{name}-{position}"), entry_id=name)
