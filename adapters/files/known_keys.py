"""What a file says that its model does not know: a warning, or an error where a gate hangs on it."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, get_args, get_origin

from pydantic import AliasChoices, BaseModel

from adapters.files.frontmatter import KeyPath

GUARDING = frozenset(
    {
        *("gate", "verification", "steps", "required"),
        *("continueOnFail", "continue_on_fail", "planApproval", "plan_approval"),
        *("parallelGroup", "parallel_group"),
    }
)
"""Keys that people rely on: one that is nearly such a key is not passed over."""


class UnknownKey(NamedTuple):
    """A key that nothing reads; `is_guarding` where a gate or a check was surely meant."""

    path: KeyPath
    words: str
    is_guarding: bool = False


def unknown_keys(
    model: type[BaseModel], value: Mapping[str, Any], above: KeyPath = ()
) -> Iterator[UnknownKey]:
    """Yield each key that a model has no field for, at any depth; names that are the user's own are no keys."""
    fields = dict(_fields(model))
    for key, item in value.items():
        path = (*above, key)
        if key not in fields:
            yield _unknown(path, key, fields)
            continue
        inner = _model_in(fields[key])
        if inner is not None:
            for place, part in _parts(fields[key], item):
                yield from unknown_keys(inner, part, (*path, *place))


def _parts(annotation: Any, item: Any) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
    """Yield what a field's model is read from, with the place of each; a table's names are the user's own."""
    if isinstance(item, list):
        named = enumerate(item)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    elif get_origin(annotation) is dict and isinstance(item, Mapping):
        named = item.items()  # pyright: ignore[reportUnknownVariableType]
    elif isinstance(item, Mapping):
        yield (), item
        return
    else:
        return
    for name, each in named:  # pyright: ignore[reportUnknownVariableType]
        if isinstance(each, Mapping):
            yield (name,), each


def _unknown(path: KeyPath, key: str, fields: Mapping[str, Any]) -> UnknownKey:
    lower = {name.lower(): name for name in fields}
    near = get_close_matches(key.lower(), lower, n=1)
    hint = f": did you mean {lower[near[0]]!r}?" if near else ""
    shown = ".".join(map(str, path))[:80]
    if near and lower[near[0]] in GUARDING:
        return UnknownKey(path, f"there is no key {shown!r}{hint}", is_guarding=True)
    return UnknownKey(path, f"the key {shown!r} is not known and was passed over{hint}")


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
