"""Recipes by their references, as the journal keeps them."""

from collections.abc import Awaitable, Callable

from pydantic import ValidationError

from domain.core.errors import WorkspaceError
from domain.recipes.recipe import WorkspaceRecipe

ReadText = Callable[[str], Awaitable[str | None]]
_KEPT = 100


class RecipeTexts:
    """Reads recipes; a reference names the same text for ever, so each is read once."""

    def __init__(self, read: ReadText) -> None:
        self._read = read
        self._known: dict[str, WorkspaceRecipe] = {}

    def forget(self) -> None:
        """Read all anew."""
        self._known.clear()

    async def recipe(self, reference: str) -> WorkspaceRecipe:
        """Return a recipe.

        Raises:
            WorkspaceError: The journal has none of that name.
        """
        if (known := self._known.get(reference)) is not None:
            return known
        text = await self._read(reference)
        try:
            recipe = WorkspaceRecipe.model_validate_json(text or "")
        except ValidationError as error:
            raise WorkspaceError(f"the journal has no workspace recipe {reference}") from error
        if len(self._known) >= _KEPT:
            self.forget()
        self._known[reference] = recipe
        return recipe
