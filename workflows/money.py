"""MoneyWorkflow: spending limits, which warn, ask, and are raised by people."""

from collections.abc import Coroutine
from typing import Any, cast

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from activities.limits import LimitChanges
from domain.core.event import Headline
from domain.core.seals import Unsealed
from domain.money.commands import EndMonth, NoteApplied, NoteLimits, StopAtLimit
from domain.money.effects import ApplyChange, AwaitMonth, MoneyEffect
from domain.money.events import MoneyOpened
from domain.money.inputs import MONEY, ApplyCall, MoneyInput
from domain.money.rules import MONEY_RULES
from domain.money.state import LimitChange, MoneyState
from domain.money.status import details_of, headline_words
from workflows import options
from workflows.attributes import Shown
from workflows.doors import doors, receives
from workflows.effect_loop import EffectLoop
from workflows.starts import check_start
from workflows.timers import wait_until


@workflow.defn(name="Money")
@doors(*MONEY_RULES.commands)
@receives(note_limits=NoteLimits)
class MoneyWorkflow(EffectLoop[MoneyState, MoneyEffect]):
    """All limits; it lives for ever. What is spent and reserved is in the ledger, which tells it."""

    rules = MONEY_RULES
    cancels = StopAtLimit

    @workflow.init
    def __init__(self, money: MoneyInput) -> None:
        # its id is no secret: one that nobody of ours began must end, not block its place
        self._is_ours = not isinstance(cast("object", money), Unsealed)
        money = money if self._is_ours else MoneyInput()
        super().__init__(money, MONEY, f"{MONEY}:{workflow.info().first_execution_run_id}")
        self._state = money.carried or MoneyState()
        self._shown = Shown("idle")
        if money.carried is None:
            # the ledger's signal comes with the start, and is taken before `run`
            self.record((MoneyOpened(),))

    @workflow.run
    async def run(self, money: MoneyInput) -> None:
        """Take commands for ever."""
        if not self._is_ours:
            raise ApplicationError("not started by Treadle", type="forbidden", non_retryable=True)
        check_start(MONEY, MONEY, is_carried=money.carried is not None, is_child=False)
        await self.live()
        self.carry_over()

    # --- the loop's questions

    @property
    def is_over(self) -> bool:
        """Limits are never over."""
        return False

    def carry_out(self, effect: MoneyEffect) -> Coroutine[Any, Any, None]:
        """Return what carries out an effect."""
        return (
            self._apply(effect.change) if isinstance(effect, ApplyChange) else self._await(effect)
        )

    def must_stop(self, effect: MoneyEffect) -> bool:
        """Tell whether an effect must stop: the wait for a month in which nothing is asked any more."""
        return isinstance(effect, AwaitMonth) and not self.is_required(effect)

    async def _apply(self, change: LimitChange) -> None:
        call = ApplyCall(change=change)
        await self.run_activity(LimitChanges.apply_limit_change, call, options.SHORT)
        self.submit(NoteApplied(number=change.number))

    async def _await(self, month: AwaitMonth) -> None:
        if await wait_until(month.until, "the month is over"):
            self.submit(EndMonth())

    def show(self) -> None:
        """Put the headline and the attributes right."""
        status, waiting_for = headline_words(self._state)
        self._outbox.show(
            Headline(
                stream=MONEY,
                kind="money",
                title="spending limits",
                status=status,
                waiting_for=waiting_for,
            )
        )
        self._shown.show(status, waiting_for)

    def details(self) -> str:
        """Return which limits are reached."""
        return details_of(self._state)
