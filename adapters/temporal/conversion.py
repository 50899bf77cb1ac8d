"""The data converter: pydantic models as JSON, public texts marked, foreign payloads as `Unsealed`."""

import json
from dataclasses import dataclass
from typing import Any, Self

from pydantic_core import from_json
from temporalio.api.common.v1 import Payload
from temporalio.api.failure.v1 import Failure
from temporalio.contrib.pydantic import (
    PydanticJSONPlainPayloadConverter,
    PydanticPayloadConverter,
)
from temporalio.converter import (
    CompositePayloadConverter,
    DataConverter,
    DefaultFailureConverterWithEncodedAttributes,
    EncodingPayloadConverter,
    PayloadConverter,
    SerializationContext,
    WithSerializationContext,
)
from temporalio.exceptions import ApplicationError

import domain.reading.event_kinds  # noqa: F401  # pyright: ignore[reportUnusedImport]  (reads events by kind)
from adapters.files.key_ring import KeyRing
from adapters.temporal.sealing import FORMER, PUBLIC, UNSEALED, IsOurs, Sealing
from domain.agents.checks import CheckInput
from domain.conversations.sessions.inputs import SessionInput
from domain.core.seals import UNSEALED_FAILURE, Public, Unsealed
from domain.core.wire import lean_json
from domain.flows.inputs import FlowInput
from domain.queue.schedules.schedule import ScheduledInput
from domain.tasks.inputs import TaskInput
from domain.threads.inputs import ThreadInput

STARTS = (ThreadInput, TaskInput, SessionInput, CheckInput, ScheduledInput, FlowInput)
"""What workflows start with: one that is not ours fails its workflow, which nothing else could do."""

USUAL = tuple(PydanticPayloadConverter().converters.values())
"""The SDK's own, which know nothing of who uses them."""


def data_converter(keys: KeyRing | None, is_ours: IsOurs | None = None) -> DataConverter:
    """Return the converter of every process; without keys, as for recorded histories, all is clear.

    `is_ours` tells of a key that is not here whether another process has it.
    """
    if keys is None:
        clear = DefaultFailureConverterWithEncodedAttributes
        return _Converter(payload_converter_class=_Payloads, failure_converter_class=clear)
    return _Converter(
        payload_converter_class=_Payloads,
        payload_codec=Sealing(keys, is_ours=is_ours),
        failure_converter_class=_Failures,
    )


@dataclass(frozen=True)
class _Converter(DataConverter):
    """Asked for the place of each payload, and cheap to ask: only the codec knows of places."""

    def with_context(self, context: SerializationContext) -> Self:
        codec = self.payload_codec
        if not isinstance(codec, WithSerializationContext):
            return self
        # `dataclasses.replace`, as the SDK has it, builds converters that are thrown away at once
        placed = object.__new__(type(self))
        vars(placed).update(vars(self), payload_codec=codec.with_context(context))
        return placed


class _Failures(DefaultFailureConverterWithEncodedAttributes):
    """Marks the application failures that are not ours: their attributes are not sealed."""

    def from_failure(self, failure: Failure, payload_converter: PayloadConverter) -> BaseException:
        error = super().from_failure(failure, payload_converter)
        if not isinstance(error, ApplicationError) or _is_sealed(failure):
            return error
        marked = ApplicationError(error.message, type=UNSEALED_FAILURE, non_retryable=True)
        marked.__cause__ = error.__cause__
        return marked


def _is_sealed(failure: Failure) -> bool:
    """Tell whether the codec has opened a failure's attributes."""
    encoding = failure.encoded_attributes.metadata.get("encoding", b"")
    return encoding not in {b"", UNSEALED}


class _Lean(PydanticJSONPlainPayloadConverter):
    """Writes no field that has its default, so defaults never change (tests/test_defaults.py)."""

    def to_payload(self, value: Any) -> Payload | None:
        metadata = {"encoding": self.encoding.encode()}
        return Payload(metadata=metadata, data=lean_json(value))


class _PublicTexts(EncodingPayloadConverter):
    """Marks the texts that the codec must leave readable."""

    @property
    def encoding(self) -> str:
        return "treadle/public"

    def to_payload(self, value: Any) -> Payload | None:
        if not isinstance(value, Public):
            return None
        # the encoding that Web UI and command line know; the codec takes the mark away
        metadata = {"encoding": b"json/plain", PUBLIC: b"1"}
        return Payload(
            metadata=metadata, data=json.dumps(value, ensure_ascii=False).encode(errors="replace")
        )

    def from_payload(self, payload: Payload, type_hint: type | None = None) -> Any:
        raise NotImplementedError("a public text is read as any other")


class _UnsealedValues(EncodingPayloadConverter):
    """Marks the values that are not ours."""

    @property
    def encoding(self) -> str:
        return UNSEALED.decode()

    def to_payload(self, value: object) -> Payload | None:
        del value

    def from_payload(self, payload: Payload, type_hint: type | None = None) -> Unsealed:
        if type_hint in STARTS:
            raise ApplicationError("not started by Treadle", type="forbidden", non_retryable=True)
        if payload.metadata[FORMER] != b"json/plain":
            return Unsealed(None)
        try:
            return Unsealed(from_json(payload.data))
        except ValueError:
            return Unsealed(None)


_CONVERTERS = (
    _PublicTexts(),
    _UnsealedValues(),
    *(_Lean() if isinstance(e, PydanticJSONPlainPayloadConverter) else e for e in USUAL),
)


class _Payloads(CompositePayloadConverter):
    """Made for each workflow task, of converters that are made once."""

    def __init__(self) -> None:
        super().__init__(*_CONVERTERS)
