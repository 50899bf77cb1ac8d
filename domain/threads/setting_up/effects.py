"""What a thread must have under way to set its workspaces up, and what it is told of it."""

from domain.core.wire import Wire
from domain.recipes.results import SetUpResult
from domain.threads.effects import ThreadEffect


class SetUpWorkspaces(ThreadEffect):
    """Have the layer of the thread's first commit."""

    kind = "set-up"

    number: int

    @property
    def name(self) -> str:
        """How often it was tried."""
        return str(self.number)


class EndSetUp(Wire):
    """What a set-up gave."""

    number: int
    result: SetUpResult
