"""The base of a thread's branch: fetched, and taken in once what that gives was verified."""

from temporalio import activity

from activities.claims import claim_of
from activities.errors import translated
from activities.heartbeats import beating
from activities.merged_trees import MergedTrees
from domain.core.ports import Fences
from domain.core.workspaces import MergeCandidate, MergeResult
from domain.plans.templates.template import BaseUpdate
from domain.threads.bases.calls import BaseAnswer, BaseCall
from domain.threads.bases.looks import BaseLook
from domain.threads.bases.ports import Bases
from domain.threads.ports import Workspaces


class BaseUpdates:
    """Takes bases into branches of threads; may be asked for again."""

    def __init__(
        self, bases: Bases, workspaces: Workspaces, fences: Fences, trees: MergedTrees
    ) -> None:
        self._bases = bases
        self._workspaces = workspaces
        self._fences = fences
        self._trees = trees

    @activity.defn
    async def take_base(self, call: BaseCall) -> BaseAnswer:
        """Fetch a base and take it in if it has moved; the branch only moves to a tree that passed the steps.

        Another attempt finds a merge that was made, and runs no step again.
        """
        with translated():
            async with beating():
                look = await self._bases.look(call)
                if look.taken:
                    await self._workspaces.release(call.workspace)
                    return BaseAnswer(look=look, merge=MergeResult(commit=look.taken))
                stays = not look.behind or call.update is BaseUpdate.OFF
                if stays and call.is_tip_unverified:
                    return BaseAnswer(look=look, merge=await self._tip(call, look))
                if stays:
                    return BaseAnswer(look=look)
                if look.is_rewritten and not call.is_asked:
                    return BaseAnswer(look=look, merge=MergeResult(failure=_rewritten(look, call)))
                workspace = call.workspace.workspace_id
                async with self._fences.held(workspace, claim_of(call)):
                    return BaseAnswer(look=look, merge=await self._take(call, look))

    async def _take(self, call: BaseCall, look: BaseLook) -> MergeResult:
        verified: set[str] | None = set() if call.steps else None
        while True:
            result = await self._bases.update(call, look, verified)
            if isinstance(result, MergeResult):
                await self._workspaces.release(call.workspace)
                return result
            if failure := await self._verify(call, look, result):
                return MergeResult(failure=failure)
            verified = {*(verified or ()), result.tree}

    async def _tip(self, call: BaseCall, look: BaseLook) -> MergeResult:
        """Verify the branch as it is: a person resolved a conflict, and no step has seen that."""
        candidate = MergeCandidate(commit=look.tip, tree=look.tree)
        async with self._fences.held(call.workspace.workspace_id, claim_of(call)):
            failure = await self._verify(call, look, candidate) if call.steps else ""
            await self._workspaces.release(call.workspace)
        return MergeResult(failure=failure)

    async def _verify(self, call: BaseCall, look: BaseLook, candidate: MergeCandidate) -> str:
        failure = await self._trees.verify(call.settling(look), candidate)
        if failure:
            await self._workspaces.release(call.workspace)
            return failure.replace(": retry the task", "")
        return ""


def _rewritten(look: BaseLook, call: BaseCall) -> str:
    return (
        f"{look.base} of {look.remote} was force-pushed: it does not hold {call.previous[:12]} any more, "
        f"which {call.branch} may have. Look at it, then take it in with `treadle update-branch`"
    )
