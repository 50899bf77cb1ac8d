"""A workflow that gives back what it was started with, once it is told to end."""

from temporalio import workflow

from domain.core.wire import Wire


class Echo(Wire):
    """What goes in and comes out."""

    text: str


@workflow.defn
class EchoWorkflow:
    """Waits for its end."""

    def __init__(self) -> None:
        self._is_over = False

    @workflow.signal
    def end(self) -> None:
        """Let it end."""
        self._is_over = True

    @workflow.run
    async def run(self, echo: Echo) -> Echo:
        """Return what came in."""
        await workflow.wait_condition(lambda: self._is_over)
        return echo
