"""Events of checks of recipes."""

from typing import Literal

from domain.core.event import EventBody
from domain.recipes.checks import RecipeCheckKind, RecipeCheckResult


class RecipeCheckStarted(EventBody):
    """A recipe is looked for, or tried."""

    kind: Literal["recipe_check_started"] = "recipe_check_started"
    repository: str
    check: RecipeCheckKind
    by: str = ""


class RecipeCheckEnded(EventBody):
    """The check's end."""

    kind: Literal["recipe_check_ended"] = "recipe_check_ended"
    repository: str
    result: RecipeCheckResult


RecipeCheckEvent = RecipeCheckStarted | RecipeCheckEnded
