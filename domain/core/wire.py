"""The two bases of every model: what histories and the journal hold, and what REST bodies hold."""

from typing import Any, Self, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    SerializationInfo,
    SerializerFunctionWrapHandler,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, SchemaSerializer, core_schema, to_json

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


class kept:  # noqa: N801  (used as an annotation, like pydantic's own)
    """Keeps a field in `lean_json` that tells which of several models the others are of."""

    def __init__(self, tag: str) -> None:
        self._tag = tag

    def _write(
        self, model: BaseModel, write: SerializerFunctionWrapHandler, info: SerializationInfo
    ) -> Any:
        written = write(model)
        return (
            {self._tag: getattr(model, self._tag), **written} if info.exclude_defaults else written
        )

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler(source)
        writing = core_schema.wrap_serializer_function_ser_schema(self._write, info_arg=True)
        return cast("CoreSchema", {**schema, "serialization": writing})

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe the model as it is without."""
        plain = {name: part for name, part in schema.items() if name != "serialization"}
        return handler(cast("CoreSchema", plain))


def size_bytes(value: Any) -> int:
    """Return how large a value is as JSON, which is how histories and the journal hold it."""
    return len(to_json(value))
