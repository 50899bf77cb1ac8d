"""More than thirty ways in which an agent misbehaves: each is told in words of its own, none costs the worker.

All are played in one process that runs turns as a worker does; its memory is measured at each.
Print the figures with `pytest tests/adapters/test_acp_thirty.py -s`.
"""

import asyncio
import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAX_GROWN_MIB = 64
GO_ON = {"say": "\nstill here"}
HANG = {"hang": True}
IDLE = {"idle": 0.6}
EXIT_IN_WORDS = [{"garbage": {"bytes": 40, "open": True}}, {"exit": 3}]
DEAF = {"scenario": {"start": {"ignore_term": True}}}


def update(**fields):
    return {"method": "session/update", "params": {"sessionId": "${session}", "update": fields}}


def asks(method, number="${n}", **params):
    return {"id": number, "method": method, "params": {"sessionId": "${session}", **params}}


def permission(**params):
    call = {"toolCallId": "c", "title": "Edit", "kind": "edit"}
    return asks("session/request_permission", **{"toolCall": call, **params})


UNWATCHED = {"circling": {"repeats_stop": 0, "calls_stop": 0}}
"""Without the bounds on circles, which would end the turn long before."""

CHOICES = [{"optionId": f"o{n}", "name": "x", "kind": "odd"} for n in range(10_000)]
DISTINCT = update(sessionUpdate="tool_call", toolCallId="c${n}", title="T")
SAME = update(sessionUpdate="tool_call_update", toolCallId="c", title="T ${n}")
LARGE = {"type": "content", "content": {"type": "text", "text": "x" * 200_000}}
HUGE = update(sessionUpdate="tool_call_update", toolCallId="c${n}", content=[LARGE])
DEEP = f'{{"method": "session/update", "params": {"[" * 500}1{"]" * 500}}}'
SURROGATE = '{"method": "session/update", "params": {"sessionId": "${session}", "update": \
{"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": "\\ud800\\u0000\\u001b[2J"}}}}'

ENDS = {  # the turn fails with these words
    "exits at once": ({"scenario": {"start": {"exit": 4}}}, "exited with code 4"),
    "never answers initialize": (
        {"scenario": {"start": {"hang": True}}, "initialize": 0.6},
        "did not answer `initialize` within",
    ),
    "another version": ({"scenario": {"start": {"version": 2}}}, "speaks version 2 of the Agent"),
    "no initialize answer": (
        {"scenario": {"start": {"initialize": [1, "x"]}}},
        "answer to `initialize` names no version",
    ),
    "leaves without an answer": ({"steps": [{"exit": 0}]}, "left with exit code 0 and without"),
    "exits in mid-message": (
        {"steps": [{"stderr": "last words"}, *EXIT_IN_WORDS]},
        r"(?s)exited with code 3, in the middle of a message.*last words",
    ),
    "is killed": ({"steps": [{"exit": -9}]}, "killed by SIGKILL .by the kernel if memory"),
    "crashes": ({"steps": [{"exit": -11}]}, "killed by SIGSEGV"),
    "falls silent": ({"steps": [HANG], **IDLE}, "it said nothing for 0.6 s$"),
    "is deaf to all": (
        {"steps": [{"ignore_cancel": True}, HANG], **IDLE, **DEAF},
        "it said nothing for 0.6 s$",
    ),
    "bad stop reason": ({"steps": [{"stop": "finished"}]}, "broke the protocol.*'finished'"),
    "answers with an error": ({"steps": [{"error": "no such model"}]}, "an error: no such model"),
    "three long lines": (
        {"steps": [{"garbage": {"bytes": 17 << 20}, "times": 3}, HANG]},
        "3 lines that are too long to be read",
    ),
    "never stops talking": (
        {"steps": [{"say": "x" * 999, "times": 3000}, HANG], "limits": {"max_turn_bytes": 1 << 20}},
        "said more than 1048576 bytes in one turn",
    ),
    "asks without end": (
        {"steps": [{"send": asks("terminal/create"), "times": 10_001}, HANG]},
        "asked for more than 10000 things",
    ),
    "asks and reads nothing": (
        {"steps": [{"stop_reading": True}, {"send": asks("x"), "times": 9000}, HANG], "idle": 4},
        "said nothing for 4 s and does not read what it is sent",
    ),
}

GOES_ON = {  # the turn goes on, and is told this
    "garbage": ({"steps": [{"garbage": 12}]}, "lines that are no messages: 12 "),
    "scalars": ({"steps": [{"send": "null"}, {"send": "[1]"}, {"send": "1"}]}, "messages: 3 "),
    "terminal escapes": ({"steps": [{"send": "\x1b]0;x\x07\x1b[2J"}]}, r"first: '\\x1b\]0;x"),
    "deep nesting": ({"steps": [{"send": DEEP}]}, "lines that are no messages: 1 "),
    "numbers that are none": (
        {
            "steps": [
                {"send": f'{{"method": "x", "params": {n}}}'} for n in ("NaN", "1e999", "9" * 5000)
            ]
        },
        "lines that are no messages: 3 ",
    ),
    "half characters": ({"steps": [{"send": SURROGATE}]}, None),
    "one line of 200 MB": (
        {"steps": [{"garbage": {"bytes": 200_000_000}}]},
        "lines that are too long: 1 ",
    ),
    "a text of 15 MiB": (
        {"steps": [{"send": update(sessionUpdate="x", text="🎉" * 16)}, {"say": "🎉" * (1 << 20)}]},
        "updates of an unknown kind: 1 .the first: 'x'",
    ),
    "300 MB of standard error": ({"steps": [{"stderr": 300_000_000}]}, None),
    "another session": (
        {
            "steps": [
                {"send": {"method": "session/update", "params": {"sessionId": "s2", "update": {}}}}
            ]
        },
        "messages for another session: 1 ",
    ),
    "answers nobody asked for": (
        {"steps": [{"send": {"id": n, "result": {}}} for n in (1, 1, 99, "1", -1)]},
        "answers to nothing that was asked: 5 ",
    ),
    "odd ids": (
        {"steps": [{"send": asks("x", n)} for n in (None, True, 1.5, {"a": 1}, [1])]},
        "lines that are no messages: 5 ",
    ),
    "wants files and terminals": (
        {"steps": [{"send": asks("fs/read_text_file", path="/etc/passwd"), "times": 500}]},
        "requests that Treadle does not serve: 500 .the first: 'fs/read_text_file'",
    ),
    "50,000 updates of one call": ({"steps": [{"send": SAME, "times": 50_000}]}, None),
    "25,000 calls": (
        {
            "steps": [{"send": DISTINCT, "times": 25_000}],
            "limits": {"max_events": 3000},
            **UNWATCHED,
        },
        "updates beyond what is kept of a turn: 22",
    ),
    "40 MB in large updates": ({"steps": [{"send": HUGE, "times": 200}], **UNWATCHED}, None),
    "permission without choices": ({"steps": [{"send": permission()}]}, "permission for 'Edit'"),
    "permission with 10,000 choices": (
        {"steps": [{"send": permission(options=CHOICES)}]},
        None,  # a person is asked, of whom nobody waits for an answer here
    ),
    "permission for nothing": (
        {"steps": [{"send": permission(toolCall=5, options="x")}]},
        "permission for 'a tool call': it offers no option to choose",
    ),
}


@pytest.fixture(scope="module")
async def host(tmp_path_factory):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.adapters.acp_host", str(tmp_path_factory.mktemp("host"))),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
    )
    assert await asyncio.wait_for(process.stdout.readline(), 60) == b"ready\n"
    yield process
    process.stdin.close()
    assert await asyncio.wait_for(process.wait(), 60) == 0


async def play(host, name, case):
    case = {"name": re.sub(r"\W+", "-", name), **case}
    host.stdin.write(json.dumps(case).encode() + b"\n")
    result = json.loads(await asyncio.wait_for(host.stdout.readline(), 150))
    told = (
        f"{result['seconds']:5.1f} s  {result['grown_mib']:5.1f} MiB  {result['events']:5} events"
    )
    sys.stdout.write(f"{told}  {name}: {result['failure'] or result['notices']}\n")
    assert result["left"] == 0
    assert result["grown_mib"] < MAX_GROWN_MIB
    assert len(result["failure"].encode()) < 6 << 10
    return result


@pytest.mark.parametrize("name", ENDS)
async def test_a_turn_ends_with_words_of_its_own(host, name):
    case, words = ENDS[name]

    result = await play(host, name, case)

    assert re.search(words, result["failure"])
    for other, (_, theirs) in ENDS.items():
        assert theirs == words or not re.search(theirs, result["failure"]), f"like {other}"


@pytest.mark.parametrize("name", GOES_ON)
async def test_a_turn_goes_on(host, name):
    case, words = GOES_ON[name]

    result = await play(host, name, {**case, "steps": [*case["steps"], GO_ON]})

    assert result["failure"] == ""
    assert result["answer"].endswith("still here")
    assert result["events"] <= 3100
    assert words is None or any(re.search(words, notice) for notice in result["notices"])
    assert words is not None or result["notices"] == []
