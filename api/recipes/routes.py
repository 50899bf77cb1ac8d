"""Workspace recipes: show, propose, try, keep and trust them."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from adapters.files.recipe_text import read_recipe, recipe_text
from adapters.host import known_host
from api.core.checks import await_start
from api.core.dependencies import JournalDep, Person, SettingsDep, WorkflowsDep
from api.core.host_files import HostFilesDep
from api.core.permissions import OF_REPOSITORY, STARTS_IN_REPOSITORY
from api.recipes.bodies import RecipeBody, RecipeCheckBody, RecipeTrustBody
from domain.core.checks import check_number
from domain.core.errors import NotFoundError
from domain.core.ids import StreamId
from domain.hosts.file_calls import FileSubject
from domain.recipes.checks import (
    RecipeCheckInput,
    RecipeCheckKind,
    RecipeCheckResult,
    recipe_check_stream,
    recipe_checks,
)
from domain.recipes.errors import InvalidRecipeError
from domain.recipes.events import RecipeCheckEnded
from domain.recipes.ports import FoundRecipe, RecipeView
from domain.recipes.recipe import FILE

router = APIRouter(tags=["recipes"], prefix="/recipes", dependencies=[STARTS_IN_REPOSITORY])


Repository = Annotated[
    str, Query(min_length=1, max_length=4096, description="A folder of the repository")
]


class RecipeCheck(BaseModel):
    """A check: its number, and its result once it has ended; a proposal also as a file's text."""

    number: int
    stream: StreamId
    result: RecipeCheckResult | None = None
    text: str = ""


@router.get("")
async def recipe(files: HostFilesDep, repository: Repository) -> RecipeView:
    """Get the recipe of a repository, what it does without asking, or what is wrong with it."""
    return await files.ask(RecipeView, FileSubject.RECIPE, repository=repository)


@router.post("", status_code=201, dependencies=[OF_REPOSITORY])
async def keep_recipe(body: RecipeBody, files: HostFilesDep) -> FoundRecipe:
    """Write a recipe and trust it; one in the repository is never replaced."""
    return await files.ask(FoundRecipe, FileSubject.KEEP_RECIPE, **body.model_dump())


@router.post("/trust", dependencies=[OF_REPOSITORY])
async def trust_recipe(body: RecipeTrustBody, files: HostFilesDep) -> FoundRecipe:
    """Trust what a recipe does without asking, on each host that has it so; refused if it has changed."""
    return await files.ask(FoundRecipe, FileSubject.TRUST_RECIPE, **body.model_dump())


@router.post("/checks/{kind}", status_code=202)
async def check_recipe(  # noqa: PLR0913  (each is a part of the request)
    kind: RecipeCheckKind,
    body: RecipeCheckBody,
    *,
    files: HostFilesDep,
    workflows: WorkflowsDep,
    journal: JournalDep,
    settings: SettingsDep,
    person: Person,
) -> RecipeCheck:
    """Propose a recipe for a repository, or try one in a worktree that is thrown away."""
    given = {"repository": body.repository}
    place, view = await files.located(RecipeView, FileSubject.RECIPE, **given)
    text = body.text if body.text is not None else view.text
    if kind is RecipeCheckKind.TRY and not text:
        raise InvalidRecipeError(f"{body.repository} has no {FILE}: give a text to try")
    streams = await journal.headlines(below=recipe_checks(body.repository))
    check = RecipeCheckInput(
        repository=body.repository,
        kind=kind,
        number=max((check_number(each.stream) for each in streams), default=0) + 1,
        host=place.host.host if place.host else known_host(settings.data_dir),
        by=person,
    )
    if kind is RecipeCheckKind.TRY:
        check = check.model_copy(update={"recipe": read_recipe(text.encode(), FILE)})
    begun = await workflows.start_recipe_check(check)
    await await_start(begun.stream, f"the recipe of {body.repository}", journal, workflows)
    return RecipeCheck(number=begun.number, stream=begun.stream)


@router.get("/checks/{number}")
async def recipe_check(number: int, journal: JournalDep, repository: Repository) -> RecipeCheck:
    """Get a check, with its result once it has ended."""
    stream = recipe_check_stream(repository, number)
    events = [journaled.event.body for journaled in await journal.read(stream, limit=10)]
    if not events:
        raise NotFoundError(f"{repository} has no check {number}")
    ended = next((body for body in events if isinstance(body, RecipeCheckEnded)), None)
    if ended is None:
        return RecipeCheck(number=number, stream=stream)
    proposal = ended.result.proposal
    text = recipe_text(proposal.recipe, proposal.found) if proposal else ""
    return RecipeCheck(number=number, stream=stream, result=ended.result, text=text)
