"""Checks of a repository's recipe: what one could be, and whether one works in a worktree that is thrown away."""

import hashlib
from datetime import datetime
from enum import StrEnum

from domain.core.checks import Check
from domain.core.ids import StreamId, slug
from domain.core.listing import Listing, project_name
from domain.core.wire import Wire
from domain.recipes.proposal import Proposal
from domain.recipes.recipe import WorkspaceRecipe
from domain.recipes.results import SetUpResult


class RecipeCheckKind(StrEnum):
    """What is done."""

    PROPOSE = "propose"
    TRY = "try"


class RecipeCheckInput(Check):
    """One check; its number is the repository's own. A try takes the `recipe`, a proposal none."""

    repository: str
    kind: RecipeCheckKind
    recipe: WorkspaceRecipe = WorkspaceRecipe()

    @property
    def stream(self) -> StreamId:
        """The check's workflow id and journal stream."""
        return recipe_check_stream(self.repository, self.number)

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"{self.kind} a recipe for {project_name(self.repository)}"

    @property
    def listing(self) -> Listing:
        """What Temporal's lists show of it."""
        return Listing(
            kind="recipe",
            status=self.kind,
            title=self.summary,
            project=project_name(self.repository),
            person=self.by,
            look="treadle workspace show",
        )


class RecipeCheckResult(Wire):
    """How a check ended: what is proposed, or what the set-up gave; a failure is a result."""

    kind: RecipeCheckKind
    proposal: Proposal | None = None
    set_up: SetUpResult | None = None
    failure: str = ""
    at: datetime | None = None


def recipe_checks(repository: str) -> StreamId:
    """Return the folder of streams that a repository's checks are in."""
    digest = hashlib.sha256(repository.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return StreamId(f"recipes/{slug(project_name(repository))}-{digest}")


def recipe_check_stream(repository: str, number: int) -> StreamId:
    """Return the workflow id and journal stream of a repository's n-th check."""
    return StreamId(f"{recipe_checks(repository)}/check-{number}")
