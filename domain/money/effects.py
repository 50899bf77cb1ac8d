"""What must be under way of limits; workflows/money.py carries it out."""

from datetime import datetime
from typing import ClassVar

from domain.core.wire import Wire
from domain.money.state import LimitChange


class ApplyChange(Wire):
    """Put what a person said into the ledger, and tell what waits."""

    is_resumable: ClassVar[bool] = False
    is_brief: ClassVar[bool] = True

    change: LimitChange

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return f"apply:{self.change.number}"


class AwaitMonth(Wire):
    """Wait until a calendar month is over."""

    is_resumable: ClassVar[bool] = True
    is_brief: ClassVar[bool] = False

    until: datetime

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return f"month:{self.until.isoformat()}"


MoneyEffect = ApplyChange | AwaitMonth
