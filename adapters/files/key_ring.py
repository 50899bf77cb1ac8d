"""The keys that seal payloads: a file of mode 0600, a line for each key, the newest last.

A line is `<key id> <256 random bits in base64url>`; empty lines say nothing. The last key seals,
all of them open. To rotate, add a line (`KeyRing.line()` makes one) and restart worker and API; a
process that still runs reads the file again where it meets an unknown key.
A line may go once no history is left that was sealed with its key.
"""

import base64
import binascii
import secrets
from pathlib import Path

from adapters.files.secret_file import SecretFile

KEY_BYTES = 32


class KeyRingError(Exception):
    """The file of keys is not as it should be."""


class KeyRing(SecretFile):
    """The keys of one installation, by id, the one that seals last."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._known: dict[str, bytes] = {}

    @staticmethod
    def line() -> str:
        """Return a new key as a line of the file."""
        key = base64.urlsafe_b64encode(secrets.token_bytes(KEY_BYTES)).decode()
        return f"{secrets.token_hex(4)} {key}"

    def draw(self) -> str:
        """Return the content of a new file: one key."""
        return self.line()

    def newest(self) -> tuple[str, bytes]:
        """Return the id and the key that seal.

        Raises:
            KeyRingError: The file has a line that is no key, or none.
        """
        keys = self._known or self._load()
        return next(reversed(keys.items()))

    def every(self) -> dict[str, bytes]:
        """Return all keys by their ids, the one that seals last.

        Raises:
            KeyRingError: The file has a line that is no key, or none.
        """
        return dict(self._known or self._load())

    def find(self, key_id: str) -> bytes | None:
        """Return the key of an id, which may have been added since the file was last read.

        Raises:
            KeyRingError: The file has a line that is no key, or none.
        """
        if key_id not in self._known and (not self._known or self.path.exists()):
            self._load()
        return self._known.get(key_id)

    def _load(self) -> dict[str, bytes]:
        lines = self.read().decode(errors="replace").splitlines()
        self._known |= dict(self._parsed(line.strip()) for line in lines if line.strip())
        if not self._known:
            raise KeyRingError(
                f"{self.path} holds no key: restore it, or remove it with all threads"
            )
        return self._known

    def _parsed(self, line: str) -> tuple[str, bytes]:
        key_id, _, encoded = line.partition(" ")
        try:
            key = base64.b64decode(encoded.strip(), altchars=b"-_", validate=True)
        except binascii.Error:
            key = b""
        if len(key) != KEY_BYTES:
            raise KeyRingError(f"{self.path}: the line of key {key_id[:8]!r} is no key")
        return key_id, key
