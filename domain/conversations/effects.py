"""What a conversation must have under way."""

from datetime import datetime
from typing import ClassVar

from domain.core.ids import SessionId
from domain.core.wire import Wire


class RunTurn(Wire):
    """An agent must be given its next turn, or the one that was refused goes on."""

    is_resumable: ClassVar[bool] = False
    is_brief: ClassVar[bool] = False

    session_id: SessionId
    number: int
    refusals: int = 0

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return f"turn:{self.session_id}:{self.number}:{self.refusals}"


class AwaitProvider(Wire):
    """The running turn must wait until its provider takes turns again."""

    is_resumable: ClassVar[bool] = True
    is_brief: ClassVar[bool] = False

    turn_id: str
    refusals: int
    until: datetime

    @property
    def key(self) -> str:
        """What tells it from all others: each refusal has a wait of its own."""
        return f"wait:{self.turn_id}:{self.refusals}"

    @property
    def summary(self) -> str:
        """What Temporal shows of the timer."""
        return f"wait until the provider takes turns again, refusal {self.refusals}"


ConversationEffect = RunTurn | AwaitProvider
