"""A planted ACP agent that never ends its turn; the first word of its prompt says in which way."""

import json
import sys
from itertools import count


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


def turn(way):
    """Do the same for ever; a permission waits for its answer."""
    if way == "silent":
        update("tool_call", **call("c"))
        return
    for number in count():
        if way == "one-id":
            update("tool_call", **call("the-same"))
        elif way == "half-told":
            update("tool_call", **call("half", status="pending"))
        elif way == "many-calls":
            update("tool_call", **call(f"c{number}", f"{number}.txt"))
        elif way == "plans":
            update("plan", entries=[{"content": "x", "priority": "low", "status": "pending"}])
        elif way == "messages":
            update("agent_message_chunk", content={"type": "text", "text": "again "})
        else:
            options = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]
            ask = {"sessionId": "s", "toolCall": call("p", status="pending"), "options": options}
            say(id=f"p{number}", method="session/request_permission", params=ask)
            sys.stdin.readline()


for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        say(id=number, result={"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []})
    elif method == "session/new":
        say(id=number, result={"sessionId": "s"})
    elif method == "session/prompt":
        turn(message["params"]["prompt"][0]["text"].split()[0])
