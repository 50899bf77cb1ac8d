"""`treadle mcp` without an engine: its tools, what they send, its token, and who gets in over HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp_types import TextContent

from cli.core.errors import CommandError
from cli.mcp import credentials, proposals
from cli.mcp.arguments import Message
from cli.mcp.catalogue import TOOLS
from cli.mcp.protocol import McpServer, shown
from cli.mcp.readings import part_of
from cli.mcp.tool import clean
from settings import Settings
from tests.cli.conftest import Api
from tests.cli.test_commands import PLAN, THREAD, VIEW
from tests.cli.test_commands import shown as shown_thread

ME = {"person": "ann", "program": "MCP (an editor)", "scope": "proposer"}
TOKEN = "trdl_made-for-the-server-0123456789abcdef"
DECIDING = ("approve", "reject", "answer", "merge", "publish", "decide", "auto", "limits", "trust")


@pytest.fixture
def known(api: Api, settings: Settings) -> Api:
    """An API that makes a token that only proposes."""
    until = datetime.now(UTC) + timedelta(days=80)
    api.answers["GET /v1/me"] = (200, {**ME, "expires_at": until.isoformat()})
    api.answers["POST /v1/tokens"] = (201, {"token": TOKEN, "details": {}})
    api.answers["POST /v1/threads"] = (201, {"thread_id": "thread-via-a", "message": "opened"})
    api.answers["GET /v1/threads"] = (200, {"threads": [], "next": None})
    said = {"message": "queued", "data": {}}
    api.answers["POST /v1/threads/thread-a/messages"] = (200, said)
    return api


@asynccontextmanager
async def served(folder: str = "/tmp") -> AsyncIterator[Client]:  # noqa: S108  (nothing is there)
    made = await asyncio.to_thread(credentials.proposing)
    async with Client(McpServer(made, folder).server) as client:
        yield client


async def called(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    content = result.content[0]
    assert isinstance(content, TextContent)
    return content.text if result.is_error else result.structured_content


def sent(api: Api, line: str) -> list[dict[str, Any]]:
    return [body for name, _, body in api.got if name == line]


def test_no_tool_decides() -> None:
    names = [tool.name for tool in TOOLS]
    assert len(set(names)) == len(names)
    assert not [name for name in names if any(word in name for word in DECIDING)]
    writing = {tool.name for tool in TOOLS if not tool.is_reading}
    assert writing == {"propose_thread", "queue_thread", "send_message", "comment_on_line"}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_says_what_it_takes_and_gives(tool: Any) -> None:
    listed = shown(tool)
    assert listed.input_schema["type"] == "object"
    assert listed.input_schema["additionalProperties"] is False
    assert listed.output_schema is not None
    assert listed.output_schema["type"] == "object"
    assert listed.annotations is not None
    assert listed.annotations.destructive_hint is False
    assert (tool.act is None) != (tool.act_long is None)


async def test_it_acts_with_a_token_of_its_own_and_names_its_client(known: Api) -> None:
    async with served() as client:
        opened = await called(client, "propose_thread", goal="Add a flag", repository="/repo")
    assert opened["thread"] == "thread-via-a"
    assert opened["opened_by"] == "ann via MCP (an editor)"
    by = {line: headers for line, headers, _ in known.got}
    assert by["POST /v1/tokens"]["Authorization"] == "Bearer secret"
    assert by["POST /v1/threads"]["Authorization"] == f"Bearer {TOKEN}"
    assert by["POST /v1/threads"]["X-Treadle-Client"]
    assert sent(known, "POST /v1/tokens")[0]["scope"] == "proposer"
    [body] = sent(known, "POST /v1/threads")
    assert body["command_id"].startswith("mcp-")
    assert {**body, "command_id": ""} == {
        "command_id": "",
        "repository": "/repo",
        "goal": "Add a flag",
        "is_planned": True,
    }


async def test_a_repeated_call_is_one_command(known: Api) -> None:
    async with served() as client:
        for goal in ("a", "a", "b"):
            await called(client, "propose_thread", goal=goal, repository="/repo")
        for text in ("x", "y"):
            await called(client, "send_message", thread="thread-a", text=text, idempotency_key="k")
    first, again, other = [body["command_id"] for body in sent(known, "POST /v1/threads")]
    assert first == again != other
    one, two = sent(known, "POST /v1/threads/thread-a/messages")
    assert one["command_id"] == two["command_id"], "the API refuses another text with the same key"


def test_a_call_is_a_new_one_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    repeats, said = proposals.Repeats(), Message(thread="a", text="go on")
    now = 1000.0
    monkeypatch.setattr("cli.mcp.proposals.time.monotonic", lambda: now)
    first = repeats.id_of("r", "say", said, None)
    now += proposals.AGAIN_SECONDS
    assert repeats.id_of("r", "say", said, None) == first
    now += 1
    assert repeats.id_of("r", "say", said, None) != first
    assert repeats.id_of("r", "say", said, "k") == proposals.Repeats().id_of("r", "say", said, "k")
    assert repeats.id_of("s", "say", said, "k") != repeats.id_of("r", "say", said, "k")


async def test_a_refusal_is_its_type_and_a_sentence(known: Api) -> None:
    problem = {"type": "treadle:only_proposes", "title": "x", "detail": "a person does this"}
    known.answers["POST /v1/threads"] = (403, problem)
    known.answers["GET /v1/queue"] = (500, "<html>Traceback (most recent call last)")
    async with served() as client:
        refused = await called(client, "propose_thread", goal="a", repository="/repo")
        broken = await called(client, "get_queue")
        odd = await called(client, "list_threads", words="x" * 1000)
    assert refused == "only_proposes: a person does this"
    assert broken.partition(":")[0] == "refused"
    assert odd.startswith("invalid: the arguments of list_threads do not fit: words: ")
    assert "xxxx" not in odd


async def test_what_the_api_sends_that_nobody_expects_is_an_error_without_its_inside(
    known: Api, caplog: pytest.LogCaptureFixture
) -> None:
    known.answers["GET /v1/queue"] = (200, {"entries": [{"entry": 1}]})
    async with served() as client:
        answer = await called(client, "get_queue")
    assert answer == "internal: this failed here; the log says why"
    assert caplog.records


async def test_no_secret_is_given(known: Api) -> None:
    key = "sk-ant-api03-" + "aB3-" * 10
    row = {"thread_id": "thread-a", "title": f"use {key}", "goal": "", "status": "chat"}
    row |= {"shown_status": "chat", "project": "/p", "waiting_for": "", "opened_by": ""}
    known.answers["GET /v1/threads"] = (200, {"threads": [row], "next": None})
    async with served() as client:
        result = await client.call_tool("list_threads", {})
    assert key not in result.model_dump_json()
    assert "[redacted" in result.model_dump_json()
    assert clean({"a": [key, 1, None]})["a"][1:] == [1, None]


def test_the_token_is_kept_for_its_owner_alone(known: Api, settings: Settings) -> None:
    made = credentials.proposing()
    file = settings.data_dir / "mcp-token"
    assert made.file == file
    assert file.read_text() == f"{TOKEN}\n"
    assert file.stat().st_mode & 0o777 == 0o600
    credentials.proposing()
    assert len(sent(known, "POST /v1/tokens")) == 1
    assert [each.name for each in settings.data_dir.iterdir() if "mcp" in each.name] == [
        "mcp-token"
    ]


@pytest.mark.parametrize("name", ["token_expired", "token_wrong"])
def test_a_token_that_is_over_is_made_again(known: Api, settings: Settings, name: str) -> None:
    (settings.data_dir / "mcp-token").write_text("trdl_old\n")
    refusal = {"type": f"treadle:{name}", "title": "x", "detail": "over"}
    known.answers["GET /v1/me"] = (401, refusal)
    assert credentials.proposing().token == TOKEN


def test_a_token_that_a_person_revoked_is_not(known: Api, settings: Settings) -> None:
    (settings.data_dir / "mcp-token").write_text("trdl_old\n")
    refusal = {"type": "treadle:token_revoked", "title": "x", "detail": "revoked"}
    known.answers["GET /v1/me"] = (401, refusal)
    with pytest.raises(CommandError, match="was revoked"):
        credentials.proposing()
    assert not sent(known, "POST /v1/tokens")


def test_a_token_that_does_more_is_not_used(known: Api, settings: Settings) -> None:
    (settings.data_dir / "mcp-token").write_text("trdl_admin\n")
    known.answers["GET /v1/me"] = (200, {**ME, "scope": "admin", "expires_at": None})
    with pytest.raises(CommandError, match="can do more than propose"):
        credentials.proposing()


def test_one_in_the_environment_is_used_as_it_is(
    known: Api, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREADLE_URL", settings.api_url)
    monkeypatch.setenv("TREADLE_TOKEN", "trdl_given")
    made = credentials.proposing()
    assert (made.token, made.file) == ("trdl_given", None)
    assert not sent(known, "POST /v1/tokens")


def test_a_text_is_read_in_pieces_that_end_with_a_line() -> None:
    text = "".join(f"line {number}\n" for number in range(1000))
    read, offset = "", 0
    while True:
        part = part_of(text, offset, 500)
        assert len(part.text) <= 500
        assert part.text.endswith("\n")
        read += part.text
        if part.next is None:
            break
        offset = part.next
    assert read == text
    assert part_of("x" * 2000, 0, 500).next == 500
    assert part_of("", 0, 500).next is None


def test_the_page_of_the_tools_is_as_the_code_is() -> None:
    text = Path("docs/reference/mcp.md").read_text()
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")][: len(TOOLS)] == [
        tool.name for tool in TOOLS
    ]


async def test_a_thread_that_is_not_there_is_not_found_by_any_tool(known: Api) -> None:
    del known
    async with served() as client:
        said = await called(client, "get_thread", thread="nonsense")
    assert said == "not_found: no thread matches 'nonsense'; list them with list_threads"


async def test_a_plan_that_waits_is_read_with_its_tasks(api: Api, known: Api) -> None:
    del known
    api.answers["GET /v1/threads"] = (200, {"threads": [{"stream": THREAD}], "next": None})
    shown_thread(api, VIEW)
    async with served() as client:
        said = await called(client, "get_thread", thread=THREAD)
        shown_thread(api, VIEW.model_copy(update={"requests": ()}))
        running = await called(client, "get_thread", thread=THREAD)
    first, second = PLAN.tasks
    assert said["plan"].startswith("Revision 1 (waits for approval): ")
    assert f"- {first.id}: {first.title}" in said["plan"]
    assert f"- {second.id} (after {first.id}): " in said["plan"]
    assert first.title not in running["plan"]
