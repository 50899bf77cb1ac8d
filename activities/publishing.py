"""Publishing: the push of a thread's branch, and its pull request."""

from datetime import UTC, datetime

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.errors import translated
from activities.heartbeats import beating
from activities.receipts import PublishedReceipts
from domain.forges.errors import ForgeBusyError
from domain.forges.ports import Forge
from domain.forges.pull_requests import PullRequestDraft
from domain.threads.publishing.calls import (
    BranchPushed,
    PullRequestAnswer,
    PullRequestCall,
    PushCall,
)
from domain.threads.publishing.ports import Remotes


class Publishing:
    """Pushes branches and opens pull requests; both may be asked for again."""

    def __init__(
        self, remotes: Remotes, forge: Forge, receipts: PublishedReceipts | None = None
    ) -> None:
        self._remotes = remotes
        self._forge = forge
        self._receipts = receipts

    @activity.defn
    async def push_branch(self, call: PushCall) -> BranchPushed:
        """Push a branch with its receipt as a note; where they are there already, nothing changes.

        A note that cannot be made or pushed fails no push; the answer says why.
        """
        with translated():
            async with beating():
                pushed = await self._remotes.push(call)
                if self._receipts is not None and call.thread and pushed.tree:
                    failure = await self._receipts.note(call, pushed, datetime.now(UTC))
                    pushed = pushed.model_copy(update={"note_failure": failure})
                return BranchPushed(pushed=pushed)

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
                    opened = await self._forge.open_pull_request(await self._draft(call))
                except ForgeBusyError as error:
                    raise ApplicationError(
                        error.message, type=error.type, next_retry_delay=error.wait
                    ) from error
        return PullRequestAnswer(pull_request=opened)

    async def _draft(self, call: PullRequestCall) -> PullRequestDraft:
        """Return the pull request as it is opened: with the receipt of its thread in its body."""
        if self._receipts is None or not call.thread:
            return call.draft
        body = await self._receipts.told_in(call.draft.body, call.thread)
        return call.draft.model_copy(update={"body": body})
