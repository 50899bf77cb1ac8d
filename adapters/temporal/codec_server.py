"""What Temporal's Web UI and CLI show of sealed payloads: Temporal's remote codec protocol.

The protocol sends no workflow id, so the place of a payload is the one that its metadata name. That is
good enough to look at, and for nothing else: workers check the real place (adapters/temporal/sealing.py).
"""

import json
from typing import Any, cast

from google.protobuf.json_format import MessageToJson, Parse, ParseError
from temporalio.api.common.v1 import Payload, Payloads

from adapters.files.key_ring import KeyRing
from adapters.temporal.envelope import SEALED, Envelope
from adapters.temporal.sealing import UNSEALED, Sealing
from domain.core.effects import Effect
from domain.core.inputs import WorkflowInput

JSON = b"json/plain"
_CARRIED = frozenset((*Effect.model_fields, *WorkflowInput.model_fields, "carried"))


class CodecRequestError(ValueError):
    """The body of a request is not what the protocol says."""


class CodecServer:
    """Opens payloads to look at; it seals nothing."""

    def __init__(self, keys: KeyRing) -> None:
        self._keys = keys

    async def decode(self, body: bytes) -> str:
        """Return payloads in clear, in their order; what cannot be opened says why.

        Raises:
            CodecRequestError: The body is no list of payloads.
            KeyRingError: The file of keys is not as it should be.
        """
        found = [await self._show(payload) for payload in _parsed(body).payloads]
        return MessageToJson(Payloads(payloads=found), indent=None)

    def encode(self, body: bytes) -> str:
        """Return payloads as they are: what a person sends carries a code in place of a seal.

        Raises:
            CodecRequestError: The body is no list of payloads.
        """
        return MessageToJson(_parsed(body), indent=None)

    async def _show(self, payload: Payload) -> Payload:
        if payload.metadata.get("encoding") != SEALED:
            return payload
        envelope = Envelope.of(payload)
        if envelope is None:
            return _notice("sealed by another program, or cut short")
        if self._keys.find(envelope.key_id) is None:
            return _notice(
                f"sealed with the key {envelope.key_id!r}, which this host does not have"
            )
        if envelope.place is None:
            return _notice("sealed by an older Treadle that did not note the place: `treadle logs`")
        [opened] = await Sealing(self._keys, envelope.place).decode([payload])
        if opened.metadata["encoding"] == UNSEALED:
            return _notice("altered after it was sealed, or moved here from another place")
        return _sorted(opened)


def _parsed(body: bytes) -> Payloads:
    try:
        return Parse(body, Payloads())
    except (ParseError, UnicodeDecodeError, RecursionError) as error:
        raise CodecRequestError(
            "send a list of payloads: Temporal's remote codec protocol"
        ) from error


def _sorted(payload: Payload) -> Payload:
    """Return an input with what it is about before what all inputs carry."""
    if payload.metadata.get("encoding") != JSON:
        return payload
    found: Any = json.loads(payload.data)
    fields = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    if _CARRIED.isdisjoint(fields):
        return payload
    ordered = dict(sorted(fields.items(), key=lambda field: field[0] in _CARRIED))
    return Payload(metadata=payload.metadata, data=json.dumps(ordered).encode())


def _notice(words: str) -> Payload:
    return Payload(metadata={"encoding": JSON}, data=json.dumps(f"({words})").encode())
