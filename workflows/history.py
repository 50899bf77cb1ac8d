"""How long a run's history may become: what is longer replays longer than a workflow task may take."""

from temporalio import workflow

from workflows import options
from workflows.patches import BOUNDED_HISTORY, SHORTER_HISTORY, UNDELIVERED_EVENTS


class HistoryLength:
    """Whether a run should go on in a new one: by the server's word, or by our own bound."""

    def __init__(self) -> None:
        self._looked = 0
        self._is_bounded = False
        self._full_since: int | None = None
        self._leaves_events: bool | None = None

    @property
    def must_look(self) -> bool:
        """Whether a bound was reached and `look` has not been called since."""
        bounds = _bounds()
        if self._is_bounded or self._looked == len(bounds):
            return False
        return workflow.info().get_current_history_length() >= bounds[self._looked][0]

    @property
    def is_full(self) -> bool:
        """Whether nothing new should be started in this run."""
        return self._is_bounded or workflow.info().is_continue_as_new_suggested()

    @property
    def leaves_events(self) -> bool:
        """Whether this run may leave events to the next one to journal."""
        return self._leaves_events is True

    def look(self, *, has_events: bool) -> None:
        """Ask once, at each bound and in `run`, whether this run's code has it, or leaves events.

        So short runs record no patch, and one that was long before a bound was goes on to the next.
        """
        while self.must_look:
            _, patch = _bounds()[self._looked]
            self._looked += 1
            self._is_bounded = workflow.patched(patch)
        if has_events and self._leaves_events is None and self._is_overdue():
            self._leaves_events = workflow.patched(UNDELIVERED_EVENTS)

    def _is_overdue(self) -> bool:
        """Tell whether a full run has waited long enough for a moment without events."""
        length = workflow.info().get_current_history_length()
        if self._full_since is None and self.is_full:
            self._full_since = length
        return self._full_since is not None and length - self._full_since >= options.OVERDUE_EVENTS


def _bounds() -> tuple[tuple[int, str], ...]:
    """Return the lengths at which a run ends, the shortest first, with the patches that brought them."""
    return (
        (options.HISTORY_EVENTS, SHORTER_HISTORY),
        (options.EARLIER_HISTORY_EVENTS, BOUNDED_HISTORY),
    )
