"""Short texts that only a process with our keys can read: cookies while signing in, and tokens of providers."""

import base64
import binascii
import json
import os
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from adapters.files.key_ring import KeyRing

_NONCE_BYTES = 12


class SealedTexts:
    """Seals values of JSON for one purpose with the newest key, and opens those of every key."""

    def __init__(self, keys: KeyRing, purpose: str) -> None:
        self._keys = keys
        self._purpose = purpose.encode()

    def seal(self, value: Any) -> str:
        """Return a sealed value."""
        key_id, key = self._keys.newest()
        nonce = os.urandom(_NONCE_BYTES)
        sealed = nonce + AESGCM(key).encrypt(nonce, json.dumps(value).encode(), self._purpose)
        return f"{key_id}.{base64.urlsafe_b64encode(sealed).decode().rstrip('=')}"

    def open(self, text: str) -> Any:
        """Return what was sealed; None for what was not sealed by us for this purpose."""
        key_id, _, encoded = text.partition(".")
        key = self._keys.find(key_id)
        if key is None:
            return None
        try:
            sealed = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
            plain = AESGCM(key).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], self._purpose)
        except (InvalidTag, binascii.Error, ValueError):
            return None
        return json.loads(plain)
