"""Turns of the built-in agent: its tools on every wire, its questions, what it is sent and shows."""

import sys

import pytest

from tests.agents.builtin.client import (
    BUGGY,
    EDIT,
    MENDED,
    REJECT,
    WIRES,
    RefusedError,
)

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]  # the first run installs it

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.mark.parametrize("wire", WIRES)
async def test_every_wire_reads_edits_runs_and_answers(agent, play, wire):
    log = play(
        {
            "think": "hm",
            "text": "I look.",
            "calls": [{"read": "a.py"}, {"tool": "grep", "args": {"pattern": "return"}}],
        },
        {"calls": [EDIT]},
        {"calls": [{"run": "python3 -c 'import a; print(a.add(2, 3))'"}]},
        {"text": "It adds now."},
    )
    await agent.choose("model", WIRES[wire])
    answer = await agent.prompt("fix add")

    assert log() == [(0, None), (1, None), (2, None), (3, None)]
    assert (agent.cwd / "a.py").read_text() == MENDED
    assert answer["stopReason"] == "end_turn"
    assert answer["usage"]["inputTokens"] > 0
    assert agent.said().endswith("It adds now.")
    assert [status for _title, status in agent.statuses()] == ["completed"] * 4
    output = agent.of_kind("tool_call_update")[-1]["rawOutput"]["output"]
    assert output == "5\n[exit code 0]"


async def test_a_call_is_shown_with_kind_place_and_difference(agent, play):
    play({"calls": [EDIT]})
    await agent.prompt("fix add")

    (call,) = agent.of_kind("tool_call")
    path = str(agent.cwd / "a.py")
    assert (call["kind"], call["title"], call["locations"]) == (
        "edit",
        "edit_file a.py",
        [{"path": path}],
    )
    assert call["content"] == [
        {"type": "diff", "path": path, "oldText": "a - b", "newText": "a + b"}
    ]
    assert agent.questions[0]["toolCall"]["rawInput"] == call["rawInput"]


async def test_a_command_shows_its_output_while_it_runs_and_gets_no_key(agent, play):
    play({"calls": [{"run": "env; sleep 1; exit 3"}]})
    await agent.prompt("look around")

    live = [
        u["content"][0]["content"]["text"]
        for u in agent.of_kind("tool_call_update")
        if "content" in u
    ]
    assert "HOME=" in live[0], "told before it ended"
    assert live[-1].endswith("[exit code 3]")
    assert "sk-" not in live[-1]


async def test_planning_offers_nothing_that_writes(agent, play, stub):
    log = play({"calls": [{"tool": "write_file", "args": {"path": "b.py", "content": ""}}]})
    await agent.ask("session/set_mode", sessionId=agent.session, modeId="plan")
    with pytest.raises(RefusedError):
        await agent.prompt("plan it")

    assert "no tool" in log()[0][1], "the model could not even call it"
    (entry,) = stub.log("test")
    offered = [tool["function"]["name"] for tool in entry["body"]["tools"]]
    assert sorted(offered) == ["grep", "list_files", "read_file", "update_plan"]


async def test_what_a_person_refuses_is_not_done_and_the_model_is_reported(agent, play, stub):
    play({"calls": [EDIT]}, {"text": "Then not."})
    agent.answer = REJECT
    await agent.prompt("fix add")

    assert (agent.cwd / "a.py").read_text() == BUGGY
    assert agent.statuses() == [("edit_file a.py", "failed")]
    assert "The user refused" in stub.log("test")[-1]["last_result"]


async def test_it_makes_folders_shows_its_plan_and_may_end_without_a_word(agent, play):
    entries = [{"content": "write", "status": "completed"}, {"content": "check"}]
    plan = {"tool": "update_plan", "args": {"entries": entries}}
    play({"calls": [plan, {"write": "src/deep/b.py", "content": "b"}]}, {"text": ""})

    assert (await agent.prompt("begin"))["stopReason"] == "end_turn"
    assert (agent.cwd / "src/deep/b.py").read_text() == "b"
    (shown,) = agent.of_kind("plan")
    assert [(e["content"], e["status"]) for e in shown["entries"]] == [
        ("write", "completed"),
        ("check", "pending"),
    ]
    assert [title for title, _status in agent.statuses()] == ["write_file src/deep/b.py"]


async def test_tools_of_the_client_are_called_by_mcp(agent, play, tmp_path):
    server = tmp_path / "server.py"
    server.write_text(
        "from mcp.server.mcpserver import MCPServer\n"
        "server = MCPServer('counting')\n"
        "@server.tool()\n"
        "def add_up(a: int, b: int) -> str:\n"
        "    if a < 0: raise ValueError('a must not be negative')\n"
        "    return f'sum {a + b}'\n"
        "server.run()\n"
    )
    stdio = {"name": "counting", "command": sys.executable, "args": [str(server)], "env": []}
    gone = {"name": "gone", "type": "http", "url": "http://127.0.0.1:9/mcp", "headers": []}
    await agent.open(mcpServers=[stdio, gone])
    log = play(
        {"calls": [{"mcp": "add_up", "args": {"a": -1, "b": 3}}]},
        {"calls": [{"mcp": "add_up", "args": {"a": 2, "b": 3}}]},
    )
    await agent.prompt("count")

    assert [problem for _step, problem in log()] == [None, None, None]
    assert agent.statuses() == [
        ("mcp__counting__add_up", "failed"),
        ("mcp__counting__add_up", "completed"),
    ]
    assert agent.of_kind("tool_call_update")[-1]["rawOutput"]["output"] == "sum 5"
    assert len(agent.questions) == 2


async def test_prompts_take_images_and_files(agent, play, stub):
    play({"text": "I see."})
    link = {"type": "resource_link", "name": "the page", "uri": "https://example.invalid/p"}
    note = {
        "type": "resource",
        "resource": {"uri": "file:///notes.txt", "text": "remember the milk"},
    }
    await agent.prompt(
        "look", {"type": "image", "data": PIXEL, "mimeType": "image/png"}, note, link
    )

    sent = stub.log("test")[-1]["body"]["messages"][-1]["content"]
    assert [part["type"] for part in sent] == ["text", "image_url", "text", "text"]
    assert PIXEL in sent[1]["image_url"]["url"]
    assert "remember the milk" in sent[2]["text"]
    with pytest.raises(RefusedError, match="no base64"):
        await agent.prompt({"type": "image", "data": "!", "mimeType": "image/png"})
