"""Bodies of requests about workspace recipes."""

from pydantic import Field

from api.core.bodies import CommandBody, Folder, Name, RecipeText
from domain.core.wire import Body
from domain.recipes.ports import RecipeSource


class RecipeBody(Body):
    """A recipe to keep: in the repository, or for the user alone."""

    repository: Folder
    text: RecipeText
    source: RecipeSource = Field(default=RecipeSource.REPO, strict=False)


class RecipeTrustBody(Body):
    """The recipe to trust, by the hash of what was reviewed."""

    repository: Folder
    content_hash: Name


class RecipeCheckBody(CommandBody):
    """A repository to find a recipe for, or to try one in: the text given, or else its own."""

    repository: Folder
    text: RecipeText | None = None
