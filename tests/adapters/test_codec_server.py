"""The codec server shows what is sealed; what it shows of a forgery, no worker believes."""

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, Parse
from hypothesis import example, given
from hypothesis import strategies as st
from temporalio.api.common.v1 import Payload, Payloads
from temporalio.api.failure.v1 import Failure
from temporalio.converter import DataConverter
from temporalio.exceptions import ApplicationError

from adapters.files.key_ring import KeyRing
from adapters.temporal import CodecRequestError, CodecServer
from adapters.temporal.conversion import data_converter
from adapters.temporal.envelope import Envelope
from domain.core.effects import LeasePortCall
from domain.core.seals import Unsealed
from domain.core.wire import lean_json
from domain.verification.calls import StepAnswer
from tests.adapters.sealed_payloads import EarlierSealing, changed
from tests.adapters.test_codec import ANSWER, activity, workflow


def place_of(payload: Payload) -> bytes | None:
    envelope = Envelope.of(payload)
    assert envelope is not None
    return envelope.place


@pytest.fixture
def keys(tmp_path: Path) -> KeyRing:
    return KeyRing(tmp_path / "payload.keys")


@pytest.fixture
def converter(keys: KeyRing) -> DataConverter:
    return data_converter(keys)


@pytest.fixture
def server(keys: KeyRing) -> CodecServer:
    return CodecServer(keys)


def asked(*payloads: Payload) -> bytes:
    return json.dumps(MessageToDict(Payloads(payloads=payloads))).encode()


async def shown(server: CodecServer, *payloads: Payload) -> list[Any]:
    answer = Parse(await server.decode(asked(*payloads)), Payloads())
    return [json.loads(payload.data) for payload in answer.payloads]


async def test_what_is_sealed_is_shown_in_clear_in_its_order(
    converter: DataConverter, server: CodecServer
):
    [result] = await converter.with_context(activity()).encode([ANSWER])
    [start] = await converter.with_context(workflow()).encode(["x" * 1_000])
    clear = Payload(metadata={"encoding": b"json/plain"}, data=b'"a pasted line"')
    found = await shown(server, start, clear, result)
    assert found == ["x" * 1_000, "a pasted line", json.loads(lean_json(ANSWER))]


async def test_an_input_begins_with_what_it_is_about(converter: DataConverter, server: CodecServer):
    about = LeasePortCall(owner="thread-a/left/run-1", port_id="web", order=3)
    [payload] = await converter.with_context(activity()).encode([about])
    [found] = await shown(server, payload)
    assert found == json.loads(lean_json(about))
    assert list(found) == ["owner", "port_id", "order"]


async def test_the_attributes_of_a_failure_are_shown(converter: DataConverter, server: CodecServer):
    failure = Failure()
    error = ApplicationError("the treasure is gone", type="agent_failed")
    await converter.with_context(activity()).encode_failure(error, failure)
    [found] = await shown(server, failure.encoded_attributes)
    assert found["message"] == "the treasure is gone"


async def test_a_payload_with_a_forged_place_is_shown_and_no_worker_takes_it(
    converter: DataConverter, server: CodecServer
):
    [moved] = await converter.with_context(activity("4")).encode([ANSWER])
    assert await shown(server, moved) == [json.loads(lean_json(ANSWER))]
    here = converter.with_context(activity("5"))
    [own] = await here.encode([ANSWER])
    renamed = changed(moved, place=place_of(own))
    for payload in (moved, renamed):
        [found] = await here.decode([payload], [StepAnswer])
        assert isinstance(found, Unsealed)
    assert "altered" in (await shown(server, renamed))[0]


async def test_a_worker_does_not_ask_where_the_metadata_say_it_belongs(converter: DataConverter):
    here = converter.with_context(activity())
    [payload] = await here.encode([ANSWER])
    elsewhere = changed(payload, place=bytes(16))
    assert await here.decode([elsewhere], [StepAnswer]) == [ANSWER]


async def test_what_cannot_be_opened_says_why(
    keys: KeyRing, converter: DataConverter, server: CodecServer, tmp_path: Path
):
    [sealed] = await converter.with_context(activity()).encode([ANSWER])
    earlier = EarlierSealing(keys, b"thread-x", is_place_noted=False)
    placeless = earlier.seal(Payload(metadata={"encoding": b"json/plain"}, data=b"1"))
    odd = Payload(metadata=sealed.metadata, data=b"\xff" + sealed.data)
    other = data_converter(KeyRing(tmp_path / "other.keys"))
    [foreign] = await other.with_context(activity()).encode([ANSWER])
    words = await shown(server, placeless, foreign, odd)
    assert "older Treadle" in words[0]
    assert "key" in words[1]
    assert "does not have" in words[1]
    assert "another program" in words[2]


def test_what_a_person_sends_passes_as_it_is(server: CodecServer):
    line = Payload(metadata={"encoding": b"json/plain"}, data=b'{"code": "c"}')
    assert Parse(server.encode(asked(line)), Payloads()) == Payloads(payloads=[line])


@given(st.binary(max_size=200).filter(lambda body: b"{" not in body))
@example(b'{"payloads": 1}')
@example(b"[" * 10_000)
async def test_any_other_body_is_refused_in_words(body: bytes):
    server = CodecServer(KeyRing(Path("/nonexistent/payload.keys")))
    with pytest.raises(CodecRequestError, match="remote codec protocol"):
        await server.decode(body)
