"""The line reader in front of the connection: whatever comes, it goes on and counts."""

import asyncio
import json

import pytest

from adapters.acp.frames import Frames


async def read(raw, *, max_line_bytes=1000, piece=None):
    """Feed bytes in pieces; returns the messages and the reader."""
    stdout = asyncio.StreamReader()
    frames = Frames(None, stdout, max_line_bytes)
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
    return messages, frames


def line(**message):
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


@pytest.mark.parametrize("piece", [1, 2, 7, 64, None])
async def test_messages_come_whole_and_in_order_however_they_are_cut(piece):
    raw = b"".join(line(method="m", params={"n": n, "text": "ä\n€"}) for n in range(5))
    messages, frames = await read(raw, piece=piece)
    assert [m["params"]["n"] for m in messages] == [0, 1, 2, 3, 4]
    assert (frames.dropped, frames.heard_bytes) == (0, len(raw))


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
    ],
)
async def test_what_is_no_message_is_dropped_and_counted(garbage):
    messages, frames = await read(garbage + line(method="after"))
    assert [m["method"] for m in messages] == ["after"]
    assert frames.dropped == 1


async def test_empty_lines_are_nothing():
    messages, frames = await read(b"\n\r\n  \n" + line(id=1))
    assert (len(messages), frames.dropped) == (1, 0)


@pytest.mark.parametrize("piece", [10, 999, None])
async def test_a_line_that_is_too_long_is_dropped_and_kept_nowhere(piece):
    raw = line(method="before") + b"x" * 50_000 + b"\n" + line(method="after")
    messages, frames = await read(raw, piece=piece)
    assert [m["method"] for m in messages] == ["before", "after"]
    assert (frames.dropped, frames.sample) == (1, "x" * 80)


@pytest.mark.parametrize("error", ["broken", 5, {"code": "x"}, {"message": None}, ["a"]])
async def test_an_odd_error_gets_the_shape_that_is_read(error):
    [message], _ = await read(line(id=1, error=error))
    assert isinstance(message["error"]["code"], int)
    assert isinstance(message["error"]["message"], str)


async def test_half_characters_are_replaced():
    [message], _ = await read(b'{"method": "m", "params": ["a\\ud800b", {"c": "\\uDC00"}]}\n')
    json.dumps(message, ensure_ascii=False).encode()  # could not be written before
    assert message["params"][0][0] == "a"
