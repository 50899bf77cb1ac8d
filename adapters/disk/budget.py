"""Keeps a host's disk within its limits, and new work off a disk that is short of room."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from adapters.disk.inventory import Inventory
from adapters.disk.measuring import Measure, Measured
from adapters.disk.pools import DiskPools
from adapters.disk_room import free_bytes
from adapters.looking import keep_looking
from domain.core.errors import TreadleError
from domain.core.text import size
from domain.retention.disk import DiskLimits, DiskPlan, Stored, choose_removals, held_words

LOOK_SECONDS = 30.0
"""How often the free space is looked at, which costs nothing."""

MEASURE_SECONDS = 900.0
"""How often everything is measured where there is a budget."""

AGAIN_SECONDS = 300.0
"""How often room is looked for where there was not enough the last time."""

MEASURING_SECONDS = 120.0
_ROUNDS = 3

Free = Callable[[Path], int]

_LOG = logging.getLogger(__name__)


class DiskBudget:
    """The limits of a host's disk; without any, nothing is looked at."""

    def __init__(
        self, data_dir: Path, limits: DiskLimits, pools: DiskPools, free: Free = free_bytes
    ) -> None:
        self._top = data_dir
        self._limits = limits
        self._pools = pools
        self._free = free
        self._inventory = Inventory(data_dir)
        self._known = dict[tuple[str, int], Measured]()
        self._next = self._next_room = 0.0
        self._used = 0
        self._unmet = ""

    async def keep(self, look: float = LOOK_SECONDS) -> None:
        """Look again and again, until it is cancelled."""
        if self._limits.is_set:
            await keep_looking(self.look, look, "the disk cannot be looked at", _LOG)

    async def look(self) -> None:
        """Sweep where a limit is reached or it is time to measure; what fails is tried again at the next look."""
        now, free = time.monotonic(), self._free(self._top)
        has_budget = self._limits.budget_bytes is not None
        is_short = self._limits.is_short(free)
        self._hold(free)
        if (has_budget and now >= self._next) or (is_short and now >= self._next_room):
            self._next = now + MEASURE_SECONDS
            try:
                plan = await self.sweep()
            except (TreadleError, OSError) as error:
                _LOG.warning("the disk cannot be swept", extra={"reason": str(error)})
                return
            self._next_room = now + AGAIN_SECONDS if plan.missing_bytes else now

    async def sweep(self) -> DiskPlan:
        """Measure, and remove what must go; returns what stays, and how far the limits are met."""
        measure = Measure(MEASURING_SECONDS, self._known)
        stored = await asyncio.to_thread(self._inventory.all, measure)
        if not measure.is_whole:
            _LOG.warning("the disk is larger than could be measured in time")
        refused = set[str]()
        for _ in range(_ROUNDS):
            plan = choose_removals(stored, self._limits, self._free(self._top))
            self._used = plan.used_bytes
            self._hold(self._free(self._top))
            if not plan.removed:
                break
            went = await self._remove(plan.removed)
            refused = {each.path for each in plan.removed} - went
            stored = tuple(_left(stored, went, refused))
        plan = choose_removals(stored, self._limits, self._free(self._top))
        self._used = plan.used_bytes
        self._hold(self._free(self._top))
        self._say(plan.words)
        return plan

    def is_short(self) -> bool:
        """Tell whether new work must wait for room."""
        return self._limits.is_short(self._free(self._top))

    @property
    def words(self) -> str:
        """One sentence on why new work waits, once a sweep could not make room for it; empty until then."""
        wanted = self._limits.least_free_bytes
        if not self._unmet or wanted is None:
            return ""
        return (
            f"less than {size(wanted)} are free on the disk of {self._top}, and nothing is left there that "
            "Treadle may remove: new tasks wait, and begin by themselves once there is room. Delete threads "
            "that ended (`treadle prune --older 30d`), free other space, or lower TREADLE_DISK_FREE"
        )

    async def _remove(self, removed: Iterable[Stored]) -> set[str]:
        went = list[Stored]()
        for each in removed:
            try:
                if await self._pools.remove(each):
                    went.append(each)
            except (TreadleError, OSError) as error:
                _LOG.warning("something stays on the disk", extra={"reason": str(error)})
        await self._pools.empty()
        if went:
            _LOG.info("room was made on the disk", extra={"reason": held_words(went)})
        return {each.path for each in went}

    def _hold(self, free: int) -> None:
        self._pools.hold(is_held=not self._limits.leaves_room(self._used, free))

    def _say(self, words: str) -> None:
        if words and not self._unmet:
            _LOG.warning("the limits of the disk are not met", extra={"reason": words})
        self._unmet = words


def _left(stored: Iterable[Stored], went: set[str], refused: set[str]) -> Iterable[Stored]:
    """Yield what did not go; what could not is in use."""
    for each in stored:
        if each.path in refused:
            yield each.model_copy(update={"is_in_use": True})
        elif each.path not in went:
            yield each
