"""The worker's interceptor that notes which repositories of which threads an activity may have changed."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from temporalio import activity
from temporalio.exceptions import ApplicationError
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from adapters.git.remote.hub_copies import HubCopies
from adapters.git.remote.lost_work import LostCommits
from adapters.temporal.repositories_here import beating, repositories_in
from domain.core.errors import RepositoryError, TreadleError, WorkspaceError
from domain.core.ids import ThreadId, thread_of
from domain.core.workspaces import MergeResult
from domain.hosts.lost_work import WorkLostError
from domain.threads.calls import SettledTasks, SettleTasksCall

_OPENS, _REMOVES = frozenset({"open_thread", "open_flow"}), "remove_thread"
_OF_COMMITS = frozenset({RepositoryError.type, WorkspaceError.type})
"""The types of failures that a commit which is not here can be the reason of."""


class NotedRepositories(Interceptor):
    """Brings work from the hub before an activity in a repository, and copies it there before its end is known.

    An activity that needs what was lost with the thread's last host fails for good instead of being tried for ever.
    """

    def __init__(self, copies: HubCopies, lost: LostCommits) -> None:
        self._copies = copies
        self._lost = lost

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Put the notes around an activity."""
        return _Noted(next, self._copies, self._lost)


class _Noted(ActivityInboundInterceptor):
    def __init__(
        self, inner: ActivityInboundInterceptor, copies: HubCopies, lost: LostCommits
    ) -> None:
        super().__init__(inner)
        self._copies = copies
        self._lost = lost

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        names = {name for call in input.args for name in repositories_in(call)}
        info = activity.info()
        thread, is_removed = thread_of(info.workflow_id or ""), info.activity_type == _REMOVES
        if not is_removed:
            await self._bring(thread, names)
        is_refused = True
        try:
            result = await super().execute_activity(input)
            is_refused = False
            if isinstance(result, MergeResult | SettledTasks):
                result = await self._with_losses(thread, names, input.args, result)
        except ApplicationError as error:
            if error.type in _OF_COMMITS and not is_removed:
                await self._refuse_lost(thread, names, input.args)
            raise
        finally:
            if not (is_refused and info.activity_type in _OPENS):  # it has changed nothing
                for name in names:
                    self._copies.note(thread, name, is_removed=is_removed)
        if not is_removed:
            await self._copy(thread, names)
        return result

    async def _bring(self, thread: ThreadId, names: set[str]) -> None:
        try:
            for name in sorted(names):
                await self._copies.bring(thread, name)
        except TreadleError as error:
            raise ApplicationError(error.message, type=error.type) from error

    async def _refuse_lost(self, thread: ThreadId, names: set[str], calls: Sequence[Any]) -> None:
        """Raise what no retry can fix: a commit that the activity needs was lost with another host.

        Of several runs to settle only the first one can have failed the activity.
        """
        first = [call.calls[0] if isinstance(call, SettleTasksCall) else call for call in calls]
        if words := await self._lost_of(thread, names, first):
            raise ApplicationError(words, type=WorkLostError.type, non_retryable=True)

    async def _with_losses(
        self,
        thread: ThreadId,
        names: set[str],
        calls: Sequence[Any],
        result: MergeResult | SettledTasks,
    ) -> MergeResult | SettledTasks:
        """Return what runs were settled with, with the reason of those that were lost with another host."""
        if isinstance(result, MergeResult):
            words = await self._lost_of(thread, names, calls) if result.failure else ""
            return result.model_copy(update={"failure": words}) if words else result
        settled = [
            each for call in calls if isinstance(call, SettleTasksCall) for each in call.calls
        ]
        merges = [
            await self._with_losses(thread, names, [call], merge)
            for call, merge in zip(settled, result.merges, strict=False)
        ]
        return result.model_copy(update={"merges": tuple(merges)})

    async def _lost_of(self, thread: ThreadId, names: set[str], calls: Sequence[Any]) -> str:
        """Return what of some calls is lost, in words; empty where nothing is, or the hub is away."""
        with suppress(TreadleError):
            lost = await self._lost.look(thread, names, calls)
            return lost.message if lost else ""
        return ""

    async def _copy(self, thread: ThreadId, names: set[str]) -> None:
        async with beating():
            for name in sorted(names):
                await self._copies.copy_now(thread, name)
