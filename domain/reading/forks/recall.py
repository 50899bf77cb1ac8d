"""What a thread remembers for those that go on from a moment of it: checkpoints, and what was said."""

from collections.abc import Iterable
from typing import NamedTuple

from domain.agents.agents import PromptName
from domain.conversations.events import MessageQueued, MessageWithdrawn, TurnEnded
from domain.core.event import Event, JournaledEvent
from domain.core.ids import thread_of
from domain.threads.checkpoints import Checkpoint, checkpoint_of, joined

KEPT = 12
"""Words of each conversation, the newest."""

MAX_WORDS = 1_500
_PEOPLES = frozenset({PromptName.MESSAGE, PromptName.FORKED, PromptName.IMPORTED})


class RecalledMessage(NamedTuple):
    """Words of a conversation, cut where they are long."""

    position: int
    stream: str
    who: str
    text: str
    message_id: str = ""


class Recall:
    """The checkpoints of a thread, and the last words of each of its conversations."""

    def __init__(self) -> None:
        self.checkpoints: tuple[Checkpoint, ...] = ()
        self.messages: dict[str, tuple[RecalledMessage, ...]] = {}

    def __deepcopy__(self, memo: dict[int, object]) -> "Recall":
        """Return a copy that goes its own way; what is remembered never changes, so it is shared."""
        copy = Recall()
        copy.checkpoints, copy.messages = self.checkpoints, dict(self.messages)
        memo[id(self)] = copy
        return copy

    def note(self, journaled: JournaledEvent) -> None:
        """Remember what an event tells."""
        if (checkpoint := checkpoint_of(journaled)) is not None:
            self.checkpoints = joined(self.checkpoints, checkpoint)
        stream, body = journaled.event.stream, journaled.event.body
        if isinstance(body, MessageWithdrawn) and not body.is_for_work:
            kept = (s for s in self.messages.get(stream, ()) if s.message_id != body.message_id)
            self.messages[stream] = tuple(kept)
        who, text = _words(journaled.event)
        if text := text.strip():
            cut = text if len(text) <= MAX_WORDS else f"{text[:MAX_WORDS]} […]"
            message_id = body.message_id if isinstance(body, MessageQueued) else ""
            message = RecalledMessage(journaled.position, stream, who, cut, message_id)
            self.messages[stream] = (*self.messages.get(stream, ()), message)[-KEPT:]

    def last_words(self, stream: str) -> Iterable[RecalledMessage]:
        """Return the last words of a conversation, or of all those of a task or of the thread itself.

        Those of a thread do not have those of its tasks among them.
        """
        depth = 1 if stream == thread_of(stream) else 2
        found = [
            message
            for name, words in self.messages.items()
            if name == stream or (name.startswith(f"{stream}/") and name.count("/") == depth)
            for message in words
        ]
        return sorted(found)[-KEPT:]


def _words(event: Event) -> tuple[str, str]:
    """Return who says what; nothing for an event in which nobody speaks.

    A task's own stream has its sessions' turns as well: they are not recalled twice.
    """
    if getattr(event.body, "session_id", event.stream) != event.stream:
        return "", ""
    match event.body:
        case MessageQueued(prompt=prompt) as queued if prompt.name in _PEOPLES:
            return queued.by or "person", prompt.fields.get("text", "")
        case TurnEnded(result=result):
            return "agent", result.text
        case _:
            return "", ""
