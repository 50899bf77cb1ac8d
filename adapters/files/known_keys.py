"""What a file says that its model does not know: a warning, or an error where a gate hangs on it."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import AliasChoices, BaseModel

GUARDING = frozenset({"gate", "verification", "steps", "required", "continueOnFail"})
"""Keys that people rely on: one that is nearly such a key is not passed over."""


class MisspeltKeyError(ValueError):
    """A key that is nearly one that guards something."""


def unknown_keys(model: type[BaseModel], value: Mapping[str, Any], where: str = "") -> list[str]:
    """Return a warning for each key that a model has no field for, at any depth.

    Raises:
        MisspeltKeyError: A key is nearly one of those that guard something.
    """
    fields = dict(_fields(model))
    warnings: list[str] = []
    for key, item in value.items():
        place = f"{where}{key}"
        if key not in fields:
            warnings.append(_warning(place, key, fields))
            continue
        inner = _model_in(fields[key])
        for each in item if isinstance(item, list) else [item]:  # pyright: ignore[reportUnknownVariableType]  (from YAML)
            if inner is not None and isinstance(each, Mapping):
                warnings += unknown_keys(inner, each, f"{place}.")  # pyright: ignore[reportUnknownArgumentType]
    return warnings


def _warning(place: str, key: str, fields: Mapping[str, Any]) -> str:
    lower = {name.lower(): name for name in fields}
    near = get_close_matches(key.lower(), lower, n=1)
    meant = lower[near[0]] if near else None
    if meant in GUARDING:
        raise MisspeltKeyError(f"there is no key {place[:80]!r}: did you mean {meant!r}?")
    hint = f": did you mean {meant!r}?" if meant else ""
    return f"the key {place[:80]!r} is not known and was passed over{hint}"


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, Any]]:
    """Yield all names that a model is read by, with the type behind each."""
    for name, field in model.model_fields.items():
        yield name, field.annotation
        if isinstance(field.validation_alias, AliasChoices):
            for choice in field.validation_alias.choices:
                yield str(choice), field.annotation


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model that a field holds, or a sequence of."""
    inside: Sequence[Any] = (annotation, *get_args(annotation))
    models = (each for each in inside if isinstance(each, type) and issubclass(each, BaseModel))
    return next(models, None)
