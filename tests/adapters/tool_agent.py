"""An ACP agent that asks for its tools in the way that its first argument names, or never.

It notes each start and each session in `life.txt` of its folder.
"""

import json
import sys
import time
from pathlib import Path

from own_tools import ask_for_tools

WAY = sys.argv[1]
LIFE = Path("life.txt")
BUSY_SECONDS = 4.0


def note(word):
    with LIFE.open("a") as file:
        file.write(f"{word}\n")


def times(word):
    return LIFE.read_text().split().count(word)


def say(**message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def opened(server):
    note("session")
    if WAY == "busy":
        end = time.process_time() + BUSY_SECONDS
        while time.process_time() < end:
            pass
    is_time = {
        "busy": True,
        "second-session": times("session") == 2,
        "second-start": times("start") == 2,
    }
    if is_time.get(WAY):
        ask_for_tools(server)


note("start")
known = {}
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        can = {"mcpCapabilities": {"http": True}}
        say(id=number, result={"protocolVersion": 1, "agentCapabilities": can, "authMethods": []})
    elif method == "session/new":
        known = message["params"]["mcpServers"][0]
        say(id=number, result={"sessionId": "s"})
        opened(known)
    elif method == "session/prompt":
        if WAY == "prompted":
            ask_for_tools(known)
            sys.stdin.readline()  # until it is cancelled
        say(id=number, result={"stopReason": "end_turn"})
