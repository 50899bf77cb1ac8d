"""An agent in a few lines of JSON-RPC, odd in the ways that its arguments name: `python odd_agent.py login bom`."""

import json
import sys

ODD = set(sys.argv[1:])
METHODS = {
    "keys": {"id": "vendor-key", "name": "Key", "type": "env_var", "vars": [{"name": "KEY"}]},
    "named": {"id": "vendor-api-key", "name": "Key"},
    "browser": {"id": "browser", "name": "In the browser"},
}


def say(**message):
    line = json.dumps({"jsonrpc": "2.0", **message})
    sys.stdout.write(line + ("\r\n" if "crlf" in ODD else "\n"))
    sys.stdout.flush()


def answered(method, params):
    """What a request is answered with; None to leave it unanswered."""
    if method == "initialize":
        ways = [METHODS["browser"], *(METHODS[name] for name in ("keys", "named") if name in ODD)]
        told = {"protocolVersion": 1, "agentCapabilities": {"loadSession": "load" in ODD}}
        return {**told, "authMethods": ways}
    if method == "authenticate":
        ODD.discard("login" if params["methodId"] != "browser" else "")
    elif method in {"session/new", "session/load"}:
        return {"sessionId": "s", "modes": None, "configOptions": None}
    elif method == "session/prompt":
        chunk = {"type": "text", "text": "Hello."}
        update = {"sessionUpdate": "agent_message_chunk", "content": chunk}
        say(method="session/update", params={"sessionId": "s", "update": update})
        return {"stopReason": "end_turn", "usage": None}
    return {}


if "bom" in ODD:
    sys.stdout.write("\ufeff")
for line in sys.stdin:
    message = json.loads(line)
    number = str(message.get("id")) if "texts" in ODD else message.get("id")
    wants_login = "login" in ODD and message["method"].startswith("session/")
    if number is None or "method" not in message:
        continue
    if wants_login:
        say(id=number, error={"code": -32000, "message": "Authentication required"})
    else:
        say(id=number, result=answered(message["method"], message.get("params", {})))
