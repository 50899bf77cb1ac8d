"""The ports of publishing; see domain/ports.py."""

from typing import Protocol

from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.publication import PushedBranch


class Remotes(Protocol):
    """The remotes of repositories."""

    async def push(self, call: PushCall) -> PushedBranch:
        """Push a branch, unforced; what is there already is fine.

        Raises:
            RepositoryError: No such branch or remote, its address is not the known one, or the branch has
                moved since it was shown.
            PushError: The remote refuses; the message says why and what to do.
            PushNotThroughError: It does not answer: try again.
        """
        ...
