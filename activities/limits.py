"""What people said of limits, put into the ledger; turns that wait are told."""

from temporalio import activity

from activities.errors import translated
from domain.agents.ledger import Ledger, LimitsByPerson, Purses
from domain.agents.limits.money import LimitScope
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
            if change.is_stopped and change.scope is not None:
                await self._stop(change.scope, change.by)
                return True
            for owner in await self._owners(change):
                await self._purses.free(StreamId(owner))
        return True

    async def _stop(self, scope: LimitScope, by: str) -> None:
        """Stop what waits for a limit; a turn that the same owner begins meanwhile waits on."""
        waits = await self._ledger.waiting(scope)
        for each in waits:
            await self._purses.stop(each, by)
        if waits:  # else it would be asked again for nobody
            await self._ledger.stopped([each.key for each in waits])

    async def _owners(self, change: LimitChange) -> tuple[str, ...]:
        """Return whose turns wait, after the change."""
        if change.scope is None:
            return await self._ledger.set_monthly(_in_millionths(change))
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
