"""What people said of limits, put into the ledger; turns that wait are told."""

from temporalio import activity

from activities.errors import translated
from domain.agents.ledger import Ledger, LimitsByPerson, Purses
from domain.core.ids import StreamId
from domain.core.money import millionths
from domain.money.inputs import ApplyCall
from domain.money.state import LimitChange


class LimitChanges:
    """Applies changes of limits; twice is once."""

    def __init__(self, ledger: Ledger, purses: Purses) -> None:
        self._ledger = ledger
        self._purses = purses

    @activity.defn
    async def apply_limit_change(self, call: ApplyCall) -> bool:
        """Set the limits, and let the turns that wait for them try again, or stop them."""
        with translated():
            change = call.change
            owners = await self._owners(change)
            for owner in owners:
                if change.is_stopped:
                    await self._purses.stop(StreamId(owner), change.by)
                else:
                    await self._purses.free(StreamId(owner))
            if change.is_stopped and owners:
                await self._ledger.stopped(owners)  # else it would be asked again for nobody
        return True

    async def _owners(self, change: LimitChange) -> tuple[str, ...]:
        """Return whose turns wait, after the change."""
        if change.scope is None:
            return await self._ledger.set_monthly(_in_millionths(change))
        if change.is_stopped:
            return await self._ledger.waiting(change.scope)
        return await self._ledger.raise_limit(change.scope, change.limit)


def _in_millionths(change: LimitChange) -> LimitsByPerson | None:
    limits = change.monthly
    if limits is None:
        return None
    project, month = limits.project_usd, limits.month_usd
    return LimitsByPerson(
        project=None if project is None else millionths(project),
        month=None if month is None else millionths(month),
    )
