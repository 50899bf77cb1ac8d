"""Publishing: the push of a thread's branch, and its pull request."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.errors import translated
from activities.heartbeats import beating
from domain.forges.errors import ForgeBusyError
from domain.forges.ports import Forge
from domain.threads.publishing.calls import (
    BranchPushed,
    PullRequestAnswer,
    PullRequestCall,
    PushCall,
)
from domain.threads.publishing.ports import Remotes


class Publishing:
    """Pushes branches and opens pull requests; both may be asked for again."""

    def __init__(self, remotes: Remotes, forge: Forge) -> None:
        self._remotes = remotes
        self._forge = forge

    @activity.defn
    async def push_branch(self, call: PushCall) -> BranchPushed:
        """Push a branch; where it is there already, nothing changes."""
        with translated():
            async with beating():
                return BranchPushed(pushed=await self._remotes.push(call))

    @activity.defn
    async def open_pull_request(self, call: PullRequestCall) -> PullRequestAnswer:
        """Open a pull request; the one that is open already is found, so there are never two.

        A forge that wants to be left alone is asked again when its time is up.
        """
        obstacle = self._forge.obstacle(call.draft.project)
        if obstacle:
            return PullRequestAnswer(obstacle=obstacle)
        with translated():
            async with beating():
                try:
                    opened = await self._forge.open_pull_request(call.draft)
                except ForgeBusyError as error:
                    raise ApplicationError(
                        error.message, type=error.type, next_retry_delay=error.wait
                    ) from error
        return PullRequestAnswer(pull_request=opened)
