"""The key by which push services know this installation (VAPID, RFC 8292).

It is derived from the installation's decision key as that of receipts is (ADR 0076): all hosts of a journal have
it, backups keep it, and subscriptions, which are bound to it, outlive a move.
"""

import base64

from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    derive_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_LABEL = b"treadle push key v1"
_BYTES = 48
"""More than a scalar has, so that all are equally likely."""

_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def push_key_of(decision_key: bytes) -> EllipticCurvePrivateKey:
    """Return the private key: the same each time."""
    derive = HKDF(algorithm=SHA256(), length=_BYTES, salt=None, info=_LABEL)
    scalar = int.from_bytes(derive.derive(decision_key)) % (_ORDER - 1) + 1
    return derive_private_key(scalar, SECP256R1())


def public_half(key: EllipticCurvePrivateKey) -> str:
    """Return what browsers subscribe with (`applicationServerKey`): Base64 for URLs, without padding."""
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()
