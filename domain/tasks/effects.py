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


class ApplyEdits(Wire):
    """Suggestions that a person accepted must be applied; the `number` counts those of the run."""

    is_resumable: ClassVar[bool] = False
    is_brief: ClassVar[bool] = False

    number: int

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return f"edits:{self.number}"


TaskEffect = ConversationEffect | RunStep | ApplyEdits
