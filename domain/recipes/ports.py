"""Where recipes are kept, and what people are shown of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from domain.core.ports import Beat
from domain.core.wire import Wire
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.containers import Container
from domain.recipes.proposal import Proposal
from domain.recipes.recipe import WorkspaceRecipe
from domain.recipes.results import SetUpResult


class RecipeSource(StrEnum):
    """Whose a recipe is: in the repository for all, or the user's own for it."""

    REPO = "repo"
    USER = "user"


class FoundRecipe(Wire):
    """A recipe with its file; `content_hash` is what trust is bound to, `acts` what it does."""

    recipe: WorkspaceRecipe
    source: RecipeSource
    path: str
    content_hash: str
    acts: tuple[str, ...] = ()
    is_trusted: bool = False


class RecipeView(Wire):
    """What a repository has: its recipe, or what is wrong with it, or one that Treadle proposes."""

    found: FoundRecipe | None = None
    problem: str = ""
    text: str = ""
    proposal: Proposal | None = None


@dataclass(frozen=True)
class Surroundings:
    """What a process in a workspace has beside its own: variables, and folders of shared caches.

    It sees the caches and may write there; what it writes is thrown away with it, where the host can
    see to that. It sees `reads`, what links in the workspace lead to, and writes nothing there. `path`
    are folders of its workspace that come first in its PATH. It may connect to `ports`, where services
    of the workspace listen for it. It works in the `container`, where there is one. `beside` are the worktrees of other repositories, where it has the rights
    that it has in its own.
    """

    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    caches: tuple[Path, ...] = ()
    reads: tuple[Path, ...] = ()
    path: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    container: Container | None = None
    beside: tuple[Path, ...] = ()

    @property
    def workspaces(self) -> tuple[tuple[Path, Path], ...]:
        """The worktrees beside, each seen where it is."""
        return tuple((path, path) for path in self.beside)


class Environments(Protocol):
    """What the recipes of workspaces have processes know."""

    async def of(self, spec: WorkspaceSpec, user: str, folder: Path | None = None) -> Surroundings:
        """Return what a workspace's processes get; nothing for one without a recipe.

        `user` is one of `User`, or the label of a verification step; `folder` is the worktree that they work
        in, where it is another one than the workspace's own.

        Raises:
            SecretUnavailableError: A secret of its cannot be read; says which, and why.
        """
        ...


class SetUps(Protocol):
    """The layers that workspaces of this host begin with."""

    async def layer(
        self, repository: str, commit: str, reference: str, hosts: tuple[str, ...], beat: Beat
    ) -> SetUpResult:
        """Have the layer of a commit by the recipe that the journal keeps; a failure is a result.

        Its commands reach `hosts` beside those that all do.
        """
        ...

    async def propose(self, repository: str) -> Proposal:
        """Return a recipe for a repository by what is found in it at its head."""
        ...

    async def attempt(self, repository: str, recipe: WorkspaceRecipe, beat: Beat) -> SetUpResult:
        """Carry a recipe out at the repository's head; a failure is a result."""
        ...


class Recipes(Protocol):
    """The recipes of this host's repositories."""

    def recipe(self, repository: str) -> FoundRecipe | None:
        """Return the recipe that a thread on a repository is opened with, None where there is none.

        Raises:
            InvalidRecipeError: Its file can't be used; the message says where and why.
            RecipeNotTrustedError: It would act, and nobody has let it.
        """
        ...
