"""Receipts as signed files: what is believed, and that no byte can be another."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.evidence.canonical import canonical
from domain.evidence.envelope import MAX_BYTES, PAYLOAD_TYPE, opened, pre_authentication, sealed
from domain.evidence.errors import ReceiptRefusedError
from domain.evidence.keys import InvalidKeyError, ReceiptKey, SigningKey
from domain.evidence.receipt import PREDICATE
from tests.domain.receipt_lab import KEY, TREE, stated

FILE = sealed(stated(), KEY)


def signed(payload: dict[str, Any]) -> bytes:
    body = canonical(payload)
    signature = KEY.sign(pre_authentication(PAYLOAD_TYPE, body))
    return (
        canonical(
            {
                "payload": base64.b64encode(body).decode(),
                "payloadType": PAYLOAD_TYPE,
                "signatures": [
                    {
                        "keyid": KEY.public.fingerprint,
                        "sig": base64.b64encode(signature).decode(),
                    }
                ],
            }
        )
        + b"\n"
    )


def payload() -> dict[str, Any]:
    return json.loads(base64.b64decode(json.loads(FILE)["payload"]))


def test_a_receipt_is_read_as_it_was_signed():
    statement, key = opened(FILE, [KEY.public])

    assert statement == stated()
    assert key.fingerprint == KEY.public.fingerprint


def test_the_same_thread_gives_the_same_bytes():
    assert sealed(stated(), KEY) == FILE


@given(st.integers(0, len(FILE) - 1), st.integers(1, 255))
def test_any_one_byte_changed_is_refused(at: int, change: int):
    changed = FILE[:at] + bytes([FILE[at] ^ change]) + FILE[at + 1 :]

    with pytest.raises(ReceiptRefusedError):
        opened(changed, [KEY.public])


@given(st.integers(0, len(FILE)), st.binary(min_size=1, max_size=3))
def test_any_bytes_put_in_are_refused(at: int, more: bytes):
    with pytest.raises(ReceiptRefusedError):
        opened(FILE[:at] + more + FILE[at:], [KEY.public])


@given(st.integers(0, len(FILE) - 1))
def test_any_byte_left_out_is_refused(at: int):
    with pytest.raises(ReceiptRefusedError):
        opened(FILE[:at] + FILE[at + 1 :], [KEY.public])


@given(st.binary(max_size=400))
def test_any_other_file_is_refused(data: bytes):
    with pytest.raises(ReceiptRefusedError):
        opened(data, [KEY.public])


def test_another_key_is_refused_by_name():
    other = SigningKey(b"of somebody else").public

    with pytest.raises(ReceiptRefusedError, match=f"{KEY.public.fingerprint[:16]}.*known ones"):
        opened(FILE, [other])


def test_one_of_several_known_keys_is_enough():
    other = SigningKey(b"of somebody else").public

    assert opened(FILE, [other, KEY.public])[1].fingerprint == KEY.public.fingerprint


def test_another_version_of_the_predicate_is_named():
    newer = signed({**payload(), "predicateType": "urn:treadle:receipt:v2"})

    with pytest.raises(ReceiptRefusedError, match=r"too old or too new.*v2"):
        opened(newer, [KEY.public])


def test_another_statement_that_the_key_signed_is_no_receipt():
    other = signed({**payload(), "predicateType": "https://slsa.dev/provenance/v1"})

    with pytest.raises(ReceiptRefusedError, match="no receipt of Treadle"):
        opened(other, [KEY.public])


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"null", b"{}", b"[" * 100_000, b"\xff\xfe", b"7" * 9999]
)
def test_what_is_no_envelope_is_refused(text: bytes):
    with pytest.raises(ReceiptRefusedError, match="no receipt of Treadle"):
        opened(text, [KEY.public])


def test_a_huge_file_is_refused():
    with pytest.raises(ReceiptRefusedError, match="longer than"):
        opened(b" " * (MAX_BYTES + 1), [KEY.public])


def test_an_envelope_without_a_signature_is_refused():
    bare = json.dumps({**json.loads(FILE), "signatures": []}).encode()

    with pytest.raises(ReceiptRefusedError, match="nobody signed it"):
        opened(bare, [KEY.public])


def test_the_statement_is_in_totos():
    stated_there = payload()

    assert stated_there["_type"] == "https://in-toto.io/Statement/v1"
    assert stated_there["predicateType"] == PREDICATE
    assert stated_there["subject"][0] == {"name": "tree", "digest": {"gitTree": TREE}}


def test_a_key_is_read_as_it_is_printed():
    read = ReceiptKey.of_pem(KEY.public.pem.encode())

    assert read.fingerprint == KEY.public.fingerprint


@pytest.mark.parametrize("text", [b"", b"ssh-ed25519 AAAA", b"-----BEGIN PUBLIC KEY-----\nAA\n"])
def test_what_is_no_key_is_refused(text: bytes):
    with pytest.raises(InvalidKeyError):
        ReceiptKey.of_pem(text)


def test_the_key_follows_from_the_decision_key_alone():
    assert SigningKey(b"of a test").public.fingerprint == KEY.public.fingerprint
    assert SigningKey(b"of a tesu").public.fingerprint != KEY.public.fingerprint


def test_a_number_that_is_not_whole_is_never_written():
    with pytest.raises(ValueError, match="not whole"):
        canonical({"a": [1.5]})
