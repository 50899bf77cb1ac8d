"""Watching a pull request on its forge: looks, merges, and what follows a merge."""

from collections.abc import Callable
from typing import Any

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from activities.receipt_statuses import ReceiptStatuses
from domain.forges.errors import ForgeAccessError, ForgeBusyError, ForgeError, ForgeGoneError
from domain.forges.ports import PullRequests
from domain.forges.pull_requests import Look
from domain.publications.bounds import within_bounds
from domain.publications.calls import (
    AnswerCall,
    CancelMergeCall,
    CheckLog,
    CheckLogCall,
    DeleteBranchCall,
    Done,
    LookAnswer,
    LookCall,
    MergeCall,
    MergeOutcome,
)
from domain.publications.items import ItemKind


class Watching:
    """Looks at pull requests and merges them; each may be asked for again."""

    def __init__(self, forge: PullRequests | None, receipts: ReceiptStatuses | None = None) -> None:
        self._known = forge
        self._receipts = receipts

    @property
    def _forge(self) -> PullRequests:
        if self._known is None:
            raise ForgeError("this worker cannot look at pull requests: look at it on the forge")
        return self._known

    @property
    def activities(self) -> tuple[Callable[..., Any], ...]:
        """All of them, for a worker."""
        return (
            self.look_at_pull_request,
            self.merge_pull_request,
            self.cancel_pull_request_merge,
            self.delete_merged_branch,
            self.read_check_log,
            self.answer_comment,
        )

    @activity.defn
    async def look_at_pull_request(self, call: LookCall) -> LookAnswer:
        """Look at a pull request; that the forge refuses or does not answer is a result.

        A worker that cannot look at any sees nothing, and nobody is told of trouble with the forge.
        """
        if self._known is None:
            return LookAnswer(look=Look(tags=call.tags))
        async with beating():
            try:
                return await self._shown(call, await self._look(call))
            except ForgeError as error:
                waits = isinstance(error, ForgeBusyError) and error.wait
                return LookAnswer(
                    trouble=_trouble(error),
                    failure=error.message,
                    wait=waits.total_seconds() if waits else 0.0,
                )

    async def _look(self, call: LookCall) -> Look:
        look = await self._forge.look(call.of, call.tags)
        view = look.view
        return look.model_copy(update={"view": within_bounds(view)}) if view else look

    async def _shown(self, call: LookCall, look: Look) -> LookAnswer:
        """Show the receipt for a head commit that is new; tried again with a whole look where it must be."""
        view = look.view
        if self._receipts is None or view is None or view.head_commit == call.receipted:
            return LookAnswer(look=look, receipted=call.receipted)
        shown = await self._receipts.show(call, view)
        if shown.is_done:
            return LookAnswer(look=look, receipted=view.head_commit, receipt=shown.receipt)
        return LookAnswer(look=look.model_copy(update={"tags": {}}), receipt=shown.receipt)

    @activity.defn
    async def merge_pull_request(self, call: MergeCall) -> MergeOutcome:
        """Merge a pull request; one that is merged already says so, so asking again is safe.

        Fails with `forge_busy`, to be retried; any other refusal is a result.
        """
        async with beating():
            with translated():
                try:
                    return MergeOutcome(answer=await self._forge.merge(call.request))
                except ForgeBusyError:
                    raise
                except ForgeError as error:
                    return MergeOutcome(failure=error.message)

    @activity.defn
    async def cancel_pull_request_merge(self, call: CancelMergeCall) -> Done:
        """Have the forge not merge by itself; fine where it would not."""
        async with beating():
            with translated():
                try:
                    await self._forge.cancel_merge(call.of)
                except ForgeBusyError:
                    raise
                except ForgeError as error:
                    return Done(failure=error.message)
        return Done()

    @activity.defn
    async def read_check_log(self, call: CheckLogCall) -> CheckLog:
        """Read the end of a check's log, which is from outside; that there is none is a result."""
        async with beating():
            with translated():
                try:
                    text = await self._forge.check_log(call.of, call.check, call.most)
                except ForgeBusyError:
                    raise
                except ForgeError as error:
                    return CheckLog(failure=error.message)
        return CheckLog(text=text[-call.most :])

    @activity.defn
    async def answer_comment(self, call: AnswerCall) -> Done:
        """Answer a review thread and resolve it; the key makes asking again safe."""
        async with beating():
            with translated():
                try:
                    await self._forge.reply(call.of, call.thread, call.text, call.key)
                    await self._forge.resolve(call.of, call.thread)
                except ForgeBusyError:
                    raise
                except ForgeError as error:
                    return Done(failure=error.message)
        return Done()

    @activity.defn
    async def delete_merged_branch(self, call: DeleteBranchCall) -> Done:
        """Delete a branch that is still at the commit that was merged; fine where it is gone."""
        async with beating():
            with translated():
                try:
                    await self._forge.delete_branch(call.project, call.branch, call.commit)
                except ForgeBusyError:
                    raise
                except ForgeError as error:
                    return Done(failure=error.message)
        return Done()


def _trouble(error: ForgeError) -> ItemKind:
    if isinstance(error, ForgeAccessError):
        return ItemKind.ACCESS
    return ItemKind.GONE if isinstance(error, ForgeGoneError) else ItemKind.UNREACHABLE
