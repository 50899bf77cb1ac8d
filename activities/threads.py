"""Opening a thread on a repository, and settling the runs of its tasks."""

import asyncio
from dataclasses import dataclass

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.claims import claim_of
from activities.errors import translated
from activities.heartbeats import beating
from activities.merged_trees import MergedTrees
from activities.recipes import KeptRecipes
from activities.session_imports import SessionImports
from domain.agents.hosting import Terminals
from domain.agents.ports import AgentProfiles, AgentRunner, PortLeases
from domain.core.beside import OpenedBeside, names_of
from domain.core.effects import LeasePortCall
from domain.core.errors import RepositoryError
from domain.core.four_eyes import FourEyes
from domain.core.ids import StreamId, task_workflow_id
from domain.core.ports import Fences
from domain.core.remote_repositories import is_remote
from domain.core.workspaces import MergeResult
from domain.hosts.placement import refuse_unlabelled
from domain.hosts.ports import Placements
from domain.people.access import ApprovalRules
from domain.plans.ports import Templates
from domain.plans.templates.template import BaseUpdate, PlanTemplate
from domain.recipes.recipe import WorkspaceRecipe
from domain.threads.bases.calls import BaseQuery
from domain.threads.bases.ports import Bases
from domain.threads.calls import (
    OpenedThread,
    OpenThreadCall,
    SettleCall,
    SettledTasks,
    SettleTasksCall,
)
from domain.threads.demo import DemoRepositories
from domain.threads.ports import Workspaces
from domain.verification.steps import StepType

QUICK_SECONDS = 0.25
"""How long runs are settled together."""


@dataclass(frozen=True)
class OpeningFiles:
    """The files of people that a thread is opened by."""

    templates: Templates
    profiles: AgentProfiles
    recipes: KeptRecipes | None = None
    placements: Placements | None = None
    approvals: ApprovalRules | None = None
    bases: Bases | None = None
    imports: SessionImports | None = None


class ThreadOpening:
    """Looks at a repository and prepares a thread's branch."""

    def __init__(
        self, workspaces: Workspaces, demos: DemoRepositories, files: OpeningFiles, host: str
    ) -> None:
        self._workspaces = workspaces
        self._demos = demos
        self._templates = files.templates
        self._profiles = files.profiles
        self._recipes = files.recipes
        self._placements = files.placements
        self._approvals = files.approvals
        self._bases = files.bases
        self._imports = files.imports
        self._host = host

    @activity.defn
    async def open_thread(self, call: OpenThreadCall) -> OpenedThread:
        """Check repository, agent and template, and make the branch; once more is harmless.

        What is checked is what the thread then keeps: the template is read once. The demo's repository
        is made first, unless it is there. Fails, not retryable, with unusable_repository, branch_conflict, unknown_agent, unknown_template,
        invalid_template, template_not_trusted, no_host, invalid_recipe or recipe_not_trusted.
        """
        with translated():
            if call.is_demo:
                await self._demos.make(call.repository)
            profile = self._profiles.profile(call.agent, call.repository)
            facts = await self._workspaces.inspect(call.repository)
            template = call.inherited or self._templates.template(call.template, facts.root)
            await self._refuse_unlabelled(call, template)
            name = call.thread_id.removeprefix("thread-")
            branch = f"{template.git.branch_prefix}{name}"
            base = call.base or facts.head
            recipe = call.recipe or await self._recipe(call, template, facts.root)
            opened = OpenedThread(
                facts=facts, template=template, branch=branch, host=self._host, recipe=recipe
            )
            if self._imports is not None:  # before the branch: what is refused leaves none behind
                imported = await self._imports.read(call, profile, facts.root)
                opened = opened.model_copy(update={"imported": imported})
            if call.also:
                opened = await self._with_others(call, opened)
            else:
                commit = await self._workspaces.create_branch(facts.root, branch, base)
                opened = opened.model_copy(update={"begins_at": commit})
            opened = await self._on_newest_base(call, opened)
            opened = opened.model_copy(update={"four_eyes": await self._four_eyes(call, opened)})
            if self._placements is not None:
                await self._placements.note(call.thread_id, self._host, template.labels)
        return opened

    async def _on_newest_base(self, call: OpenThreadCall, opened: OpenedThread) -> OpenedThread:
        """Fetch the base before anybody plans, and have a branch that only lacks commits of it begin there.

        What cannot be fetched, or has gone another way, is told and left for later: nothing waits for it. One of
        several branches stays where it is.
        """
        policy, facts = opened.template.git.base, opened.facts
        name = opened.template.git.pr_target or facts.head_branch
        if self._bases is None or call.base or not name or not policy.fetch or not facts.remotes:
            return opened
        query = BaseQuery(
            thread_id=call.thread_id,
            repository=facts.root,
            branch=opened.branch,
            base=name,
            known=facts.remotes,
        )
        stays = policy.update is BaseUpdate.OFF or name != facts.head_branch or bool(opened.beside)
        async with beating():
            look = await (self._bases.look(query) if stays else self._bases.begin(query))
        begins_at = opened.begins_at if stays else look.tip
        return opened.model_copy(update={"base": look, "begins_at": begins_at})

    async def _refuse_unlabelled(self, call: OpenThreadCall, template: PlanTemplate) -> None:
        """Refuse this host if it lacks labels of the template; one that is inherited stays where it is."""
        if template.labels and call.inherited is None and self._placements is not None:
            host = await self._placements.named(self._host)
            refuse_unlabelled(host, template.labels, template.label)

    async def _four_eyes(self, call: OpenThreadCall, opened: OpenedThread) -> FourEyes:
        """Return the strictest rule of its template and all its repositories, by folder and by what people call them."""
        rule, asked = FourEyes(), opened.template.approvals.rule
        if self._approvals is not None:
            folders = (opened.facts.root, *(each.repository for each in opened.beside))
            for project in {*folders, *filter(is_remote, call.projects)}:
                rule = rule.with_other(await self._approvals.four_eyes(project, asked))
        return rule

    async def _with_others(self, call: OpenThreadCall, opened: OpenedThread) -> OpenedThread:
        """Make the branch in all repositories, or in none; returns what was found in those beside."""
        others = [await self._workspaces.inspect(folder) for folder in call.also]
        recipes = [await self._reference(facts.root, WorkspaceRecipe()) for facts in others]
        every = (opened.facts, *others)
        bases = {facts.root: call.base or facts.head for facts in every}
        if len(bases) < len(every):
            raise RepositoryError("a repository is named twice: name each once")
        own, *begun = await self._workspaces.create_branches(opened.branch, bases)
        name, *names = names_of([facts.root for facts in every])
        beside = (
            OpenedBeside(
                name=called,
                repository=facts.root,
                begins_at=commit,
                since=own,
                recipe=recipe,
                head_branch=facts.head_branch,
                uncommitted=facts.uncommitted,
                remotes=facts.remotes,
            )
            for called, facts, commit, recipe in zip(names, others, begun, recipes, strict=True)
        )
        found = {"begins_at": own, "name": name, "beside": tuple(beside)}
        return opened.model_copy(update={**found, "template": _unpublished(opened.template)})

    async def _recipe(self, call: OpenThreadCall, template: PlanTemplate, root: str) -> str:
        """Return the reference of the repository's recipe and the template's, as they are now."""
        if call.inherited is not None:
            return ""
        return await self._reference(root, template.workspace)

    async def _reference(self, root: str, changes: WorkspaceRecipe) -> str:
        return "" if self._recipes is None else await self._recipes.reference(root, changes)


def _unpublished(template: PlanTemplate) -> PlanTemplate:
    """Return a template for several repositories, which warns if it was to publish them."""
    if not template.git.open_pr:
        return template
    warning = "openPR is ignored: the branch of several repositories is not published yet"
    return template.model_copy(update={"warnings": (*template.warnings, warning)})


@dataclass(frozen=True)
class Holdings:
    """What a run of a task holds on its host beside its workspace."""

    runner: AgentRunner
    leases: PortLeases
    terminals: Terminals


class Settling:
    """Merges what was accepted and releases what a run held."""

    def __init__(
        self, workspaces: Workspaces, fences: Fences, trees: MergedTrees, held: Holdings
    ) -> None:
        self._workspaces = workspaces
        self._fences = fences
        self._trees = trees
        self._runner = held.runner
        self._leases = held.leases
        self._terminals = held.terminals

    @activity.defn
    async def settle_task(self, call: SettleCall) -> MergeResult:
        """End the run's agents, merge its commit once, release terminals, ports and worktree.

        What is merged was verified: where siblings moved the branch, on the tree that the merge
        makes, with the run's servers still there if a step asks one. Another attempt runs no step
        again and merges nothing twice.
        """
        with translated():
            async with beating():
                for session_id in call.sessions:
                    await self._runner.close(session_id)
                if not any(step.type is StepType.HTTP_HEALTH for step in call.steps):
                    await self._end_terminals(call)
                claim = claim_of(call, is_release=True)
                async with self._fences.held(call.workspace.workspace_id, claim):
                    try:
                        result = await self._settle(call)
                    finally:
                        await self._end_terminals(call)
                await self._leases.release(call.workspace.workspace_id)
                for earlier in call.earlier:
                    async with self._fences.held(earlier.workspace_id, claim):
                        await self._workspaces.release(earlier)
        return result

    @activity.defn
    async def settle_tasks(self, call: SettleTasksCall) -> SettledTasks:
        """Settle runs one after the other, until that has taken QUICK_SECONDS; the others come again.

        So a merge that is verified for minutes holds up no task that needs another one. What cannot be
        settled has that as its result; what fails for a while ends this attempt, or, where some are settled,
        is left to the next call.
        """
        clock = asyncio.get_running_loop().time
        began, merges = clock(), list[MergeResult]()
        for each in call.calls:
            try:
                merges.append(await self.settle_task(each))
            except ApplicationError as error:
                if error.non_retryable:
                    merges.append(MergeResult(failure=error.message))
                elif merges:
                    break
                else:
                    raise
            except OSError:
                if not merges:
                    raise
                break
            if clock() - began > QUICK_SECONDS:
                break
        return SettledTasks(merges=tuple(merges))

    async def _end_terminals(self, call: SettleCall) -> None:
        owner = task_workflow_id(call.workspace.thread_id, call.task_id)
        await self._terminals.end_all(StreamId(owner), "ended with the task")

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
