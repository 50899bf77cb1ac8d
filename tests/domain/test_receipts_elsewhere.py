"""Receipts as another implementation of DSSE reads them: `securesystemslib`, of those who specify it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import Signature, SSlibKey

from domain.evidence.envelope import PAYLOAD_TYPE, opened, sealed
from domain.evidence.errors import ReceiptRefusedError
from domain.evidence.receipt import Receipt, statement_of
from tests.domain.receipt_lab import COMMIT, KEY, TREE, stated

SMALL = sealed(statement_of(Receipt(thread="t"), tree=TREE, commit=COMMIT), KEY)
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "receipts.md"
THEIRS = SSlibKey.from_crypto(
    load_pem_public_key(KEY.public.pem.encode()), keyid=KEY.public.fingerprint
)


def read(file: bytes) -> Envelope:
    return Envelope.from_dict(json.loads(file))


def signature_of(envelope: Envelope) -> Signature:
    return next(iter(envelope.signatures.values()))


def flipped(value: bytes, at: int) -> bytes:
    return value[:at] + bytes([value[at] ^ 1 << at % 8]) + value[at + 1 :]


def is_accepted(payload: bytes, signature: str, key_id: str, kind: str = PAYLOAD_TYPE) -> bool:
    try:
        envelope = Envelope(payload, kind, {key_id: Signature(key_id, signature)})
        return set(envelope.verify([THEIRS], 1)) == {KEY.public.fingerprint}
    except VerificationError:
        return False


def test_another_implementation_accepts_it_and_reads_the_same_statement():
    envelope = read(sealed(stated(), KEY))

    assert envelope.verify([THEIRS], 1) == {KEY.public.fingerprint: THEIRS}
    assert json.loads(envelope.payload) == stated().model_dump(mode="json", by_alias=True)
    assert envelope.payload_type == PAYLOAD_TYPE


def test_it_refuses_every_byte_of_the_payload_the_signature_and_the_key_id_changed():
    envelope = read(SMALL)
    payload, signed = envelope.payload, signature_of(envelope)
    raw, name = bytes.fromhex(signed.signature), signed.keyid
    assert is_accepted(payload, raw.hex(), name)

    of_payload = [flipped(payload, at) for at in range(len(payload))]
    of_signature = [flipped(raw, at) for at in range(len(raw))]
    of_name = [f"{name[:at]}{'0' if name[at] != '0' else '1'}{name[at + 1 :]}" for at in range(64)]
    assert not any(is_accepted(each, raw.hex(), name) for each in of_payload)
    assert not any(is_accepted(payload, each.hex(), name) for each in of_signature)
    assert not any(is_accepted(payload, raw.hex(), each) for each in of_name)
    assert not is_accepted(payload, raw.hex(), name, kind="application/json")


def test_what_it_signs_is_signed_alike_here():
    """Both sign the same bytes with the same key: what is before the signature is no matter of taste."""
    envelope = read(SMALL)

    assert KEY.sign(envelope.pae()).hex() == signature_of(envelope).signature


@pytest.mark.parametrize("bit", range(8))
def test_no_byte_of_the_whole_file_can_be_another(bit: int):
    changed = (
        SMALL[:at] + bytes([SMALL[at] ^ 1 << bit]) + SMALL[at + 1 :] for at in range(len(SMALL))
    )

    assert [at for at, file in enumerate(changed) if is_opened(file)] == []


def is_opened(file: bytes) -> bool:
    try:
        opened(file, [KEY.public])
    except ReceiptRefusedError:
        return False
    return True


@pytest.mark.parametrize("is_changed", [False, True])
def test_the_script_in_the_docs_does_what_they_say(tmp_path: Path, is_changed: bool):
    (script,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    payload = b'"payload":"ey'
    file = sealed(stated(), KEY)
    assert payload in file
    (tmp_path / "checkout.json").write_bytes(
        file.replace(payload, b'"payload":"fy') if is_changed else file
    )
    (tmp_path / "treadle.pem").write_text(KEY.public.pem)

    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (done.returncode == 0) is not is_changed
    assert ("VerificationError" in done.stderr) is is_changed
    assert (TREE in done.stdout) is not is_changed
