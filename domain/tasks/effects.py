"""What a run of a task must have under way, besides its turns; see domain/conversations/effects.py."""

from typing import ClassVar

from domain.conversations.effects import ConversationEffect
from domain.core.wire import Wire
from domain.verification.steps import VerificationStep


class RunStep(Wire):
    """A verification step must run."""

    is_resumable: ClassVar[bool] = False
    is_brief: ClassVar[bool] = False

    attempt: int
    step: VerificationStep

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return f"step:{self.attempt}:{self.step.id}"


TaskEffect = ConversationEffect | RunStep
