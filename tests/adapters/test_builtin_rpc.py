"""The built-in agent's JSON-RPC against clients that are broken or in a hurry."""

import asyncio
import json
import sys

import pytest

from tests.adapters import rpc_agent

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, REQUEST_CANCELLED = -32700, -32600, -32601, -32800
WAIT = {"id": 1, "method": "wait"}
TOO_LONG = b'{"id": 1, "x": "' + b"x" * (80 << 20) + b'"}'


@pytest.fixture
async def process():
    process = await asyncio.create_subprocess_exec(
        sys.executable, rpc_agent.__file__, stdin=-1, stdout=-1
    )
    yield process
    process.stdin.close()
    await asyncio.wait_for(process.wait(), 60)


async def exchange(process, *messages) -> list[dict]:
    """Send messages in one write and return the answers up to the one to a last ping."""
    lines = [m if isinstance(m, bytes) else json.dumps(m).encode() for m in messages]
    process.stdin.write(b"\n".join([*lines, b'{"id": "last", "method": "ping"}', b""]))
    answers = []
    async with asyncio.timeout(60):
        while (answer := json.loads(await process.stdout.readline())).get("id") != "last":
            answers.append(answer)
    return answers


def codes(answers):
    return [(answer["id"], answer["error"]["code"]) for answer in answers]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"id": 1, "method"', PARSE_ERROR),
        (b"\xff\xfe{}", PARSE_ERROR),
        (b"[" * 200_000, PARSE_ERROR),
        (b"null", INVALID_REQUEST),
        (b"5", INVALID_REQUEST),
        (b'[{"id": 1, "method": "ping"}]', INVALID_REQUEST),
        (b'{"id": [1], "method": "ping"}', INVALID_REQUEST),
        (b'{"id": {"a": 1}, "result": {}}', INVALID_REQUEST),
        (TOO_LONG, INVALID_REQUEST),
    ],
    ids=["broken", "no UTF-8", "nested", "null", "number", "batch", "list id", "object id", "long"],
)
async def test_a_line_that_is_no_message_is_refused_and_the_next_one_is_served(process, line, code):
    assert codes(await exchange(process, line)) == [(None, code)]


async def test_an_unknown_method_is_refused_and_an_unknown_notification_ignored(process):
    nonsense = [{"id": 1, "method": "nope"}, {"id": 2, "method": ["x"]}, {"method": "nope"}]
    assert codes(await exchange(process, *nonsense)) == [
        (1, METHOD_NOT_FOUND),
        (2, METHOD_NOT_FOUND),
    ]


async def test_answers_that_nobody_waits_for_are_ignored(process):
    assert await exchange(process, {"id": 7, "result": {}}, {"id": None, "error": "no"}) == []


async def test_cancels_in_the_same_write_find_all_their_prompts(process):
    prompts = [{"id": number, "method": "wait"} for number in range(60)]
    answers = await exchange(process, *prompts, {"method": "cancel"}, {"method": "nope"})
    answers += await exchange(process)
    assert {a["id"]: a["result"]["stopReason"] for a in answers} == dict.fromkeys(
        range(60), "cancelled"
    )


async def test_a_cancelled_request_is_answered_even_when_it_has_just_begun(process):
    cancel = {"method": "$/cancel_request", "params": {"requestId": 1}}
    bad = {"method": "$/cancel_request", "params": {"requestId": [1]}}
    answers = await exchange(process, WAIT, bad, cancel)
    assert codes(answers or await exchange(process)) == [(1, REQUEST_CANCELLED)]


async def test_the_end_of_the_input_ends_prompts_and_questions(process):
    asking = exchange(process, WAIT, {"id": 2, "method": "ask"})
    assert [answer["method"] for answer in await asking] == ["question"]
    process.stdin.close()
    assert await asyncio.wait_for(process.wait(), 60) == 0
