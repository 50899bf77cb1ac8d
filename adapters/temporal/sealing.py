"""The payload codec: what our programs tell Temporal is sealed, and all else is known by that.

AES-256-GCM. The associated data are a digest of what a payload belongs to: the workflow, or the one
activity of it; so a sealed result of one activity is none of another's (docs/adr/0008). They are packed
before: Temporal writes each more than once. What is not sealed, or not with a key of ours, or
belongs elsewhere, never fails a workflow task: it is handed on as `Unsealed`, and the rules refuse it.
What was sealed with a key of ours that this process lacks does: another worker has the key.
"""

import hashlib
import os
from collections.abc import Awaitable, Callable, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from temporalio.api.common.v1 import Payload
from temporalio.converter import (
    ActivitySerializationContext,
    PayloadCodec,
    SerializationContext,
    WithSerializationContext,
    WorkflowSerializationContext,
)

from adapters.files.key_ring import KeyRing
from adapters.temporal.envelope import MARK_BYTES, NONCE_BYTES, Envelope
from adapters.temporal.packing import pack, unpack
from domain.core.ids import schedule_of

UNSEALED = b"treadle/unsealed"
PUBLIC = "treadle-public"
"""Marks, in a payload's metadata, a text that people read in Temporal's Web UI."""

FORMER = "former-encoding"
DETAILS = b"temporal.api.sdk.v1.WorkflowMetadata"
"""The answer to the Web UI's query for current details; it is shown, and stored nowhere."""


IsOurs = Callable[[str], Awaitable[bool]]
"""Tells whether some process of ours has a key of this id."""


class KeyMissingError(Exception):
    """Something was sealed with a key of ours that is not in this process's file."""


class Sealing(PayloadCodec, WithSerializationContext):
    """Seals what leaves this process, and opens what was sealed for the same place."""

    def __init__(self, keys: KeyRing, place: bytes = b"", is_ours: IsOurs | None = None) -> None:
        self._keys = keys
        self._place = place
        self._mark = _mark(place)
        self._is_ours = is_ours

    def with_context(self, context: SerializationContext) -> "Sealing":
        """Return the codec of one place: a workflow, or one activity of it."""
        return Sealing(self._keys, _place(context), self._is_ours)

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Seal payloads, but for what people read in the Web UI."""
        return [_shown(payload) or self._seal(payload) for payload in payloads]

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Open payloads; several that are not all ours become one, which fits no signature.

        Raises:
            KeyMissingError: One needs a key of ours that is not here. It is no error that a workflow
                fails by: its task does, and is given to a worker again.
        """
        if self._is_ours is not None:
            for payload in payloads:
                await self._refuse_lacking(payload, self._is_ours)
        opened = [self._open(payload) for payload in payloads]
        foreign = [payload for payload in opened if payload.metadata["encoding"] == UNSEALED]
        return foreign[:1] if foreign else opened

    async def _refuse_lacking(self, payload: Payload, is_ours: IsOurs) -> None:
        envelope = Envelope.of(payload)
        if envelope is None or self._keys.find(envelope.key_id) is not None:
            return
        if await is_ours(envelope.key_id):
            raise KeyMissingError(
                f"{self._keys.path} lacks the key {envelope.key_id}, which other hosts seal with: copy "
                "that file from one of them, mode 0600, and start this worker again"
            )

    def _seal(self, payload: Payload) -> Payload:
        key_id, key = self._keys.newest()
        nonce = os.urandom(NONCE_BYTES)
        sealed = AESGCM(key).encrypt(nonce, pack(payload), self._mark)
        return Envelope(key_id, self._mark, nonce, sealed).payload()

    def _open(self, payload: Payload) -> Payload:
        envelope = Envelope.of(payload)
        key = self._keys.find(envelope.key_id) if envelope is not None else None
        if envelope is None or key is None:
            return _unsealed(payload)
        for bound in self._bound_to(envelope):
            try:
                return unpack(AESGCM(key).decrypt(envelope.nonce, envelope.sealed, bound))
            except (InvalidTag, ValueError):
                continue
        return _unsealed(payload)

    def _bound_to(self, envelope: Envelope) -> tuple[bytes, ...]:
        """Return what a payload may be sealed with here: the place's mark, or as once its whole name."""
        told = envelope.place
        return (told,) if told in {self._mark, self._place} else (self._mark, self._place)


def _mark(place: bytes) -> bytes:
    """Return what names a place in a few bytes; no other place has it."""
    return hashlib.blake2b(place, digest_size=MARK_BYTES).digest()


def _place(context: SerializationContext) -> bytes:
    """Return what names a place alike on both sides of a payload's way."""
    match context:
        case ActivitySerializationContext():
            names = (context.workflow_id, context.activity_type, context.activity_id)
        case WorkflowSerializationContext():
            # Temporal adds the time to the id of what a schedule starts, after it was sealed
            names = (schedule_of(context.workflow_id or "") or context.workflow_id,)
        case _:
            names = ()
    return "\0".join(name or "" for name in names).encode()


def _shown(payload: Payload) -> Payload | None:
    """Return what people read of a payload in the Web UI; None of one that nobody does.

    It goes out as any other JSON: Temporal's command line prints none that has a mark of ours.
    """
    if PUBLIC in payload.metadata:
        return Payload(metadata={"encoding": payload.metadata["encoding"]}, data=payload.data)
    return payload if payload.metadata.get("messageType") == DETAILS else None


def _unsealed(payload: Payload) -> Payload:
    former = payload.metadata.get("encoding", b"")
    return Payload(metadata={"encoding": UNSEALED, FORMER: former}, data=payload.data)
