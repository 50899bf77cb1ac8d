"""The port of stacked pull requests; see domain/core/ports.py."""

from typing import Protocol

from domain.threads.publishing.stack_calls import (
    LayerCall,
    ReplayCall,
    Replayed,
    StackCall,
    StackFound,
)


class Stacks(Protocol):
    """The branches of a stack."""

    async def find(self, call: StackCall) -> StackFound:
        """Return the tasks in the order in which the branch got them; the network is not asked.

        Raises:
            RepositoryError: As a push of the branch.
        """
        ...

    async def replay(self, call: ReplayCall) -> Replayed:
        """Put commits on top of others, as one where they cannot be replayed each; conflicts are an answer.

        What the base has already stays as it is.

        Raises:
            PushNotThroughError: The base cannot be fetched now: try again.
            RepositoryError: The repository is not what is trusted.
        """
        ...

    async def push(self, call: LayerCall) -> None:
        """Push a layer's commit; what is there already is fine, and is replaced only if it was pushed from here.

        Raises:
            RepositoryError: As a push of the branch.
            PushError: Somebody else has pushed to it, or the remote refuses.
            PushNotThroughError: It does not answer: try again.
        """
        ...
