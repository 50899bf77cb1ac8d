"""What the queue needs of the outside world."""

from typing import Protocol

from domain.queue.inputs import StartQueuedCall


class Starts(Protocol):
    """Starts what waited."""

    async def start(self, call: StartQueuedCall, spec: str) -> None:
        """Start a thread or a flow run; `spec` is its input as JSON. Twice is once.

        Raises:
            TreadleError: It is refused.
        """
        ...
