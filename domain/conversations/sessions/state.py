"""What is known of a session; how events change it is in domain/conversations/sessions/evolution.py."""

from collections.abc import Collection, Mapping
from typing import Self

from domain.agents.agents import SessionRole, TurnResult
from domain.agents.limits.budgets import Budget
from domain.conversations.conversation import Conversation, Message, without
from domain.conversations.events import TurnStarted
from domain.conversations.turn import TurnState
from domain.core.ids import SessionId


class SessionState(TurnState):
    """A session: one conversation, whose messages wait in it.

    Its newest turn `is_resolving` a conflict of its changes, which the thread waits for.
    `remembered` are the last messages, for an agent that knows nothing of them. `owner_key` is the id
    of the flow's message that was taken last: by it the run is told how that ended. `plan_files_turn`
    is the first turn with plan files, or the first one without any more. `own_key` is the id of the
    newest message that has the agent take a turn of its own. `closed_by` is who closed it, `left` what
    people had said to it by then and its agent has not read.
    """

    conversation: Conversation = Conversation()
    remembered: tuple[str, ...] = ()
    budget: Budget = Budget()
    last: TurnResult | None = None
    files: tuple[str, ...] = ()
    has_plan_files: bool = False
    plan_files_turn: int = 0
    is_closed: bool = False
    closed_by: str = ""
    left: tuple[Message, ...] = ()
    owner_key: str = ""
    own_key: str = ""
    is_resolving: bool = False

    @property
    def session_id(self) -> SessionId:
        """The session's id, empty before it has begun."""
        return self.conversation.session_id

    @property
    def running(self) -> Message | None:
        """The message of the running turn, None where the agent compacts its context."""
        return self.turn.messages[0] if self.turn and self.turn.messages else None

    @property
    def ended_own_turn(self) -> str:
        """The id of the newest message for a turn of its own, once that has ended or will not come."""
        taken = self.turn.messages if self.turn else ()
        pending = (*self.conversation.messages, *taken)
        is_pending = any(message.message_id == self.own_key for message in pending)
        return "" if is_pending else self.own_key

    @property
    def status(self) -> str:
        """What it does, in a word."""
        if self.is_closed:
            return "closed"
        if self.delay is not None or self.questions.open:
            return "waiting"
        return "working" if self.has_turn else "idle"

    @property
    def asks(self) -> str:
        """What waits for a person: a question, or a spending limit at which its turn waits."""
        return self.questions.waiting_for or ("" if self.is_closed else self.over_limit)

    @property
    def has_turn(self) -> bool:
        """Whether a turn is running or must be started; the work of a plan takes its own."""
        is_asked = bool(self.conversation.messages) and not self.is_lent
        return not self.is_closed and (self.turn is not None or is_asked)

    @property
    def is_lent(self) -> bool:
        """Whether the work of a plan takes the session's turns."""
        return self.conversation.role is SessionRole.TASK

    @property
    def unread(self) -> tuple[Message, ...]:
        """What people have said and the work is to read, while that takes the session's turns."""
        is_passed = self.is_lent and self.turn is None
        return tuple(m for m in self.conversation.messages if m.prompt.by and is_passed)

    # --- what the rules of conversations ask

    @property
    def over(self) -> str:
        """Why it takes nothing more."""
        return f"session {self.session_id!r} is closed: open another one" if self.is_closed else ""

    @property
    def question_prefix(self) -> str:
        """How the ids of its questions begin."""
        return f"{self.session_id.rpartition('/')[2]}/question-"

    @property
    def waiting(self) -> Mapping[SessionId, tuple[Message, ...]]:
        """The messages that wait."""
        return {self.session_id: self.conversation.messages}

    def conversation_of(self, session_id: SessionId) -> Conversation | None:
        """Return the one conversation."""
        return self.conversation if session_id == self.session_id else None

    def with_conversation(self, conversation: Conversation) -> Self:
        """Return the state with the conversation as it is now."""
        return self.model_copy(update={"conversation": conversation})

    def messages_for(self, event: TurnStarted) -> tuple[Message, ...]:
        """Return the message that a turn is given."""
        waiting = self.conversation.messages
        return tuple(message for message in waiting if message.message_id == event.message_id)

    def without_messages(self, message_ids: Collection[str]) -> Self:
        """Return the state without some of the messages that wait."""
        left = without(self.conversation.messages, message_ids)
        return self.with_conversation(self.conversation.model_copy(update={"messages": left}))

    @property
    def has_failed(self) -> bool:
        """Whether its newest turn failed."""
        return self.last is not None and self.last.failure is not None
