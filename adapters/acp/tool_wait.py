"""Waits until an agent knows Treadle's tools: by what its processes do, not by the clock alone.

Some agents import for half a minute on a busy machine before they connect; one that rests and has not
connected by then never will.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import psutil

from adapters.acp.limits import Patience
from adapters.acp.session import LiveSession

LOOK_SECONDS = 0.5
BUSY_SHARE = 0.04
"""Of one processor; an idle agent's timers take less."""


@dataclass(frozen=True)
class Found:
    """How a wait for `tools/list` ended: with it, at an agent that rests, or with patience lost."""

    is_listed: bool
    is_at_work: bool = False

    @property
    def is_in_vain(self) -> bool:
        """Whether waiting longer would not help, and beginning anew may."""
        return not self.is_listed and not self.is_at_work


async def await_tools(live: LiveSession, patience: Patience) -> Found:
    """Wait until a session's agent has asked for its tools, as long as it works on something.

    At most `patience.tools_at_work`; an agent that rests has `patience.tools_listed`.
    """
    listed, clock = live.grant.listed, asyncio.get_running_loop().time
    work = Work(live.child.pid, clock)
    began = busy_at = clock()
    while not listed.is_set():
        rested, waited = clock() - busy_at, clock() - began
        is_resting = rested >= patience.tools_listed or not live.is_alive
        if is_resting or waited >= patience.tools_at_work:
            return Found(is_listed=False, is_at_work=not is_resting)
        try:
            await asyncio.wait_for(listed.wait(), min(LOOK_SECONDS, patience.tools_listed - rested))
        except TimeoutError:
            if await asyncio.to_thread(work.is_going_on):
                busy_at = clock()
    return Found(is_listed=True)


class Work:
    """What the processes of an agent compute, from one look to the next."""

    def __init__(self, pid: int, clock: Callable[[], float]) -> None:
        self._pid = pid
        self._clock = clock
        self._seen: dict[int, float] = {}
        self._looked_at = clock()

    def is_going_on(self) -> bool:
        """Tell whether they computed since the last look; a process that is new did."""
        seen, now = _computed(self._pid), self._clock()
        since, self._looked_at = now - self._looked_at, now
        more = sum(max(0.0, taken - self._seen.get(pid, 0.0)) for pid, taken in seen.items())
        is_new = bool(self._seen) and not seen.keys() <= self._seen.keys()
        is_first, self._seen = not self._seen, seen
        return not is_first and (is_new or more > since * BUSY_SHARE)


def _computed(pid: int) -> dict[int, float]:
    """Return the processor time of a process and of all below it; none of those that are gone."""
    try:
        first = psutil.Process(pid)
        family = [first, *first.children(recursive=True)]
    except psutil.Error:
        return {}
    found: dict[int, float] = {}
    for process in family:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        found[process.pid] = times.user + times.system
    return found
