"""Errors of workspace recipes."""

from domain.core.errors import ConflictError, InvalidError


class InvalidRecipeError(InvalidError):
    """A workspace recipe is invalid; the message says where and why."""

    type = "invalid_recipe"


class SecretUnavailableError(InvalidError):
    """A secret that a workspace recipe names cannot be read; the message says which, and why."""

    type = "secret_unavailable"


class SetUpFailedError(InvalidError):
    """A workspace could not be set up; the message says what failed, and what commands printed."""

    type = "set_up_failed"


class RecipeNotTrustedError(ConflictError):
    """A workspace recipe acts without asking, and its current file is not trusted."""

    type = "recipe_not_trusted"


class RecipeExistsError(ConflictError):
    """The repository has a workspace recipe; it was not replaced."""

    type = "recipe_exists"
