"""What is outside of a sealed payload, in clear: which key it needs, and the place that it says it is for.

One payload is 13 of a task's, so it is short: the metadata have the encoding alone, and the data are

    version (1), length of the key's id (1), the key's id, place (16), nonce (12), what is sealed

Versions until 2026-11-26 had the key's id and the place in the metadata.
"""

from typing import NamedTuple, Self

from temporalio.api.common.v1 import Payload

SEALED = b"binary/encrypted"
KEY_ID = "encryption-key-id"
PLACE = "treadle-place"
VERSION = 1
HEAD_BYTES = 2
NONCE_BYTES = 12
MARK_BYTES = 16


class Envelope(NamedTuple):
    """A sealed payload. `place` is a hint for the codec server, which nobody else believes."""

    key_id: str
    place: bytes | None
    nonce: bytes
    sealed: bytes

    @classmethod
    def of(cls, payload: Payload) -> Self | None:
        """Return what a payload says of itself; None where it is not sealed, or not by us."""
        if payload.metadata.get("encoding") != SEALED:
            return None
        if KEY_ID in payload.metadata:
            return cls._earlier(payload)
        data = payload.data
        if len(data) < HEAD_BYTES or data[0] != VERSION:
            return None
        start = HEAD_BYTES + data[1]
        nonce, sealed = start + MARK_BYTES, start + MARK_BYTES + NONCE_BYTES
        return cls(_text(data[2:start]), data[start:nonce], data[nonce:sealed], data[sealed:])

    @classmethod
    def _earlier(cls, payload: Payload) -> Self:
        nonce, sealed = payload.data[:NONCE_BYTES], payload.data[NONCE_BYTES:]
        return cls(_text(payload.metadata[KEY_ID]), payload.metadata.get(PLACE), nonce, sealed)

    def payload(self) -> Payload:
        """Return it as Temporal stores it."""
        key_id = self.key_id.encode()
        head = bytes([VERSION, len(key_id)]) + key_id + (self.place or bytes(MARK_BYTES))
        return Payload(metadata={"encoding": SEALED}, data=head + self.nonce + self.sealed)


def _text(data: bytes) -> str:
    return data.decode(errors="replace")
