"""The key that signs receipts, and its public half by which they are checked.

It is derived from the installation's decision key, which all hosts of a journal share, backups have, and no
agent can read (ADR 0076): with another label nothing is learned of one from the other.
"""

import hashlib

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_public_key,
)

from domain.core.errors import InvalidError

_LABEL = b"treadle receipt signing key v1"
_SEED_BYTES = 32
MAX_KEY_BYTES = 10_000


class InvalidKeyError(InvalidError):
    """A file has no public key that receipts are signed with."""

    type = "invalid_receipt_key"


class ReceiptKey:
    """A public key of receipts."""

    def __init__(self, key: Ed25519PublicKey) -> None:
        self._key = key

    @classmethod
    def of_pem(cls, pem: bytes) -> "ReceiptKey":
        """Read a key as `treadle receipt key` prints it.

        Raises:
            InvalidKeyError: It is none.
        """
        start = pem.find(b"-----BEGIN PUBLIC KEY-----")
        try:
            key = load_pem_public_key(pem[max(start, 0) : MAX_KEY_BYTES])
        except (ValueError, UnsupportedAlgorithm) as error:
            raise InvalidKeyError(
                "it is no public key in PEM: `treadle receipt key` prints the right one"
            ) from error
        if not isinstance(key, Ed25519PublicKey):
            raise InvalidKeyError("it is no Ed25519 key, which receipts are signed with")
        return cls(key)

    @property
    def pem(self) -> str:
        """The key as others keep it."""
        spki = Encoding.PEM, PublicFormat.SubjectPublicKeyInfo
        return self._key.public_bytes(*spki).decode()

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its SubjectPublicKeyInfo, as 64 hex digits; the `keyid` of a signature."""
        spki = Encoding.DER, PublicFormat.SubjectPublicKeyInfo
        return hashlib.sha256(self._key.public_bytes(*spki)).hexdigest()

    def has_signed(self, signature: bytes, message: bytes) -> bool:
        """Tell whether the signature is this key's, of this message."""
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


class SigningKey:
    """The private key of an installation's receipts."""

    def __init__(self, decision_key: bytes) -> None:
        derive = HKDF(algorithm=SHA256(), length=_SEED_BYTES, salt=None, info=_LABEL)
        self._key = Ed25519PrivateKey.from_private_bytes(derive.derive(decision_key))
        self.public = ReceiptKey(self._key.public_key())

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message: the same each time."""
        return self._key.sign(message)
