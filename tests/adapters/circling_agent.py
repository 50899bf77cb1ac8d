"""A planted ACP agent that never ends its turn; the first word of its prompt says in which way."""

import json
import sys
from itertools import count

START = sys.argv[1] if sys.argv[1:] else ""
NAMES = [letter * 3 for letter in "abcdefghijk"]


def say(**message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def update(what, **more):
    told = {"sessionUpdate": what, **more}
    say(method="session/update", params={"sessionId": "s", "update": told})


def call(call_id, file="a.txt", status="completed"):
    return {
        "toolCallId": call_id,
        "title": f"Write {file}",
        "kind": "edit",
        "status": status,
        "rawInput": {"path": file},
    }


def ask(number):
    """Ask for a permission, and wait for its answer."""
    options = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]
    asked = {"sessionId": "s", "toolCall": call("p", status="pending"), "options": options}
    say(id=f"p{number}", method="session/request_permission", params=asked)
    sys.stdin.readline()


def noise(_number):
    sys.stdout.write("working on it\n")
    sys.stdout.flush()


def foreign(_number):
    told = {"sessionUpdate": "plan", "entries": []}
    say(method="session/update", params={"sessionId": "other", "update": told})


def words(text):
    update("agent_message_chunk", content={"type": "text", "text": text})


def named(number):
    return NAMES[number % 7] + NAMES[number % 11] * 2


ENTRY = {"content": "x", "priority": "low", "status": "pending"}
WAYS = {
    "one-id": lambda _n: update("tool_call", **call("the-same")),
    "half-told": lambda _n: update("tool_call", **call("half", status="pending")),
    "many-calls": lambda n: update("tool_call", **call(f"c{n}", named(n))),
    "growing": lambda n: update("tool_call", **call(f"c{n}", "a" * (1 + n))),
    "plans": lambda _n: update("plan", entries=[ENTRY]),
    "messages": lambda _n: words("again "),
    "texts": lambda n: words(NAMES[n % 11]),
    "permissions": ask,
    "noise": noise,
    "foreign": foreign,
}


def turn(way):
    """Do the same for ever."""
    if way == "silent":
        update("tool_call", **call("c"))
        return
    if way == "busy":
        update("tool_call", **call("c", status="in_progress"))
        while True:
            pass
    for number in count():
        WAYS[way](number)


for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if START == "mute" or (START == "closed" and method != "initialize"):
        continue
    if method == "initialize":
        say(id=number, result={"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []})
    elif method == "session/new":
        say(id=number, result={"sessionId": "s"})
    elif method == "session/prompt":
        turn(message["params"]["prompt"][0]["text"].split()[0])
