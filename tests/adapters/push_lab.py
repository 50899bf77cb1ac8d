"""A browser's subscription and what its push service has got, decrypted as the browser does it."""

import base64
import json

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def in_url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class BrowserKeys:
    """The keys of one subscription."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.secret = bytes(range(16))

    @property
    def p256dh(self) -> str:
        point = Encoding.X962, PublicFormat.UncompressedPoint
        return in_url(self.private.public_key().public_bytes(*point))

    @property
    def auth(self) -> str:
        return in_url(self.secret)

    def opened(self, body: bytes) -> dict[str, str]:
        clear = http_ece.decrypt(
            body, private_key=self.private, auth_secret=self.secret, version="aes128gcm"
        )
        return json.loads(clear)
