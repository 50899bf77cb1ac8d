"""How often a tracker is looked at, where no hint comes."""

from domain.core.wire import Wire

SHORTEST = 15.0
LONGEST = 300.0
_GROWTH = 1.5
_LONGEST_WITH_WORK = 60.0
"""Seconds between looks while an issue has work under way: what is commented there is taken in that time."""


class Pace(Wire):
    """How long to wait: `forced` seconds that the tracker asks for, whatever happens, then at most `seconds`."""

    seconds: float = SHORTEST
    forced: float = 0.0

    def after(self, *, is_changed: bool, has_open: bool, wait: float) -> "Pace":
        """Return the wait after a look: the shortest where something changed, else a longer one than before."""
        longest = _LONGEST_WITH_WORK if has_open else LONGEST
        seconds = SHORTEST if is_changed else min(self.seconds * _GROWTH, longest)
        return Pace(seconds=seconds, forced=wait)
