"""The ports of publishing; see domain/ports.py."""

from typing import Protocol

from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.publication import (
    ForgeProject,
    PullRequest,
    PullRequestDraft,
    PushedBranch,
)


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


class Forge(Protocol):
    """Where pull requests are."""

    def obstacle(self, project: ForgeProject) -> str:
        """Return why no pull request can be opened there, and what to do; empty where one can."""
        ...

    async def open_pull_request(self, draft: PullRequestDraft) -> PullRequest:
        """Return the open pull request of head and base, opened now where there is none.

        Raises:
            ForgeBusyError: The forge does not answer, or wants to be asked later.
            ForgeError: It refuses; the message says why and what to do.
        """
        ...
