"""The bases of all models: they take what newer engines say without failing."""

from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A model; fields that it does not know are left out, where its schema does not forbid them."""

    model_config = ConfigDict(defer_build=True, protected_namespaces=())


class OpenEnum(StrEnum):
    """An enum whose newer values are kept as they are: `X("new") == "new"`, and it is none of the known ones."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        unknown = str.__new__(cls, value)
        unknown._name_, unknown._value_ = value, value
        return unknown


class UnknownBody(Model):
    """What an event of a newer engine says: `model_extra` has its fields."""

    model_config = ConfigDict(extra="allow")

    kind: str
