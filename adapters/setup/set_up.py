"""The `SetUps` port: the recipe of a workspace, read where the journal keeps it, and what it makes."""

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

from adapters.containers.containers import Containers
from adapters.git.commands import Git
from adapters.git.repositories import Repositories, Repository
from adapters.git.worktree import Worktree
from adapters.setup.checkout import read_checkout
from adapters.setup.layers import Layers
from adapters.setup.making import Making
from adapters.setup.means import SetUpMeans
from adapters.setup.user_files import link_all, named_files
from domain.core.errors import TreadleError, WorkspaceError
from domain.core.ports import Beat
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from domain.recipes.errors import SecretUnavailableError, SetUpFailedError
from domain.recipes.proposal import Proposal, propose_recipe
from domain.recipes.recipe import User, WorkspaceRecipe
from domain.recipes.results import SetUpResult

_LOG = logging.getLogger(__name__)


class WorkspaceSetUp:
    """Sets workspaces up by their recipes; one without a recipe stays as git made it."""

    def __init__(
        self,
        git: Git,
        repositories: Repositories,
        layers: Layers,
        means: SetUpMeans,
    ) -> None:
        self._git = git
        self._repositories = repositories
        self._layers = layers
        self._commands = means.commands
        self._texts = means.texts
        self._secrets = means.secrets
        self._programs = means.programs
        self._containers = means.containers

    async def layer(
        self, repository: str, commit: str, reference: str, hosts: tuple[str, ...], beat: Beat
    ) -> SetUpResult:
        """Have the layer that workspaces of a commit begin with; a set-up that fails is a result."""
        recipe = await self._texts.recipe(reference)
        found = await self._repositories.find(repository)
        if not (recipe.makes_layer or recipe.shape.needs_more):
            return SetUpResult()
        return await self._made(found, commit, recipe, Making(self._commands, {}, beat, hosts))

    async def _made(
        self, repository: Repository, commit: str, recipe: WorkspaceRecipe, making: Making
    ) -> SetUpResult:
        try:
            secrets = await self._secrets.of(recipe, repository.root, User.SETUP)
        except SecretUnavailableError as error:
            return SetUpResult(failure=error.message)
        try:
            known = replace(making, secrets=secrets, containers=self._of(recipe))
            return await self._layers.make(repository, commit, recipe, known)
        except SetUpFailedError as error:
            return SetUpResult(failure=error.message)

    async def propose(self, repository: str) -> Proposal:
        """Return a recipe for a repository by what is found in it at its head."""
        found = await self._repositories.open(repository)
        return propose_recipe(await read_checkout(self._git, found, self._programs))

    async def attempt(self, repository: str, recipe: WorkspaceRecipe, beat: Beat) -> SetUpResult:
        """Carry a recipe out at the repository's head; its layer stays, for the first who needs it."""
        found = await self._repositories.open(repository)
        commit = await self._git.line(found.place, "rev-parse", "--verify", "HEAD^{commit}")
        return await self._made(found, commit, recipe, Making(self._commands, {}, beat))

    async def dress(self, worktree: Worktree, spec: WorkspaceSpec, shown_at: Path) -> str:
        """Give a worktree that was just made what its recipe says; returns the layer's name.

        A chat goes on without: its agent may be the one to mend what failed.

        Raises:
            SetUpFailedError: A task's commands failed; the message has the tail of what they printed.
        """
        if not spec.recipe:
            return ""
        recipe = await self._texts.recipe(spec.recipe)
        await self._link(worktree, recipe)
        if not recipe.makes_layer:
            return ""
        commit = await self._git.line(worktree.place, "rev-parse", "--verify", "HEAD")
        is_task = spec.kind is WorkspaceKind.TASK
        making = Making(
            self._commands,
            {},
            _unheard,
            spec.hosts,
            can_do_without=not is_task,
            keeps_caches=shown_at == worktree.path and commit == spec.base,
        )
        result = await self._made(worktree.repository, commit, recipe, making)
        if result.failure and is_task:
            raise SetUpFailedError(f"{result.failure}\n{result.output}".strip())
        if result.failure:
            return ""
        if not await self._layers.give(result.layer, worktree, shown_at):
            raise WorkspaceError(f"the layer {result.layer} was removed while it was copied")
        if (containers := self._of(recipe)) is not None:
            image = containers.image_of(result.layer)
            await containers.make(worktree.path, image, worktree.repository.root.name)
        return result.layer

    def _of(self, recipe: WorkspaceRecipe) -> Containers | None:
        """Return the containers of this host, where a recipe wants one.

        Raises:
            SetUpFailedError: There are none.
        """
        if recipe.devcontainer and self._containers is None:
            raise SetUpFailedError("this worker was made without containers")
        return self._containers if recipe.devcontainer else None

    async def _link(self, worktree: Worktree, recipe: WorkspaceRecipe) -> None:
        """Link what of the user's checkout is shown in a workspace, but for what is there."""
        root = worktree.repository.root
        paths = await named_files(self._git, worktree.repository, recipe.linked)
        await asyncio.to_thread(link_all, root, worktree.path, paths)

    async def keep_sweeping(self) -> None:
        """Remove what killed workers left of containers, now and from time to time."""
        if self._containers is not None:
            await self._containers.keep_sweeping()

    async def undress(self, worktree: Worktree) -> None:
        """Remove what a worktree that is gone had beside its folder; what fails is left to the next sweep."""
        if self._containers is None or not self._containers.has(worktree.path):
            return
        try:
            await self._containers.remove(worktree.path)
        except TreadleError as error:
            _LOG.warning("a container stays for now", extra={"reason": error.message})

    async def clean_up(self, worktree: Worktree, spec: WorkspaceSpec) -> str:
        """Run what ends a workspace, before it is removed; returns why it failed, empty where it did not."""
        if not spec.recipe or not worktree.is_made:
            return ""
        recipe = await self._texts.recipe(spec.recipe)
        if not recipe.cleanup:
            return ""
        repository = worktree.repository
        try:
            secrets = await self._secrets.of(recipe, repository.root, User.SETUP)
        except SecretUnavailableError as error:
            return error.message
        place = self._layers.place_of(repository, worktree.path, spec.hosts)
        place = replace(place, keeps_caches=False)
        try:
            if (containers := self._of(recipe)) is not None:
                if not containers.has(worktree.path):
                    return ""  # a chat whose set-up failed: there is nothing to end
                place = replace(place, container=await containers.of(worktree.path))
        except TreadleError as error:
            return error.message
        return (await self._commands.clean_up(recipe, place, secrets, _unheard)).failure


def _unheard() -> None:
    """Beat for nobody: the activity beats by itself."""
