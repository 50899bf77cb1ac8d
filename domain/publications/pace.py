"""How long to wait between two looks at a pull request."""

from domain.core.wire import Wire

SHORTEST = 15.0
LONGEST = 15 * 60.0
PENDING_LONGEST = 60.0
"""Seconds; the last one while checks are pending, which end soon."""

_GROWTH = 1.6
_SPREAD = 0.2
TROUBLED = 5
"""Looks that fail in a row until a person is told that the forge does not answer."""


class Pace(Wire):
    """`quiet` looks in a row found nothing new, `failed` ones in a row found nothing at all."""

    quiet: int = 0
    failed: int = 0

    def after_look(self, *, is_changed: bool) -> "Pace":
        """Return the pace after a look that was answered."""
        return Pace(quiet=0 if is_changed else self.quiet + 1)

    def after_failure(self) -> "Pace":
        """Return the pace after a look that was not."""
        return self.model_copy(update={"failed": self.failed + 1})

    def wait(self, spread: float, *, is_pending: bool, least: float = 0.0) -> float:
        """Return how many seconds to wait; `spread` is random from 0 to 1, `least` the forge's wish."""
        calm = max(self.quiet, self.failed)
        longest = PENDING_LONGEST if is_pending and not self.failed else LONGEST
        grown = min(SHORTEST * _GROWTH ** min(calm, 20), longest)
        return max(grown * (1 - _SPREAD + 2 * _SPREAD * spread), least)
