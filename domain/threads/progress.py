"""How far a plan is."""

from domain.core.wire import Wire

BAR_WIDTH = 20


class Progress(Wire):
    """How far a plan is."""

    done: int
    total: int

    @property
    def bar(self) -> str:
        """The bar, as `[███░░░] 3/10`."""
        filled = BAR_WIDTH * self.done // self.total if self.total else 0
        return f"[{'█' * filled}{'░' * (BAR_WIDTH - filled)}] {self.done}/{self.total}"
