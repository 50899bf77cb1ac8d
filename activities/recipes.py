"""Recipes of repositories: kept with what is opened by them, and checked."""

from dataclasses import dataclass
from datetime import UTC, datetime

from temporalio import activity

from activities.heartbeats import beating
from domain.core.errors import TreadleError
from domain.core.event import Event, EventBody
from domain.core.ids import EventId
from domain.core.ports import Journal
from domain.recipes.checks import RecipeCheckInput, RecipeCheckKind, RecipeCheckResult
from domain.recipes.events import RecipeCheckEnded, RecipeCheckStarted
from domain.recipes.ports import Recipes, SetUps
from domain.recipes.recipe import WorkspaceRecipe


@dataclass(frozen=True)
class KeptRecipes:
    """The recipes of this host, and the journal, which keeps what threads and runs were opened with."""

    files: Recipes
    journal: Journal

    async def reference(self, repository: str, changes: WorkspaceRecipe) -> str:
        """Return the reference of a repository's recipe as it is now, changed; empty where there is none.

        Raises:
            InvalidRecipeError: Its file can't be used.
            RecipeNotTrustedError: It would act, and nobody has let it.
        """
        found = self.files.recipe(repository)
        recipe = (found.recipe if found else WorkspaceRecipe()).replaced_by(changes)
        if recipe == WorkspaceRecipe():
            return ""
        return await self.journal.put_text(recipe.model_dump_json())


class RecipeChecks:
    """Looks for recipes, and tries them, on this host; each may run twice."""

    def __init__(self, journal: Journal, set_ups: SetUps) -> None:
        self._journal = journal
        self._set_ups = set_ups

    @activity.defn
    async def check_recipe(self, check: RecipeCheckInput) -> RecipeCheckResult:
        """Propose a recipe for a repository, or try one; what fails is a result."""
        started = RecipeCheckStarted(repository=check.repository, check=check.kind, by=check.by)
        await self._tell(check, "started", started)
        result = RecipeCheckResult(kind=check.kind)
        try:
            async with beating():
                result = result.model_copy(update=await self._found(check))
        except TreadleError as error:
            result = result.model_copy(update={"failure": error.message})
        result = result.model_copy(update={"at": datetime.now(UTC)})
        ended = RecipeCheckEnded(repository=check.repository, result=result)
        await self._tell(check, "ended", ended)
        return result

    async def _found(self, check: RecipeCheckInput) -> dict[str, object]:
        if check.kind is RecipeCheckKind.PROPOSE:
            return {"proposal": await self._set_ups.propose(check.repository)}
        beat = activity.heartbeat
        return {"set_up": await self._set_ups.attempt(check.repository, check.recipe, beat)}

    async def _tell(self, check: RecipeCheckInput, what: str, body: EventBody) -> None:
        event = Event(
            id=EventId(f"{check.stream}:{what}"),
            stream=check.stream,
            at=datetime.now(UTC),
            body=body,
        )
        await self._journal.append([event])
