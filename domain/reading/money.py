"""What doors show of money: how limits stand, what is asked at them, and what the month has cost."""

from datetime import datetime

from domain.agents.billing import MonthlyLimits
from domain.agents.limits.money import Account, LimitScope, SpentLimit
from domain.core.event import JournaledEvent
from domain.core.wire import Wire
from domain.money.events import LimitNear, LimitReached
from domain.money.requests import LimitRequest
from domain.money.rules import evolve
from domain.money.state import MoneyState


class LimitView(Wire):
    """How a limit stands, in millionths of a US dollar; without a `limit` there is none.

    What running turns have reserved is not spent yet; of `unknown` turns nobody knows what they cost.
    """

    scope: LimitScope
    words: str
    limit: int | None = None
    spent: int = 0
    reserved: int = 0
    unknown: int = 0

    @classmethod
    def of(cls, account: Account) -> "LimitView":
        """Return an account as it is shown."""
        scope, limit, spent, reserved, _, unknown = account
        return cls(
            scope=scope,
            words=scope.words,
            limit=limit or None,
            spent=spent,
            reserved=reserved,
            unknown=unknown,
        )


class AskedLimit(Wire):
    """A question at a limit; an answer names its `content_hash`.

    `signal_lines` are the ready `temporal workflow signal` commands, by name; the API fills them.
    """

    request: LimitRequest
    content_hash: str
    words: str
    since: datetime | None = None
    signal_lines: dict[str, str] = {}


class MoneyView(Wire):
    """The month and each repository in it, the limits of a month, and what is asked."""

    month: str = ""
    time_zone: str = "UTC"
    standing: tuple[LimitView, ...] = ()
    monthly: MonthlyLimits = MonthlyLimits()
    is_set: bool = False
    """Whether a person set these limits over the settings."""
    asked: tuple[AskedLimit, ...] = ()
    near: tuple[SpentLimit, ...] = ()
    """Limits of which four fifths were spent when it was told, and that are not asked of."""
    position: int = 0


class MoneyFold:
    """The limits, rebuilt from the events of their stream."""

    def __init__(self) -> None:
        self.state = MoneyState()
        self.position = 0
        self.since: dict[str, datetime] = {}
        self.scopes: dict[str, LimitScope] = {}
        """What each request was of, answered ones too."""

    def add(self, journaled: JournaledEvent) -> None:
        """Fold the next event; the journal knows when it was."""
        if journaled.position <= self.position:
            return
        self.position, body, at = journaled.position, journaled.event.body, journaled.event.at
        if isinstance(body, LimitReached):
            self.since[body.request.request_id] = at
            self.scopes[body.request.request_id] = body.request.scope
        elif isinstance(body, LimitNear):
            self.since[body.near.scope.key] = at
        self.state = evolve(self.state, body)

    def near(self, month: str) -> tuple[SpentLimit, ...]:
        """Return what was warned of and is not asked of; of limits of a month those of this one."""
        return tuple(
            each
            for key, each in self.state.near.items()
            if key not in self.state.asked and not each.scope.is_of_month_before(month)
        )

    def asked(self) -> tuple[AskedLimit, ...]:
        """Return what waits for an answer."""
        return tuple(
            AskedLimit(
                request=request,
                content_hash=request.content_hash,
                words=request.words,
                since=self.since.get(request.request_id),
            )
            for request in self.state.asked.values()
        )
