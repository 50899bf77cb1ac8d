"""What the workflow of limits and its activity take."""

from domain.core.effects import Effect
from domain.core.ids import StreamId
from domain.core.inputs import WorkflowInput
from domain.money.state import LimitChange, MoneyState

MONEY = StreamId("money")
"""The id of the one workflow of limits, and of its stream in the journal."""


class MoneyInput(WorkflowInput):
    """All limits; `carried` is the state of a run that continued as new."""

    carried: MoneyState | None = None


class ApplyCall(Effect):
    """Put what a person said into the ledger."""

    change: LimitChange

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"apply change {self.change.number} of limits"
