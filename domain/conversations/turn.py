"""The turn that runs in a workflow: one at a time, in one of its conversations."""

from datetime import datetime
from typing import Any

from domain.conversations.conversation import Message
from domain.conversations.events import (
    AgentSwitched,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnSlept,
    TurnStarted,
    TurnStopRequested,
    TurnWoken,
)
from domain.conversations.questions.state import Questions
from domain.core.event import EventBody
from domain.core.ids import SessionId, TurnId
from domain.core.wire import Wire


class Delay(Wire):
    """The running turn waits for its provider."""

    provider: str
    reason: str
    until: datetime


class Turn(Wire):
    """A turn from its start to its end, over refusals of its provider and over sleep.

    `messages` are those that it gives to the agent. One that is asleep waits for a person's answer,
    without a process; one that `is_urgent` does not wait for its provider.
    """

    turn_id: TurnId
    session_id: SessionId = SessionId("")
    messages: tuple[Message, ...] = ()
    is_stop_requested: bool = False
    is_asleep: bool = False
    delay: Delay | None = None
    refusals: int = 0
    is_urgent: bool = False

    @property
    def is_held(self) -> bool:
        """Whether nobody works in it: it waits for its provider, or for a person."""
        return self.delay is not None or self.is_asleep


class TurnState(Wire):
    """What every workflow with agents knows: the running turn, questions, withdrawn messages."""

    turn: Turn | None = None
    questions: Questions = Questions()
    withdrawn: tuple[str, ...] = ()

    @property
    def running_turn(self) -> TurnId | None:
        """The id of the running turn."""
        return self.turn.turn_id if self.turn else None

    @property
    def running_session(self) -> SessionId:
        """The session of the running turn, empty while none runs."""
        return self.turn.session_id if self.turn else SessionId("")

    @property
    def delay(self) -> Delay | None:
        """What the running turn waits for at its provider."""
        return self.turn.delay if self.turn else None

    @property
    def is_asleep(self) -> bool:
        """Whether the running turn sleeps until a person answers."""
        return self.turn is not None and self.turn.is_asleep

    @property
    def is_stop_requested(self) -> bool:
        """Whether a person has stopped the running turn."""
        return self.turn is not None and self.turn.is_stop_requested

    @property
    def refusals(self) -> int:
        """How often the running turn was refused, or went to sleep."""
        return self.turn.refusals if self.turn else 0


def evolve(turn: Turn | None, event: EventBody) -> Turn | None:
    """Return the running turn after an event, None when none runs."""
    match event:
        case TurnStarted():
            return Turn(turn_id=event.turn_id, session_id=event.session_id)
        case TurnEnded():
            return None
        case _:
            changes = _changes(turn, event) if turn else {}
            return turn.model_copy(update=changes) if turn and changes else turn


def _changes(turn: Turn, event: EventBody) -> dict[str, Any]:
    match event:
        case TurnDelayed():
            delay = Delay(provider=event.provider, reason=event.reason, until=event.until)
            return {"delay": delay, "refusals": event.refusals, "is_urgent": False}
        case TurnResumed():
            return {"delay": None, "is_urgent": event.is_skipped}
        case TurnStopRequested():
            return {"is_stop_requested": True}
        case TurnSlept():
            return {"is_asleep": True, "refusals": event.refusals}
        case TurnWoken():
            return {"is_asleep": False}
        case AgentSwitched() if event.session_id == turn.session_id:
            return {"delay": None, "is_asleep": False}
        case _:
            return {}
