"""Who looks at a thread now: what open pages say, for as long as they go on saying it."""

import time
from collections.abc import Callable

LOOKING_SECONDS = 40.0
"""How long a page counts as open that has said nothing more: it says so every 15 s while it can be seen."""


class Viewers:
    """The people before open pages, in memory: a start forgets them, and their pages say it again."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._until = dict[tuple[str, str], float]()

    def look(self, thread: str, person: str) -> tuple[str, ...]:
        """Note that a person looks at a thread; returns the others who do, by name."""
        now = self._now()
        self._until = {key: until for key, until in self._until.items() if until > now}
        self._until[thread, person] = now + LOOKING_SECONDS
        return tuple(sorted(who for at, who in self._until if at == thread and who != person))
