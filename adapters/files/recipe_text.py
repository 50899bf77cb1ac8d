"""A workspace.toml as a recipe, or everything that is wrong with it; and a recipe as such a file."""

import json
import tomllib
from typing import Any

import tomli_w
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from adapters.files.known_keys import unknown_keys
from domain.recipes.errors import InvalidRecipeError
from domain.recipes.faults import RecipeFault, find_recipe_faults
from domain.recipes.recipe import SERVED, WorkspaceRecipe

MAX_BYTES = 64 * 1024
_NAMED = 5
_TYPES = {
    "enum": "bad_value",
    "greater_than_equal": "out_of_range",
    "less_than_equal": "out_of_range",
    "missing": "missing_field",
}
_WRITTEN = {"copied": "copy", "linked": "link", "users": "for"}


def read_recipe(raw: bytes, path: str) -> WorkspaceRecipe:
    """Return what a workspace.toml says; `path` is how people know it.

    Raises:
        InvalidRecipeError: With the first problems, each with its key or its line.
    """
    values = _values(raw, path)
    wrong = [
        RecipeFault(key.path, "unknown_key", key.words)
        for key in unknown_keys(WorkspaceRecipe, values)
    ]
    try:
        recipe = WorkspaceRecipe.model_validate_json(json.dumps(_for_all(values)), strict=True)
    except ValidationError as error:
        wrong += [_invalid(each) for each in error.errors(include_input=False)]
        recipe = None
    except TypeError as error:  # a date or a time: TOML has them, a recipe has no place for one
        raise InvalidRecipeError(f"{path}: {error} (wrong_type)") from error
    if recipe is not None:
        wrong += find_recipe_faults(recipe)
    if wrong or recipe is None:
        more = f"; and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
        raise InvalidRecipeError(f"{path}: {'; '.join(map(str, wrong[:_NAMED]))}{more}")
    return recipe


def recipe_text(recipe: WorkspaceRecipe, comments: tuple[str, ...] = ()) -> str:
    """Return a recipe as a workspace.toml, with comments at its top."""
    said = recipe.model_dump(mode="json", exclude_defaults=True)
    for name, service in recipe.services.items():
        said["services"][name].pop("users", None)
        if service.users != SERVED:
            said["services"][name]["users"] = list(service.users)
    head = "".join(f"# {line}\n" for line in comments)
    return f"{head}{tomli_w.dumps(_as_written(said), multiline_strings=False)}"


def _for_all(values: dict[str, Any]) -> dict[str, Any]:
    """Return values whose services are for everybody where they say nothing of it."""
    services = values.get("services")
    if not isinstance(services, dict):
        return values
    said: dict[str, Any] = {
        name: {"for": list(SERVED), **each} if isinstance(each, dict) else each
        for name, each in services.items()  # pyright: ignore[reportUnknownVariableType]
    }
    return {**values, "services": said}


def _values(raw: bytes, path: str) -> dict[str, Any]:
    if len(raw) > MAX_BYTES:
        raise InvalidRecipeError(f"{path}: larger than {MAX_BYTES >> 10} KiB (too_large)")
    try:
        return tomllib.loads(raw.decode())
    except UnicodeDecodeError as error:
        raise InvalidRecipeError(f"{path}: it is no text in UTF-8 (not_text)") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidRecipeError(f"{path}: {error} (bad_toml)") from error


def _invalid(error: ErrorDetails) -> RecipeFault:
    place = tuple(_WRITTEN.get(str(part), part) for part in error["loc"])
    kind = (
        "wrong_type" if error["type"].endswith("_type") else _TYPES.get(error["type"], "bad_value")
    )
    return RecipeFault(place, kind, error["msg"].removeprefix("Value error, "))


def _as_written(value: Any, *, is_named: bool = False) -> Any:
    """Return values with the keys that the file has; those of `is_named` tables are the user's own."""
    if not isinstance(value, dict):
        return value
    items: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
    tables = {"environment", "secrets", "services"}
    return {
        (key if is_named else _WRITTEN.get(key, key)): _as_written(each, is_named=key in tables)
        for key, each in items.items()
    }
