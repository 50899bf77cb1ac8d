"""What a run of a flow does on its host besides the turns of its conversations."""

from temporalio import activity

from activities.claims import claim_of
from activities.errors import translated
from activities.heartbeats import beating
from activities.recipes import KeptRecipes
from activities.verification import Verification
from domain.core.ports import Fences
from domain.flows.inputs import FlowCommandAnswer, FlowCommandCall, OpenedFlow, OpenFlowCall
from domain.hosts.ports import Placements
from domain.recipes.recipe import WorkspaceRecipe
from domain.threads.ports import Workspaces

BRANCH_PREFIX = "treadle/"


class FlowOpening:
    """Looks at a repository and prepares a run's branch."""

    def __init__(
        self,
        workspaces: Workspaces,
        host: str,
        recipes: KeptRecipes | None = None,
        placements: Placements | None = None,
    ) -> None:
        self._workspaces = workspaces
        self._placements = placements
        self._host = host
        self._recipes = recipes

    @activity.defn
    async def open_flow(self, call: OpenFlowCall) -> OpenedFlow:
        """Check the repository and make the branch; once more is harmless.

        Fails, not retryable, with unusable_repository, branch_conflict, invalid_recipe or
        recipe_not_trusted.
        """
        with translated():
            facts = await self._workspaces.inspect(call.repository)
            branch = f"{BRANCH_PREFIX}{call.run_id}"
            recipe = ""
            if self._recipes is not None:
                recipe = await self._recipes.reference(facts.root, WorkspaceRecipe())
            await self._workspaces.create_branch(facts.root, branch, facts.head)
            if self._placements is not None:
                await self._placements.note(call.run_id, self._host)
        return OpenedFlow(facts=facts, branch=branch, host=self._host, recipe=recipe)


class FlowCommands:
    """Runs the commands of steps in the directory of their run."""

    def __init__(self, verification: Verification, workspaces: Workspaces, fences: Fences) -> None:
        self._verification = verification
        self._workspaces = workspaces
        self._fences = fences

    @activity.defn
    async def run_flow_command(self, call: FlowCommandCall) -> FlowCommandAnswer:
        """Run a command to its end and commit what it changed; again runs and commits nothing twice.

        A failing command is a result, not an error.
        """
        answer = await self._verification.run_verification_step(call)
        with translated():
            async with beating(), self._fences.held(call.workspace.workspace_id, claim_of(call)):
                await self._workspaces.prepare(call.workspace)
                snapshot = await self._workspaces.commit(call.workspace, call.commit_spec)
        return FlowCommandAnswer(result=answer.result, commit=snapshot.commit)
