"""Setting the workspaces of a thread up again, or doing without."""

from fastapi import APIRouter
from pydantic import BaseModel

from adapters.files.recipe_files import RecipeFiles
from adapters.files.recipe_text import read_recipe, recipe_text
from adapters.files.trusted_files import TrustedFiles
from api.core.commands import CommandRoute, CommandsDep, add_commands
from api.core.dependencies import JournalDep, SettingsDep, Thread, ThreadsDep, thread_id
from api.core.permissions import OF_THREAD, PermitsDep
from api.threads.bodies import SetUpBody
from domain.core.command import Answer
from domain.core.errors import NotFoundError
from domain.people.roles import Role
from domain.recipes.recipe import FILE, WorkspaceRecipe
from domain.threads.setting_up.commands import RetrySetUp, SkipSetUp
from settings import config_dir

router = APIRouter(tags=["set-up"], prefix="/threads/{thread}", dependencies=[OF_THREAD])


class RecipeText(BaseModel):
    """The recipe of a thread, as a file would have it."""

    text: str


@router.get("/set-up")
async def set_up_recipe(thread: Thread, folds: ThreadsDep, journal: JournalDep) -> RecipeText:
    """Get the recipe that the thread's workspaces are set up by."""
    reference = (await folds.fold(thread)).thread.set_up.recipe
    kept = await journal.text(reference) if reference else None
    if kept is None:
        raise NotFoundError(f"thread {thread!r} has no workspace recipe")
    return RecipeText(text=recipe_text(WorkspaceRecipe.model_validate_json(kept)))


@router.post("/set-up/retry")
async def retry_set_up(
    thread: Thread,
    body: SetUpBody,
    *,
    commands: CommandsDep,
    journal: JournalDep,
    settings: SettingsDep,
    permits: PermitsDep,
) -> Answer:
    """Set workspaces up again: by the recipe given, by the file as it is now, or as before.

    A recipe that is given here is trusted for this thread. The file must be trusted as it is now.
    """
    reference = ""
    if body.text is not None:
        await permits.require(Role.APPROVER, thread)
        recipe = read_recipe(body.text.encode(), FILE)
        reference = await journal.put_text(recipe.model_dump_json())
    elif body.repository is not None:
        files = RecipeFiles(config_dir(), TrustedFiles(settings.data_dir, "recipe"))
        found = files.recipe(body.repository)
        if found is not None:
            reference = await journal.put_text(found.recipe.model_dump_json())
    return await commands.send(thread, RetrySetUp, body, recipe=reference)


add_commands(
    router,
    thread_id,
    CommandRoute(
        "/set-up/skip",
        SkipSetUp,
        "Start tasks without setting workspaces up: they have what git gives them.",
    ),
)
