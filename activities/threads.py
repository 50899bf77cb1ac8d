"""Opening a thread on a repository, and settling the runs of its tasks."""

from temporalio import activity

from activities.claims import claim_of
from activities.errors import translated
from activities.heartbeats import beating
from activities.merged_trees import MergedTrees
from domain.effects import LeasePortCall, OpenedThread, OpenThreadCall, SettleCall
from domain.ports import AgentProfiles, AgentRunner, Fences, PortLeases, Templates, Workspaces
from domain.workspaces import MergeResult


class Opening:
    """Looks at a repository and prepares a thread's branch."""

    def __init__(
        self, workspaces: Workspaces, templates: Templates, profiles: AgentProfiles, host: str
    ) -> None:
        self._workspaces = workspaces
        self._templates = templates
        self._profiles = profiles
        self._host = host

    @activity.defn
    async def open_thread(self, call: OpenThreadCall) -> OpenedThread:
        """Check repository, agent and template, and make the branch; once more is harmless.

        What is checked is what the thread then keeps: the template is read once. Fails, not
        retryable, with unusable_repository, branch_conflict, unknown_agent, unknown_template,
        invalid_template or template_not_trusted.
        """
        with translated():
            self._profiles.profile(call.agent, call.repository)
            facts = await self._workspaces.inspect(call.repository)
            template = call.inherited or self._templates.template(call.template, facts.root)
            name = call.thread_id.removeprefix("thread-")
            branch = f"{template.git.branch_prefix}{name}"
            await self._workspaces.create_branch(facts.root, branch, call.base or facts.head)
        return OpenedThread(facts=facts, template=template, branch=branch, host=self._host)


class Settling:
    """Merges what was accepted and releases what a run held."""

    def __init__(
        self,
        workspaces: Workspaces,
        runner: AgentRunner,
        leases: PortLeases,
        fences: Fences,
        trees: MergedTrees,
    ) -> None:
        self._workspaces = workspaces
        self._runner = runner
        self._leases = leases
        self._fences = fences
        self._trees = trees

    @activity.defn
    async def settle_task(self, call: SettleCall) -> MergeResult:
        """End the run's agents, merge its commit once, release its ports and its worktree.

        What is merged was verified: where siblings moved the branch, on the tree that the merge
        makes. Another attempt runs no step again and merges nothing twice.
        """
        with translated():
            async with beating():
                for session_id in call.sessions:
                    await self._runner.close(session_id)
                claim = claim_of(call, is_release=True)
                async with self._fences.held(call.workspace.workspace_id, claim):
                    result = await self._settle(call)
                await self._leases.release(call.workspace.workspace_id)
                for earlier in call.earlier:
                    async with self._fences.held(earlier.workspace_id, claim):
                        await self._workspaces.release(earlier)
        return result

    async def _settle(self, call: SettleCall) -> MergeResult:
        verified: set[str] | None = set() if call.steps else None
        while True:
            result = await self._workspaces.settle(call, verified)
            if isinstance(result, MergeResult):
                return result
            failure = await self._trees.verify(call, result)
            if failure:
                await self._workspaces.release(call.workspace)
                return MergeResult(failure=failure)
            verified = {*(verified or ()), result.tree}

    @activity.defn
    async def lease_port(self, call: LeasePortCall) -> int:
        """Lease a port to a run of a task; the same one when asked again."""
        with translated():
            return await self._leases.lease(call.owner, call.port_id)

    @activity.defn
    async def release_port(self, call: LeasePortCall) -> bool:
        """Give one port of a run back; once more is harmless."""
        with translated():
            await self._leases.release(call.owner, call.port_id)
        return True
