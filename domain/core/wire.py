"""The two bases of every model: what histories and the journal hold, and what REST bodies hold."""

from typing import Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    WrapSerializer,
)
from pydantic_core import SchemaSerializer, core_schema, to_json

_ANY = SchemaSerializer(core_schema.any_schema())


class Wire(BaseModel):
    """A model that lives in a Temporal history, the journal or a stream.

    Unknown fields are ignored so that an older reader takes a newer record. New fields need a
    default; a field is never renamed and never retyped.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    def __deepcopy__(self, _memo: object = None) -> Self:
        """Return itself: it never changes, so what holds it is copied without it."""
        return self


class Body(BaseModel):
    """A REST request body: unknown fields are refused, strings are stripped of nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def whole_number(value: Any) -> Any:
    """Refuse what only looks like a number, before a model takes `true` for 1 or "5" for 5.

    Raises:
        ValueError: It is a truth value or a text.
    """
    if isinstance(value, bool | str):
        raise ValueError("give a whole number")  # noqa: TRY004  (what pydantic reports)
    return value


def lean_json(value: Any) -> bytes:
    """Return a value as JSON without the fields that have their defaults, which therefore never change.

    It is how histories hold what workflows and activities tell each other.
    """
    return _ANY.to_json(value, exclude_defaults=True)


def kept(tag: str) -> WrapSerializer:
    """Return what keeps a field in `lean_json` that tells which of several models the others are of."""

    def write(
        model: BaseModel, write: SerializerFunctionWrapHandler, info: SerializationInfo
    ) -> Any:
        written = write(model)
        return {tag: getattr(model, tag), **written} if info.exclude_defaults else written

    return WrapSerializer(write)


def size_bytes(value: Any) -> int:
    """Return how large a value is as JSON, which is how histories and the journal hold it."""
    return len(to_json(value))
