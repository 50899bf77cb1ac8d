"""A planted ACP agent that tells a cost, waits, and tells its tokens when it is cancelled.

With the word `fails` in its prompt it answers with an error instead of waiting.
"""

import json
import sys


def say(**message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def update(what, **more):
    told = {"sessionUpdate": what, **more}
    say(method="session/update", params={"sessionId": "s", "update": told})


asked = None
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        say(id=number, result={"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []})
    elif method == "session/new":
        say(id=number, result={"sessionId": "s"})
    elif method == "session/prompt":
        asked = number
        update("tool_call", toolCallId="c", title="Write a.txt", status="completed")
        update("usage_update", used=9, size=100, cost={"amount": 0.04, "currency": "USD"})
        called = {"inputTokens": 50, "outputTokens": 7, "totalTokens": 57, "cachedReadTokens": 40}
        update("agent_message_chunk", content={"type": "text", "text": ""}, _meta={"usage": called})
        if "fails" in message["params"]["prompt"][0]["text"]:
            say(id=asked, error={"code": -32000, "message": "it broke"})
    elif method == "session/cancel" and asked is not None:
        usage = {"inputTokens": 2_400_000, "outputTokens": 74_000, "cachedReadTokens": 11}
        say(id=asked, result={"stopReason": "cancelled", "usage": usage})
        asked = None
