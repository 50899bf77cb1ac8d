"""The two bases of every model: what histories and the journal hold, and what REST bodies hold."""

from pydantic import BaseModel, ConfigDict


class Wire(BaseModel):
    """A model that lives in a Temporal history, the journal or a stream.

    Unknown fields are ignored so that an older reader takes a newer record. New fields need a
    default; a field is never renamed and never retyped.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")


class Body(BaseModel):
    """A REST request body: unknown fields are refused, strings are stripped of nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
