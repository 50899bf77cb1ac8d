"""A planted ACP agent that does no work: `python planted_agent.py WAY FOLDER`.

It stops before it goes on past a first bound until there is a file `WAY.on` in the folder, so that a test
can look meanwhile.
"""

import itertools
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))
from own_tools import ask_for_tools

WAY, FOLDER = sys.argv[1], Path(sys.argv[2])
NAMES = [letter * 3 for letter in "abcdefghijk"]
ENTRY = {"content": "x", "priority": "low", "status": "pending"}


def say(**message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def update(what, **more):
    told = {"sessionUpdate": what, **more}
    say(method="session/update", params={"sessionId": "s", "update": told})


def call(number, file, status="completed"):
    told = {"title": f"Write {file}", "kind": "edit", "rawInput": {"path": file}}
    update("tool_call", toolCallId=f"c{number}", status=status, **told)


def noise(_number):
    sys.stdout.write("working on it\n")
    sys.stdout.flush()


# what it does for ever, and how often before it stops the first time
FLOODS = {
    "circle": (lambda n: call(n, "a.txt"), 12),
    "grow": (lambda n: call(n, "a" * (1 + n)), 40),
    "calls": (lambda n: call(n, NAMES[n % 7] + NAMES[n % 11] * 2), 310),
    "plans": (lambda n: update("plan", entries=[{**ENTRY, "content": NAMES[n % 11]}]), 310),
    "words": (lambda _n: update("agent_message_chunk", content=text("again ")), 310),
    "noise": (noise, 1_100),
}


def text(said):
    return {"type": "text", "text": said}


def wait_to_go_on():
    while not (FOLDER / f"{WAY}.on").exists():
        time.sleep(0.02)


# how it answers its prompts at once
ANSWERS = {
    "broken": {"error": {"code": -32603, "message": "the model is not there"}},
    "unwilling": {"result": {"stopReason": "refusal"}},
    "idle": {"result": {"stopReason": "end_turn"}},
    "toolless": {"result": {"stopReason": "end_turn"}},
}


def turn(number):
    """Take a turn, in its way."""
    if WAY == "toolless":
        wait_to_go_on()
    if WAY == "refused":
        known = FOLDER / "refused.once"
        told = ", try again in 2 hours" if known.exists() else ""
        known.touch()
        say(id=number, error={"code": -32603, "message": f"429 Too Many Requests{told}"})
        return
    if WAY in ANSWERS:
        say(id=number, **ANSWERS[WAY])
        return
    if WAY == "silent":
        call(1, "a.txt", status="in_progress")
        sys.stdin.readline()  # until it is cancelled
        return
    flood, first = FLOODS[WAY]
    for times in itertools.count():
        if times == first:
            wait_to_go_on()
        flood(times)


if WAY == "leaving":
    sys.exit(3)
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if WAY == "mute":
        continue
    if method == "initialize":
        can = {"mcpCapabilities": {"http": True}}
        say(id=number, result={"protocolVersion": 1, "agentCapabilities": can, "authMethods": []})
    elif method == "session/new":
        say(id=number, result={"sessionId": "s"})
        if WAY != "toolless":
            ask_for_tools(message["params"]["mcpServers"][0])
    elif method == "session/prompt":
        if WAY == "dying":
            sys.exit(3)
        turn(number)
