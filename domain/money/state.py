"""What is known of limits: what was asked, answered, warned of, and is still to be told."""

from domain.agents.billing import MonthlyLimits
from domain.agents.limits.money import LimitScope, SpentLimit
from domain.core.ids import RequestId
from domain.core.wire import Wire
from domain.money.requests import LimitOutcome, LimitRequest


class LimitChange(Wire):
    """Something that a person said and the ledger does not know yet.

    It is the new `limit` of a scope, that what waits for it is stopped, or monthly limits.
    """

    number: int
    scope: LimitScope | None = None
    limit: int = 0
    is_stopped: bool = False
    monthly: MonthlyLimits | None = None
    by: str = ""


class MoneyState(Wire):
    """All limits.

    `asked` are the open requests by the keys of their scopes, `near` the newest warning of each. `numbers` counts
    requests and changes.
    """

    asked: dict[str, LimitRequest] = {}
    near: dict[str, SpentLimit] = {}
    outcomes: dict[RequestId, LimitOutcome] = {}
    changes: tuple[LimitChange, ...] = ()
    monthly: MonthlyLimits | None = None
    numbers: int = 0

    def request(self, request_id: RequestId) -> LimitRequest | None:
        """Return an open request by its id."""
        found = (each for each in self.asked.values() if each.request_id == request_id)
        return next(found, None)
