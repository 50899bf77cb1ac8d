"""The stub against the wire formats, as the clients of each would see them."""

import json
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.model_stub import ModelStub, Script, ScriptError, load, serving
from tests.model_stub.acts import resolve
from tests.model_stub.shapes import Tool
from tests.model_stub.wire import chat as chat_wire

SCHEMA = {
    "type": "object",
    "properties": {"command": {"type": "string"}, "why": {"type": "string"}},
    "required": ["command", "why"],
}
SCRIPT = {
    "rules": [
        {
            "name": "fix",
            "when": {"prompt": r"fix (?P<f>\S+)", "tools": True},
            "capture": {"port": r"port: (\d+)"},
            "turns": [
                {"error": {"kind": "rate_limit", "times": 2, "retry_after": 1}},
                {"think": "hm", "text": "go", "calls": [{"run": "cat ${f}"}]},
                {"text": "port ${port}", "usage": {"input": 100, "output": 7, "cached": 40}},
            ],
        },
        {
            "name": "long",
            "when": {"prompt": "long"},
            "turns": [{"error": {"kind": "overflow", "times": 9}}],
        },
    ],
    "default": {"text": "title"},
}


@pytest.fixture
def stub():
    double = ModelStub(SCRIPT)
    with serving(double) as url, httpx.Client(base_url=url) as http:
        yield double, http


def events(text: str) -> list[dict]:
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]


def chat(*messages, tools=True, **more):
    offered = (
        [{"type": "function", "function": {"name": "bash", "parameters": SCHEMA}}] if tools else []
    )
    return {"model": "m", "messages": list(messages), "tools": offered, **more}


def test_chat_plays_errors_then_steps_and_a_retry_repeats_its_step(stub):
    double, http = stub
    body = chat({"role": "user", "content": "fix a.py"})
    codes = [http.post("/v1/chat/completions", json=body).status_code for _ in range(4)]
    assert codes == [429, 429, 200, 200]
    message = http.post("/v1/chat/completions", json=body).json()["choices"][0]["message"]
    call = message["tool_calls"][0]
    assert json.loads(call["function"]["arguments"]) == {"command": "cat a.py", "why": "stub"}
    body["messages"] += [
        message,
        {"role": "tool", "tool_call_id": call["id"], "content": "port: 81"},
    ]
    got = events(
        http.post(
            "/v1/chat/completions",
            json={**body, "stream": True, "stream_options": {"include_usage": True}},
        ).text
    )
    assert (
        "".join(e["choices"][0]["delta"].get("content") or "" for e in got if e["choices"])
        == "port 81"
    )
    assert got[-1]["usage"]["prompt_tokens_details"] == {"cached_tokens": 40}
    assert [(e["rule"], e["step"]) for e in double.log()][-2:] == [("fix", 0), ("fix", 1)]


def test_side_requests_get_the_default(stub):
    _, http = stub
    reply = http.post(
        "/v1/chat/completions", json=chat({"role": "user", "content": "fix a.py"}, tools=False)
    ).json()
    assert reply["choices"][0]["message"]["content"] == "title"


def test_responses_stream_carries_calls_with_namespace_and_overflow_fails_in_stream(stub):
    _, http = stub
    tools = [
        {
            "type": "namespace",
            "name": "mcp__x",
            "tools": [{"type": "function", "name": "bash", "parameters": SCHEMA}],
        }
    ]
    body = {"model": "m", "stream": True, "input": "fix b.py", "tools": tools}
    for _ in range(2):
        assert http.post("/v1/responses", json=body).headers["retry-after"] == "1"
    got = events(http.post("/v1/responses", json=body).text)
    call = got[-1]["response"]["output"][-1]
    assert (call["type"], call["namespace"], got[-1]["type"]) == (
        "function_call",
        "mcp__x",
        "response.completed",
    )
    assert (
        "".join(e["delta"] for e in got if e["type"].endswith("arguments.delta"))
        == call["arguments"]
    )
    failed = events(http.post("/v1/responses", json={**body, "input": "long"}).text)[-1]
    assert failed["response"]["error"]["code"] == "context_length_exceeded"


def test_anthropic_stream_rebuilds_to_the_whole_reply(stub):
    _, http = stub
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "fix c.py"}],
        "tools": [{"name": "Bash", "input_schema": SCHEMA}],
    }
    for _ in range(2):
        http.post("/v1/messages", json=body)
    whole = http.post("/v1/messages", json=body).json()
    got = events(http.post("/v1/messages", json={**body, "stream": True}).text)
    assert [b["type"] for b in whole["content"]] == ["thinking", "text", "tool_use"]
    parts = "".join(
        e["delta"].get("partial_json", "") for e in got if e["type"] == "content_block_delta"
    )
    assert json.loads(parts) == whole["content"][-1]["input"]
    assert [e["delta"]["stop_reason"] for e in got if e["type"] == "message_delta"] == ["tool_use"]


def test_gemini_without_call_ids_still_steps(stub):
    _, http = stub
    tools = [
        {"functionDeclarations": [{"name": "run_shell_command", "parametersJsonSchema": SCHEMA}]}
    ]
    body = {"contents": [{"role": "user", "parts": [{"text": "fix d.py"}]}], "tools": tools}
    for _ in range(2):
        http.post("/v1beta/models/g:generateContent", json=body)
    parts = http.post("/v1beta/models/g:generateContent", json=body).json()["candidates"][0][
        "content"
    ]["parts"]
    call = {"name": parts[-1]["functionCall"]["name"], "args": parts[-1]["functionCall"]["args"]}
    body["contents"] += [
        {"role": "model", "parts": [{"functionCall": call}]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"name": call["name"], "response": {"o": "port: 9"}}}],
        },
    ]
    got = events(http.post("/v1beta/models/g:streamGenerateContent?alt=sse", json=body).text)
    assert (
        "".join(p.get("text", "") for e in got for p in e["candidates"][0]["content"]["parts"])
        == "port 9"
    )
    assert got[-1]["usageMetadata"]["promptTokenCount"] == 100


def test_one_act_fits_each_agents_tools():

    def props(*names):
        return {"type": "object", "properties": {n: {"type": "string"} for n in names}}

    edit = {"edit": "/r/a", "old": "x", "new": "y"}
    assert resolve(edit, [Tool("Edit", props("file_path", "old_string", "new_string"))])[1] == {
        "file_path": "/r/a",
        "old_string": "x",
        "new_string": "y",
    }
    assert resolve(edit, [Tool("apply_patch", {}, freeform=True)])[1] == (
        "*** Begin Patch\n*** Update File: /r/a\n@@\n-x\n+y\n*** End Patch\n"
    )
    assert resolve({"mcp": "ask"}, [Tool("mcp__t__ask", {})])[0].name == "mcp__t__ask"
    with pytest.raises(ScriptError):
        resolve({"mcp": "ask"}, [Tool("task", {})])


def test_a_shell_edits_whatever_lines_there_are(tmp_path):
    file, old, new = tmp_path / "a b.py", "def f(\n    'x'\n", "def g[0](\n    \\1/y\n"
    file.write_text(f"{old}{old}")
    edit = {"edit": str(file), "old": old, "new": new}
    shell = Tool("exec_command", {"properties": {"cmd": {"type": "string"}}})
    subprocess.run(["bash", "-c", resolve(edit, [shell])[1]["cmd"]], check=True)
    assert file.read_text() == f"{new}{old}"


def test_held_back_mcp_tools_are_searched_first():
    script = Script(
        {
            "rules": [
                {"when": {"prompt": "go"}, "turns": [{"calls": [{"mcp": "ask", "args": {"q": 1}}]}]}
            ]
        }
    )
    tools = [
        {"type": "function", "function": {"name": n, "parameters": {}}}
        for n in ("tool_search", "tool_call")
    ]
    body = {"messages": [{"role": "user", "content": "go"}], "tools": tools}
    first = script.reply(chat_wire.parse(body)).calls[0]
    assert (first.name, first.args) == ("tool_search", {"query": "ask"})
    body["messages"] += [
        {"role": "assistant", "tool_calls": [{"id": "call_" + first.id, "function": {}}]},
        {"role": "tool", "tool_call_id": "call_" + first.id, "content": "mcp__t__ask: asks"},
    ]
    second = script.reply(chat_wire.parse(body)).calls[0]
    assert (second.name, second.args) == (
        "tool_call",
        {"name": "mcp__t__ask", "arguments": {"q": 1}},
    )


def test_scripts_by_name_faults_and_control(stub):
    double, http = stub
    assert http.put(
        "/s/a/_stub/script", json={"queue": [{"text": "one"}, {"drop_after": 2, "text": "two"}]}
    ).json() == {"ok": True}
    body = chat({"role": "user", "content": "hi"})
    assert (
        http.post("/s/a/v1/chat/completions", json=body).json()["choices"][0]["message"]["content"]
        == "one"
    )
    with pytest.raises(httpx.RemoteProtocolError):
        http.post("/s/a/v1/chat/completions", json={**body, "stream": True})
    assert len(http.get("/s/a/_stub/requests?brief=1").json()) == 2
    assert http.put("/s/b/_stub/script", json={"rulez": []}).status_code == 422
    assert http.post("/s/none/v1/messages", json={}).status_code == 404
    missing = chat({"role": "user", "content": "call it"})
    double.add("c", {"queue": [{"calls": [{"tool": "nope"}]}]})
    assert http.post("/s/c/v1/chat/completions", json=missing).status_code == 400
    assert "nope" in double.log("c")[0]["problem"]


def test_the_example_loads():
    script = Script(load(Path(__file__).parent / "examples/fix_bug.yaml"))
    assert [rule["name"] for rule in script.rules]
    assert script.variables == {"root": "/repo"}
