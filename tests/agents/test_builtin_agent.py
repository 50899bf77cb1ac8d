"""The built-in agent on its own: a real process, real tools, and a model that a script plays."""

import asyncio
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest

from domain.limits.rate_limits import read_refusal
from tests.agents.builtin_client import (
    ALLOW,
    ALWAYS,
    REJECT,
    Client,
    RefusedError,
    Stopwatch,
    installed,
)
from tests.model_stub import ModelStub, serving

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]  # the first run installs it

ROOT = Path(__file__).resolve().parents[2]
BUGGY, MENDED = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"
WIRES = {
    "chat": "openai-chat:stub-1",
    "responses": "openai-responses:stub-1",
    "anthropic": "anthropic:stub-1",
    "gemini": "google:stub-1",
}
EDIT = {"edit": "a.py", "old": "a - b", "new": "a + b"}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.fixture(scope="module")
async def command():
    return await installed()


@pytest.fixture(scope="module")
def stub():
    stub = ModelStub()
    with serving(stub) as url:
        stub.url = f"{url}/s/test"
        yield stub


@pytest.fixture
def play(stub):
    """Script the model's next words: the turns that it takes for a prompt."""

    def play(*turns, prompt="", **more):
        when = {"tools": True} | ({"prompt": prompt} if prompt else {})
        rule = {"name": "work", "when": when, "turns": [*turns]}
        stub.add("test", {"rules": [rule], **more})
        return lambda: [(entry["step"], entry["problem"]) for entry in stub.log("test")]

    return play


@pytest.fixture(scope="module")
def new_client(command, stub, tmp_path_factory):
    """Make a client for another process on the same home."""
    home = tmp_path_factory.mktemp("home")
    environment = {
        "OPENAI_BASE_URL": f"{stub.url}/v1",
        "OPENAI_API_KEY": "sk-openai",
        "ANTHROPIC_BASE_URL": stub.url,
        "ANTHROPIC_API_KEY": "sk-anthropic",
        "GOOGLE_GEMINI_BASE_URL": stub.url,
        "GEMINI_API_KEY": "sk-gemini",
        "TREADLE_AGENT_MODEL": WIRES["chat"],
    }
    return lambda cwd: Client(command, cwd, home, **environment)


@pytest.fixture(scope="module")
async def process(new_client, tmp_path_factory):
    """One process for all tests that do not kill it: every test has a session of its own."""
    async with new_client(tmp_path_factory.mktemp("nowhere")) as client:
        yield client


@pytest.fixture
async def agent(process, tmp_path):
    (tmp_path / "a.py").write_text(BUGGY)
    process.begin(tmp_path)
    await process.open()
    return process


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
    answer = await agent.prompt("mend add")

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
    await agent.prompt("mend add")

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


async def test_what_a_person_refuses_is_not_done_and_the_model_is_told(agent, play, stub):
    play({"calls": [EDIT]}, {"text": "Then not."})
    agent.answer = REJECT
    await agent.prompt("mend add")

    assert (agent.cwd / "a.py").read_text() == BUGGY
    assert agent.statuses() == [("edit_file a.py", "failed")]
    assert "The user refused" in stub.log("test")[-1]["last_result"]


async def test_what_is_allowed_always_is_asked_once_and_known_after_a_restart(
    agent, new_client, play
):
    write = {"write": "b.txt", "content": "b"}
    play({"calls": [EDIT]}, {"calls": [write]}, {"calls": [{"run": "true"}]})
    agent.answer = lambda question: ALWAYS if question["toolCall"]["kind"] == "edit" else ALLOW
    await agent.prompt("mend add")
    asked = [question["toolCall"]["kind"] for question in agent.questions]

    play({"calls": [{"write": "c.txt", "content": "c"}]}, prompt="write c")
    async with new_client(agent.cwd) as later:
        later.answer = REJECT
        await later.reopen("session/resume", agent.session)
        await later.prompt("write c.txt")

    assert asked == ["edit", "execute"]
    assert (agent.cwd / "c.txt").read_text() == "c"


async def test_a_cancelled_turn_ends_at_once_with_all_that_its_command_started(agent, play):
    play({"calls": [{"run": "setsid sleep 600 & echo $! $$; wait"}]})
    turn = asyncio.create_task(agent.prompt("wait"))
    shown = await agent.until(lambda u: "content" in u and u.get("status") is None)
    pids = [int(pid) for pid in shown["content"][0]["content"]["text"].split()]
    with Stopwatch() as watch:
        agent.cancel()
        answer = await turn

    assert answer["stopReason"] == "cancelled"
    assert watch.seconds < 1.5
    assert not [pid for pid in pids if is_running(pid)]
    play({"text": "Still here."})
    assert (await agent.prompt("go on"))["stopReason"] == "end_turn"


async def test_a_killed_agent_loses_no_finished_step(new_client, play, stub, tmp_path):
    (tmp_path / "a.py").write_text(BUGGY)
    both = [{"run": "echo first"}, {"run": "echo second; sleep 600"}]
    play({"calls": [EDIT]}, {"calls": both}, {"text": "Done."})
    async with new_client(tmp_path) as first:
        await first.open()
        turn = asyncio.create_task(first.prompt("mend add"))
        await first.until(lambda update: "second" in str(update.get("content")))
        first.kill()
        with pytest.raises(ConnectionError):
            await turn

    async with new_client(tmp_path) as later:
        await later.reopen("session/load", first.session)
        replayed = [title for title, _status in later.statuses()]
        answer = await later.prompt("you were interrupted")

    assert replayed == [title for title, _status in first.statuses()]
    assert answer["stopReason"] == "end_turn"
    sent = stub.log("test")[-1]["body"]["messages"]
    results = [message["content"] for message in sent if message["role"] == "tool"]
    assert results[0] == "Edited a.py."
    assert "first" in results[1]
    assert "gave no result" in results[2]
    assert "you were interrupted" in str(sent[-1])


async def test_a_short_refusal_is_waited_out(agent, play):
    log = play(
        {"error": {"kind": "rate_limit", "retry_after": 1}},
        {"error": "overloaded"},
        {"text": "Hi."},
    )

    assert (await agent.prompt("hi"))["stopReason"] == "end_turn"
    assert len(log()) == 3


@pytest.mark.parametrize("wire", WIRES)
async def test_a_long_refusal_is_told_with_its_time(agent, play, wire):
    play({"error": {"kind": "rate_limit", "retry_after": 7200, "times": 9}})
    await agent.choose("model", WIRES[wire])
    with pytest.raises(RefusedError) as caught:
        await agent.prompt("hi")

    error = caught.value.error
    assert (error["data"]["errorKind"], error["data"]["status"]) == ("rate_limit", 429)
    now = datetime.now(UTC)
    refusal = read_refusal(f"error {error['code']}: {error['message']} {error['data']}", now)
    assert refusal.retry_at == now + timedelta(hours=2)


async def test_a_wrong_key_is_no_refusal_that_waiting_helps(agent, play):
    play({"error": {"kind": "auth", "times": 9}})
    with pytest.raises(RefusedError) as caught:
        await agent.prompt("hi")

    error = caught.value.error
    assert (error["code"], error["data"]["errorKind"]) == (-32000, "authentication")
    assert read_refusal(f"error {error['code']}: {error['message']}", datetime.now(UTC)) is None


@pytest.mark.parametrize("wire", WIRES)
async def test_a_context_that_overflows_is_compacted_and_the_turn_goes_on(agent, play, stub, wire):
    await agent.choose("model", WIRES[wire])
    play(*({"text": f"step {n}", "calls": [{"read": "a.py"}]} for n in range(4)))
    await agent.prompt("look four times")
    over = ({"error": "overflow"}, {"text": "Went on."})
    play(*over, prompt="go on", default={"text": "SUMMARY OF ALL"})
    answer = await agent.prompt("go on")

    assert answer["stopReason"] == "end_turn"
    assert agent.said().endswith("Went on.")
    last = str(stub.log("test")[-1]["body"])
    assert "SUMMARY OF ALL" in last
    assert "step 0" not in last
    assert "go on" in last


async def test_a_person_can_have_a_conversation_compacted(agent, play, stub):
    play({"text": "a long answer"})
    for number in range(4):
        await agent.prompt(f"question {number}")
    (command,) = (await agent.until(lambda u: "availableCommands" in u))["availableCommands"]
    play({"text": "Yes."}, default={"text": "THE SUMMARY"})
    await agent.prompt(f"/{command['name']} keep the names")
    assert "keep the names" in str(stub.log("test")[-1]["body"])
    await agent.prompt("and now?")

    assert "THE SUMMARY" in str(stub.log("test")[-1]["body"])


@pytest.mark.parametrize(("stop", "reason"), [("length", "max_tokens"), ("refusal", "refusal")])
async def test_a_model_that_stops_early_says_why(agent, play, stop, reason):
    play({"text": "I was about to", "stop": stop})

    assert (await agent.prompt("hi"))["stopReason"] == reason


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


async def test_sessions_are_listed_loaded_and_closed(agent, new_client, play):
    play({"text": "Hello."})
    await agent.prompt("# Greet me")
    async with new_client(agent.cwd) as later:
        listed = await later.ask("session/list", cwd=str(later.cwd))
        opened = await later.reopen("session/load", agent.session)
        told = [u["sessionUpdate"] for u in later.updates if "content" in u]
        await later.ask("session/close", sessionId=agent.session)
        with pytest.raises(RefusedError, match="load it first"):
            await later.prompt("still there?")

    assert [(row["sessionId"], row["title"]) for row in listed["sessions"]] == [
        (agent.session, "Greet me")
    ]
    assert opened["modes"]["currentModeId"] == "build"
    assert told == ["user_message_chunk", "agent_message_chunk"]


async def test_options_are_told_and_kept_and_nonsense_is_refused(agent, new_client):
    options = (await agent.choose("thought_level", "high"))["configOptions"]
    assert {o["category"]: o["currentValue"] for o in options} == {
        "mode": "build",
        "model": WIRES["chat"],
        "thought_level": "high",
    }
    for option, value in (("model", "nobody:x"), ("mode", "yolo"), ("colour", "red")):
        with pytest.raises(RefusedError):
            await agent.choose(option, value)
    async with new_client(agent.cwd) as later:
        opened = await later.reopen("session/resume", agent.session)
    assert opened["configOptions"][2]["currentValue"] == "high"


async def test_without_a_key_it_says_which_to_set(command, tmp_path):
    async with Client(command, tmp_path, tmp_path / "home") as client:
        with pytest.raises(
            RefusedError, match="OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY"
        ):
            await client.open()


async def test_a_server_of_ones_own_needs_no_key_and_names_its_models(
    command, tmp_path, stub, play
):
    play({"text": "Hi."}, models=["llama-9", "qwen-9"])
    url = {"OPENAI_BASE_URL": f"{stub.url}/v1"}
    async with Client(command, tmp_path, tmp_path / "home", **url) as client:
        opened = await client.open()
        await client.prompt("hi")

    model = opened["configOptions"][1]
    assert model["currentValue"] == "openai:llama-9"
    assert [o["value"] for o in model["options"]] == ["openai:llama-9", "openai:qwen-9"]
    assert stub.log("test")[-1]["body"]["model"] == "llama-9"


def test_its_types_hold_in_its_own_environment(command):
    config = ROOT / "adapters/builtin_agent/pyrightconfig.json"
    pyright = Path(sys.executable).parent / "pyright"
    argv = [pyright, "--project", config, "--pythonpath", command[0]]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
