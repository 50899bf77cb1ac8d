"""Sealed payloads as tests alter them, and as earlier versions wrote them."""

import os
import zlib
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from temporalio.api.common.v1 import Payload

from adapters.files.key_ring import KeyRing
from adapters.temporal.envelope import KEY_ID, NONCE_BYTES, PLACE, SEALED, Envelope


def changed(payload: Payload, **parts: object) -> Payload:
    """Return a sealed payload with some parts of its envelope replaced."""
    envelope = Envelope.of(payload)
    assert envelope is not None
    return envelope._replace(**parts).payload()


@dataclass
class EarlierSealing:
    """Seals as versions until 2026-11-26: by zlib, key and place in the metadata; at first, whole places."""

    keys: KeyRing
    place: bytes
    is_place_noted: bool = True

    def seal(self, payload: Payload) -> Payload:
        """Return a payload sealed for the place."""
        plain = payload.SerializeToString()
        packed = Payload(metadata={"encoding": b"treadle/packed"}, data=zlib.compress(plain, 1))
        key_id, key = self.keys.newest()
        nonce = os.urandom(NONCE_BYTES)
        sealed = AESGCM(key).encrypt(nonce, packed.SerializeToString(), self.place)
        metadata = {"encoding": SEALED, KEY_ID: key_id.encode()}
        noted = {PLACE: self.place} if self.is_place_noted else {}
        return Payload(metadata={**metadata, **noted}, data=nonce + sealed)
