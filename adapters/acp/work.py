"""Whether an agent's processes compute, or rest."""

from collections.abc import Callable

import psutil

BUSY_SHARE = 0.04
"""Of one processor; an idle agent's timers take less."""


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
