"""How long a run's history may become: what is longer replays longer than a workflow task may take."""

from temporalio import workflow

from workflows import options
from workflows.patches import BOUNDED_HISTORY


class HistoryLength:
    """Whether a run should go on in a new one: by the server's word, or by our own bound."""

    def __init__(self) -> None:
        self._is_long = False
        self._is_bounded = False

    @property
    def must_look(self) -> bool:
        """Whether the bound was reached and `look` has not been called since."""
        return not self._is_long and self._reaches_bound

    @property
    def is_full(self) -> bool:
        """Whether nothing new should be started in this run."""
        return self._is_bounded or workflow.info().is_continue_as_new_suggested()

    def look(self) -> None:
        """Ask once, at the bound and in `run`, whether this run's code has one.

        So short runs record no patch, and one that was long before the bound was goes on as it was.
        """
        if self.must_look:
            self._is_long = True
            self._is_bounded = workflow.patched(BOUNDED_HISTORY)

    @property
    def _reaches_bound(self) -> bool:
        return workflow.info().get_current_history_length() >= options.HISTORY_EVENTS
