"""How a planted agent asks for Treadle's tools; beside the agents, as each is a program of its own."""

import json
from http.client import HTTPConnection
from urllib.parse import urlsplit


def ask_for_tools(server):
    """Send `tools/list` to the server that `session/new` told of."""
    headers = {h["name"]: h["value"] for h in server["headers"]}
    more = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    more["MCP-Protocol-Version"] = "2025-06-18"
    url = urlsplit(server["url"])
    connection = HTTPConnection(url.hostname, url.port)
    connection.request("POST", f"{url.path}?{url.query}", json.dumps(asked), headers | more)
    assert b"tools" in connection.getresponse().read()
