"""The `Environments` port for workspaces of several repositories: where those beside are."""

from dataclasses import replace
from pathlib import Path

from adapters.git.several.places import Places
from adapters.git.worktrees import Worktrees
from domain.core.beside import variables_of
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.ports import Environments, Surroundings
from domain.recipes.recipe import User


class SeveralEnvironments:
    """Adds the worktrees beside one, and the variables that name them."""

    def __init__(self, one: Environments | None, places: Places, worktrees: Worktrees) -> None:
        self._one = one
        self._places = places
        self._worktrees = worktrees

    async def of(self, spec: WorkspaceSpec, user: str, folder: Path | None = None) -> Surroundings:
        """Return what a workspace's processes get: by its recipe, and of the repositories beside.

        Raises:
            SecretUnavailableError: A secret of its cannot be read; says which, and why.
        """
        around = Surroundings() if self._one is None else await self._one.of(spec, user, folder)
        if not spec.beside:
            return around
        places = self._places.known_beside(spec)
        found = [(each.name, (await self._worktrees.find(each)).path) for each in places]
        reads = [path for each in places for path in await self._reads_of(each)]
        return replace(
            around,
            variables={**around.variables, **variables_of(found)},
            reads=(*around.reads, *reads),
            beside=tuple(path for _, path in found),
        )

    async def _reads_of(self, beside: WorkspaceSpec) -> tuple[Path, ...]:
        """Return what links in a worktree beside lead to."""
        return (
            () if self._one is None else (await self._one.of(beside, User.PERSON)).reads
        )  # no secret is for them
