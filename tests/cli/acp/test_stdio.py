"""What an editor writes on a line, as it is read."""

import asyncio
import json
from typing import Any

import pytest

from cli.acp.stdio import Stdio


class Written:
    """A writer that keeps what is sent."""

    def __init__(self) -> None:
        self.lines: list[Any] = []

    def write(self, line: bytes) -> None:
        self.lines.append(json.loads(line))

    async def drain(self) -> None:
        pass


async def received(line: bytes) -> tuple[Any, list[Any]]:
    """Return the message of a line, and what was answered instead."""
    reader, writer = asyncio.StreamReader(), Written()
    reader.feed_data(line + b"\n")
    reader.feed_eof()
    message = await Stdio(reader, writer).receive()  # pyright: ignore[reportArgumentType]  (what it uses of one)
    return message, writer.lines


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (b"cut \\ud83d", "cut ?"),
        (b"cut \\UD83D", None),
        (b"\\uDE00 \\uD83D\\uDE00", "? \N{GRINNING FACE}"),
        (b"a\\\\ud800", "a\\ud800"),
    ],
)
async def test_a_character_that_was_cut_in_the_middle_is_read_as_a_question_mark(
    text: bytes, read: str | None
) -> None:
    message, answered = await received(b'{"text":"' + text + b'"}')

    assert message == (None if read is None else {"text": read})
    assert [each["error"]["code"] for each in answered] == ([-32700] if read is None else [])


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity"])
async def test_what_is_no_number_of_json_is_refused(number: bytes) -> None:
    message, answered = await received(b'{"id":' + number + b"}")

    assert message is None
    assert answered[0]["error"]["code"] == -32700
