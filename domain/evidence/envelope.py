"""Receipts as files: a DSSE envelope (Dead Simple Signing Envelope, v1.0) around an in-toto statement.

Such a file has one form only. DSSE signs the payload and its type; so that no byte of the file can be another
without being noticed, what is around them must be exactly as it is written here.
"""

import base64
import binascii
import json
from collections.abc import Iterable
from typing import Any, cast

from pydantic import ValidationError

from domain.evidence.canonical import canonical
from domain.evidence.errors import ReceiptRefusedError
from domain.evidence.keys import ReceiptKey, SigningKey
from domain.evidence.receipt import PREDICATE, STATEMENT, Statement

PAYLOAD_TYPE = "application/vnd.in-toto+json"
MAX_BYTES = 4 << 20
"""The longest file that is looked at."""

_CHANGED = "it was changed after it was signed, or is damaged"
_NO_RECEIPT = "it is no receipt of Treadle"
_FAMILY = PREDICATE.rpartition(":")[0]


def sealed(statement: Statement, key: SigningKey) -> bytes:
    """Return a statement as a signed file; the same bytes for the same statement and key."""
    payload = canonical(statement.model_dump(mode="json", by_alias=True))
    signature = key.sign(pre_authentication(PAYLOAD_TYPE, payload))
    return _file(payload, signature, key.public.fingerprint)


def opened(file: bytes, keys: Iterable[ReceiptKey]) -> tuple[Statement, ReceiptKey]:
    """Return what a file states and the key that signed it.

    Raises:
        ReceiptRefusedError: It is no receipt, none of the keys signed it, or a byte of it is another.
    """
    payload, signature = _parts(file)
    message, known = pre_authentication(PAYLOAD_TYPE, payload), tuple(keys)
    key = next((key for key in known if key.has_signed(signature, message)), None)
    if key is None:
        raise ReceiptRefusedError(f"{_not_ours(file, known)}")
    if _file(payload, signature, key.fingerprint) != file:
        raise ReceiptRefusedError(_CHANGED)
    return _statement(payload), key


def pre_authentication(payload_type: str, payload: bytes) -> bytes:
    """Return what is signed: DSSE's PAE of the payload and its type."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def _file(payload: bytes, signature: bytes, key_id: str) -> bytes:
    envelope = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [{"keyid": key_id, "sig": base64.b64encode(signature).decode()}],
    }
    return canonical(envelope) + b"\n"


def _parts(file: bytes) -> tuple[bytes, bytes]:
    """Return payload and signature of a file."""
    if len(file) > MAX_BYTES:
        raise ReceiptRefusedError(f"it is longer than {MAX_BYTES >> 20} MiB, which no receipt is")
    envelope = _json(file)
    if envelope.get("payloadType") != PAYLOAD_TYPE:
        raise ReceiptRefusedError(f"{_NO_RECEIPT}: its payload type is not {PAYLOAD_TYPE}")
    return _bytes(envelope.get("payload")), _bytes(_signature(envelope).get("sig"))


def _signature(envelope: dict[str, Any]) -> dict[str, Any]:
    """Return the first signature of an envelope; it may have no fields."""
    signatures = envelope.get("signatures")
    if not isinstance(signatures, list) or not signatures:
        raise ReceiptRefusedError("nobody signed it")
    first: Any = cast("list[Any]", signatures)[0]
    return cast("dict[str, Any]", first) if isinstance(first, dict) else {}


def _json(text: bytes) -> dict[str, Any]:
    try:
        value: Any = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise ReceiptRefusedError(f"{_NO_RECEIPT}: it is not JSON") from error
    if not isinstance(value, dict):
        raise ReceiptRefusedError(f"{_NO_RECEIPT}: it is no JSON object")
    return cast("dict[str, Any]", value)


def _bytes(text: Any) -> bytes:
    if not isinstance(text, str):
        raise ReceiptRefusedError(f"{_NO_RECEIPT}: its payload or signature is missing")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ReceiptRefusedError(_CHANGED) from error


def _not_ours(file: bytes, known: tuple[ReceiptKey, ...]) -> str:
    """Say why no key fits: the file names one that is not known, or a known one did not sign this."""
    signature = _signature(_json(file))
    named = str(signature.get("keyid", ""))
    if any(key.fingerprint == named for key in known):
        return _CHANGED
    fingerprints = ", ".join(key.fingerprint[:16] for key in known) or "none"
    return (
        f"it names the key {ascii(named[:16])[1:-1] or 'of nobody'}, and the known ones are: {fingerprints}. It was signed "
        "by somebody else, or was changed"
    )


def _statement(payload: bytes) -> Statement:
    stated = _json(payload)
    if stated.get("_type") != STATEMENT:
        raise ReceiptRefusedError(f"{_NO_RECEIPT}: it is no in-toto statement of version 1")
    kind = str(stated.get("predicateType"))[:100]
    if kind != PREDICATE:
        is_other = kind.startswith(f"{_FAMILY}:")
        why = "this Treadle is too old or too new for it" if is_other else _NO_RECEIPT
        raise ReceiptRefusedError(f"{why}: it states {ascii(kind)[1:-1]}, and {PREDICATE} is known")
    try:
        return Statement.model_validate(stated)
    except ValidationError as error:
        raise ReceiptRefusedError(f"{_NO_RECEIPT}: its fields are wrong") from error
