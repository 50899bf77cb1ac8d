"""An authenticator in software: real WebAuthn answers with ES256, and wrong ones where a test asks for them."""

import base64
import hashlib
import json
import secrets
import struct
from dataclasses import dataclass, field

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
BOTH = PRESENT | VERIFIED


def packed(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unpacked(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """One passkey of one address; it counts its uses, unless `counts` is false."""

    origin: str
    rp_id: str
    handle: str = ""
    counts: bool = True
    uses: int = 0
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def cose(self):
        numbers = self.key.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})

    def create(self, options, flags=BOTH, cose=None, attestation=("none", {})):
        """Make a passkey, as `navigator.credentials.create` does."""
        self.handle = options["user"]["id"]
        held = bytes(16) + struct.pack(">H", len(self.id)) + self.id + (cose or self.cose())
        fmt, statement = attestation
        made = {"fmt": fmt, "attStmt": statement, "authData": self._data(flags | ATTESTED, held)}
        response = {"attestationObject": packed(cbor2.dumps(made))}
        return self._answer("webauthn.create", options, response)

    def get(self, options, flags=BOTH, handle=None):
        """Sign in, as `navigator.credentials.get` does."""
        self.uses += self.counts
        answer = self._answer("webauthn.get", options, {})
        data = self._data(flags)
        client = unpacked(answer["response"]["clientDataJSON"])
        signed = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        answer["response"] |= {
            "authenticatorData": packed(data),
            "signature": packed(signed),
            "userHandle": self.handle if handle is None else handle,
        }
        return answer

    def _data(self, flags, held=b""):
        rp = hashlib.sha256(self.rp_id.encode()).digest()
        return rp + bytes([flags]) + struct.pack(">I", self.uses) + held

    def _answer(self, kind, options, response):
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        client = packed(json.dumps(said | {"crossOrigin": False}).encode())
        return {
            "id": packed(self.id),
            "rawId": packed(self.id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {"clientDataJSON": client, **response},
        }
