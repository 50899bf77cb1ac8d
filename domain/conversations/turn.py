"""The turn that runs in a workflow: one at a time, in one of its conversations."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Self

from pydantic import Field

from domain.agents.limits.money import CROWDED, HOLDS, OVER_LIMIT
from domain.conversations.conversation import Conversation, Message
from domain.conversations.events import TurnStarted
from domain.conversations.questions.state import Questions
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
    without a process; one that `is_urgent` does not wait for its provider. `pauses` are those `refusals` that were
    none of a provider.
    """

    turn_id: TurnId
    session_id: SessionId = SessionId("")
    messages: tuple[Message, ...] = ()
    is_stop_requested: bool = False
    is_asleep: bool = False
    delay: Delay | None = None
    refusals: int = 0
    pauses: int = Field(default=0, exclude_if=lambda pauses: not pauses)
    is_urgent: bool = False

    @property
    def is_held(self) -> bool:
        """Whether nobody works in it: it waits for its provider, or for a person."""
        return self.delay is not None or self.is_asleep


class TurnState(Wire):
    """What every workflow with agents knows: the running turn, questions, ids of messages.

    A session has one conversation, a run of a task several: each says which, and what waits in them.
    `seen` are the ids of all messages that came, `withdrawn` of those that a person took back.
    """

    turn: Turn | None = None
    questions: Questions = Questions()
    seen: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()

    # --- what each of them says by itself

    @property
    def over(self) -> str:
        """Why it takes nothing more, as a refusal says it; empty while it goes on."""
        raise NotImplementedError

    @property
    def question_prefix(self) -> str:
        """How the ids of its questions begin."""
        raise NotImplementedError

    @property
    def waiting(self) -> Mapping[SessionId, tuple[Message, ...]]:
        """The messages that no turn has taken yet, by their sessions."""
        raise NotImplementedError

    def conversation_of(self, session_id: SessionId) -> Conversation | None:
        """Return the conversation of a session, None where it has none."""
        raise NotImplementedError

    def with_conversation(self, conversation: Conversation) -> Self:
        """Return the state with a conversation in the place of its earlier one."""
        raise NotImplementedError

    def messages_for(self, event: TurnStarted) -> tuple[Message, ...]:
        """Return the messages that wait and that a turn gives to its agent."""
        raise NotImplementedError

    def without_messages(self, message_ids: Collection[str]) -> Self:
        """Return the state without some of the messages that wait."""
        raise NotImplementedError

    def addressee_of(self, session_id: SessionId) -> SessionId:
        """Return the session that a message for one is queued for; empty where it is the task's."""
        return session_id

    @property
    def has_failed(self) -> bool:
        """Whether its newest turn failed, so that nobody waits for what was asked in it."""
        return False

    # --- the running turn

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
    def held_by(self) -> str:
        """What the running turn waits for without any work, in a phrase; empty when for nothing."""
        if self.delay is None:
            return ""
        if self.delay.provider in HOLDS:  # it waits for a person, or for others, not for a time
            return f"{self.delay.provider}: {self.delay.reason}"
        until = self.delay.until.strftime("%Y-%m-%d %H:%M:%S UTC")
        return f"{self.delay.provider} until {until}: {self.delay.reason}"

    @property
    def over_limit(self) -> str:
        """The spending limit at which the running turn waits for a person, in a phrase; empty at none."""
        is_asked = self.delay is not None and self.delay.provider == OVER_LIMIT
        return self.held_by if is_asked else ""

    @property
    def is_crowded(self) -> bool:
        """Whether the running turn only waits for others to leave room under a limit: nobody is asked."""
        return self.delay is not None and self.delay.provider == CROWDED

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

    @property
    def refused(self) -> int:
        """How often the provider of the running turn refused it."""
        return self.turn.refusals - self.turn.pauses if self.turn else 0
