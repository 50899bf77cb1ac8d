"""The line reader in front of the connection: whatever comes, it goes on and counts."""

import asyncio
import json

import pytest

from adapters.acp.frames import Frames
from adapters.acp.violations import Violation, Violations
from domain.conversations.events import AgentUpdate
from domain.core.errors import AgentError


async def read(raw, *, max_line_bytes=1000, piece=None):
    """Feed bytes in pieces; returns the messages and what was odd."""
    stdout = asyncio.StreamReader()
    oddities = Violations()
    frames = Frames(None, stdout, oddities, max_line_bytes)
    frames.allow(len(raw))
    messages = []

    async def collect():
        while (message := await frames.receive()) is not None:
            messages.append(message)

    collecting = asyncio.create_task(collect())
    for start in range(0, len(raw), piece or len(raw)):
        stdout.feed_data(raw[start : start + (piece or len(raw))])
        await asyncio.sleep(0)
    stdout.feed_eof()
    await collecting
    return messages, oddities


def line(**message):
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


@pytest.mark.parametrize("piece", [1, 2, 7, 64, None])
async def test_messages_come_whole_and_in_order_however_they_are_cut(piece):
    raw = b"".join(line(method="m", params={"n": n, "text": "ä\n€"}) for n in range(5))
    messages, oddities = await read(raw, piece=piece)
    assert [m["params"]["n"] for m in messages] == [0, 1, 2, 3, 4]
    assert oddities.summary() == ""


@pytest.mark.parametrize(
    "garbage",
    [
        b"words\n",
        b"null\n",
        b"[1]\n",
        b"12\n",
        b"true\n",
        b'"text"\n',
        b"{}\n",
        b"{\n",
        b"\xff\xfe\n",
        b"[" * 900 + b"\n",
        b'{"id": {"a": 1}, "method": "x"}\n',
        b'{"id": [1]}\n',
        b'{"method": 5}\n',
        b'{"id": null, "method": "x"}\n',
        b'{"id": true, "result": {}}\n',
        b'{"id": 1.5, "result": {}}\n',
        b'{"id": "%s", "method": "x"}\n' % (b"i" * 300),
        b'{"method": "m", "params": NaN}\n',
        b'{"method": "m", "params": [-Infinity]}\n',
        b'{"method": "m", "params": 1e999}\n',
        b'{"method": "m", "params": %s}\n' % (b"9" * 5000),
        b'{"method": "m", "params": %s1%s}\n' % (b"[" * 70, b"]" * 70),
        b'{"method": "m", "params": %s1%s}\n' % (b'{"a":' * 100, b"}" * 100),
    ],
)
async def test_what_is_no_message_is_dropped_and_counted(garbage):
    messages, oddities = await read(garbage + line(method="after"), max_line_bytes=9999)
    assert [m["method"] for m in messages] == ["after"]
    assert oddities.count_of(Violation.NO_MESSAGE) == 1


async def test_empty_lines_are_nothing():
    messages, oddities = await read(b"\n\r\n  \n" + line(id=1))
    assert (len(messages), oddities.summary()) == (1, "")


@pytest.mark.parametrize("piece", [10, 999, None])
async def test_a_line_that_is_too_long_is_dropped_and_kept_nowhere(piece):
    raw = line(method="before") + b"x" * 50_000 + b"\n" + line(method="after")
    messages, oddities = await read(raw, piece=piece)
    assert [m["method"] for m in messages] == ["before", "after"]
    assert oddities.summary() == f"lines that are too long: 1 (the first: {'x' * 80!r})"


@pytest.mark.parametrize("error", ["broken", 5, {"code": "x"}, {"message": None}, ["a"]])
async def test_an_odd_error_gets_the_shape_that_is_read(error):
    [message], _ = await read(line(id=1, error=error))
    assert isinstance(message["error"]["code"], int)
    assert isinstance(message["error"]["message"], str)


@pytest.mark.parametrize(
    "params",
    [
        b'["a\\ud800b", {"c": "\\uDC00"}]',
        b'["a", {"\\udfff": 1}]',
        b'["a\xed\xa0\x80"]',  # a half character in UTF-8 itself
        b'["a\xff\xc3"]',
        b'["a\\u0000\\u001b[2J"]',
        b"[%s]" % (b'"a",' * 70 + b"{}"),
    ],
)
async def test_what_can_be_read_can_be_written_and_read_again(params):
    [message], oddities = await read(b'{"method": "m", "params": %s}\n' % params)

    event = AgentUpdate(turn_id="t", update=message)
    assert AgentUpdate.model_validate_json(event.model_dump_json()) == event
    assert message["params"][0][0] == "a"
    assert oddities.summary() == ""


@pytest.mark.parametrize("text", [b"x" * (2 << 20), b'\\"' * (1 << 20), b"\\u00e4" * (1 << 19)])
async def test_a_long_line_is_read_with_its_long_texts_cut(text):
    raw = b'{"method": "m", "params": {"before": 1, "text": "%s", "after": "x"}}\n' % text

    [message], oddities = await read(raw, max_line_bytes=16 << 20)

    assert (message["params"]["before"], message["params"]["after"]) == (1, "x")
    assert 1 < len(message["params"]["text"].encode()) < 40_000
    assert message["params"]["text"].endswith("bytes cut]")
    assert oddities.summary() == ""


@pytest.mark.parametrize("part", [b"[],", b'"a",', b'{"a":1},', b'"', b'\\"'])
async def test_a_long_line_of_small_things_is_not_read_at_all(part):
    raw = b'{"method": "m", "params": [' + part * ((3 << 20) // len(part)) + b"0]}\n"

    messages, oddities = await read(raw, max_line_bytes=16 << 20)

    assert messages == []
    assert "1 (the first" in oddities.summary()


async def test_the_third_line_that_is_too_long_is_the_last():
    with pytest.raises(AgentError, match="3 lines that are too long"):
        await read((b"x" * 2000 + b"\n") * 3)


async def test_no_more_is_read_than_is_allowed():
    stdout = asyncio.StreamReader()
    frames = Frames(None, stdout, Violations())
    frames.allow(10)
    stdout.feed_data(line(method="longer"))

    with pytest.raises(AgentError, match="more than 10 bytes"):
        await frames.receive()
