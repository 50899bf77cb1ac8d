"""A turn in the editor: from a prompt until nothing moves by itself, and nobody here is asked."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cli.acp.names import is_own_session
from domain.conversations.events import (
    ConversationClosed,
    MessageWithdrawn,
    TurnEnded,
    TurnStarted,
)

ANY_TURN = "*"
"""Awaited where a turn begins without a message of ours, as a planner's first one."""

ANY_EVENT = "+"
"""Awaited where a command changes the thread, and an event tells."""

CANCELLED = "cancelled"
MOMENT_SECONDS = 5.0

_STOP_REASONS = {"max_tokens", "max_turn_requests", "refusal"}


@dataclass
class Turn:
    """One prompt that the editor waits for."""

    ended: asyncio.Future[str]
    awaits: set[str] = field(default_factory=set[str])
    """Messages that no agent has got yet."""
    is_said: bool = False
    """Whether the prompt was sent on; until then it does not end because nothing moves."""
    stop_reason: str = "end_turn"

    @property
    def is_cancelled(self) -> bool:
        """Whether the person took it back; a turn that another prompt ended is still said."""
        is_answered = self.ended.done() and self.ended.exception() is None
        return is_answered and self.ended.result() == CANCELLED

    def await_event(self, look_again: Callable[[], None]) -> None:
        """Wait for an event of what is sent now, for a moment: what was done already has none."""
        self.awaits.add(ANY_EVENT)

        def is_late() -> None:
            self.awaits.discard(ANY_EVENT)
            look_again()

        asyncio.get_running_loop().call_later(MOMENT_SECONDS, is_late)

    def end(self, reason: str = "") -> None:
        """Answer the prompt; the first answer counts."""
        if not self.ended.done():
            self.ended.set_result(reason or self.stop_reason)

    def fail(self, error: BaseException) -> None:
        """Answer the prompt with an error."""
        if not self.ended.done():
            self.ended.set_exception(error)


class Work:
    """Which of a thread's own sessions work, as far as its events were told."""

    def __init__(self) -> None:
        self._working: set[str] = set()
        self.begun: set[str] = set()
        """The messages that an agent got, or will never get."""

    @property
    def is_going_on(self) -> bool:
        """Whether a turn has begun and not ended."""
        return bool(self._working)

    def note(self, stream: str, body: Any, turn: Turn | None, thread_id: str) -> None:
        """Take an event of a thread."""
        _seen(turn, ANY_EVENT)
        if not is_own_session(stream, thread_id):
            return
        match body:
            case TurnStarted():
                self._working.add(stream)
                self._begins(turn, body.message_id or "", ANY_TURN)
            case MessageWithdrawn():
                self._begins(turn, body.message_id)
            case TurnEnded(result=result):
                self._working.discard(stream)
                if turn is not None and result.stop_reason in _STOP_REASONS:
                    turn.stop_reason = str(result.stop_reason)
            case ConversationClosed():
                self._working.discard(stream)
                if turn is not None:
                    turn.awaits.clear()  # another session gets what waited, and tells
            case _:
                pass

    def _begins(self, turn: Turn | None, message: str, *more: str) -> None:
        self.begun.add(_name_of(message))
        _seen(turn, message, *more)


def _seen(turn: Turn | None, *messages: str) -> None:
    """Take messages off what is awaited: by the id of the command, which that of the message ends with."""
    if turn is not None:
        turn.awaits.difference_update(map(_name_of, messages))


def _name_of(message: str) -> str:
    return message.rpartition("/")[2]
