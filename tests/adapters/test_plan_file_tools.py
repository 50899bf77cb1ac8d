"""The tools of plan files, called over real HTTP; the thread behind the door is played."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from adapters.files.plan_files import PlanFileFolders
from adapters.tools.grants import Grant
from adapters.tools.host import Host
from adapters.tools.plan_file_access import PlanFileAccess
from adapters.tools.server import ToolServer
from domain.agents.agents import SessionRole
from domain.core.command import Answer
from domain.threads.plan_files.edits import PlanFileEdit
from domain.threads.plan_files.files import MAX_BYTES, PlanFile
from tests.activities.test_turns import TURN
from tests.adapters.tool_lab import THREAD, calling, text
from tests.fakes import MemoryJournal

NOW = datetime(2026, 1, 16, 2, 17, tzinfo=UTC)
ALL = {
    *("init_plan", "read_plan", "write_plan", "update_plan", "clear_plan", "list_plans"),
    "export_plan",
}


class OneWriter:
    """A thread that makes every change at once; told when two are on their way to it."""

    def __init__(self, store, journal):
        self.store = store
        self.journal = journal
        self.sent = []
        self.open = self.most = 0

    async def send(self, workflow_id, command):
        self.sent.append((workflow_id, command))
        self.open += 1
        self.most = max(self.most, self.open)
        fields = command.model_dump(include={*PlanFileEdit.model_fields} - {"content"})
        content = await self.journal.text(command.content_ref) or ""
        try:
            edit = PlanFileEdit(at=NOW, content=content, **fields)
            return Answer(message=(await self.store.edit(workflow_id, edit)).message)
        finally:
            self.open -= 1


class Agent:
    """An agent of a thread in a running turn."""

    def __init__(self, server, grant, folder):
        self.server = server
        self.grant = grant
        self.folder = folder

    async def call(self, tool, **arguments):
        async with calling(self.server, self.grant.token) as client:
            return text(await client.call_tool(tool, arguments))

    async def tools(self):
        async with calling(self.server, self.grant.token) as client:
            return {tool.name for tool in (await client.list_tools()).tools}


@pytest.fixture
async def server(tmp_path):
    (tmp_path / "data").mkdir()
    journal = MemoryJournal()
    store = PlanFileFolders(tmp_path / "data")
    door = OneWriter(store, journal)
    async with ToolServer(door, call_limit_seconds=60) as server:
        server.host = Host(None, None, door, PlanFileAccess(store, journal, door))
        yield server


@asynccontextmanager
async def working(server, folder, role=SessionRole.CHAT, **more):
    folder.mkdir(exist_ok=True)
    grant = Grant(TURN.session_id, THREAD, THREAD, role, **{"has_plan_files": True, **more})
    server.admit(grant)
    grant.begin(TURN, folder)
    yield Agent(server, grant, folder)
    await grant.end()


@pytest.fixture
async def agent(server, tmp_path):
    async with working(server, tmp_path / "checkout") as agent:
        yield agent


async def test_an_agent_keeps_its_plan_by_the_tools(agent):
    begun = await agent.call("init_plan", task_title="Add a flag")
    again = await agent.call("init_plan", task_title="Something else")
    await agent.call("update_plan", which="task_plan", section="Goal", content="A flag.")
    await agent.call("write_plan", which="findings", content="# Found\n\n`cli.py` parses.\n")

    assert begun.startswith("A new plan is made from templates.\n\n# Task plan: Add a flag\n")
    assert "stays as it is" in again
    assert "# Task plan: Add a flag" in again
    assert "## Goal\n\nA flag.\n" in await agent.call("read_plan")
    assert await agent.call("read_plan", which="findings") == "# Found\n\n`cli.py` parses.\n"
    assert list(agent.folder.iterdir()) == []

    await agent.call("init_plan", task_title="Next", force_new=True)
    listed = (await agent.call("list_plans")).splitlines()
    assert [line.split(" (")[0] for line in listed] == [
        "- current: Task plan: Next",
        "- plan-20260116-0217: Task plan: Add a flag",
    ]
    archived = await agent.call("read_plan", which="task_plan", archive="plan-20260116-0217")
    assert "A flag." in archived


@pytest.mark.parametrize(
    ("role", "offered"),
    [
        (SessionRole.CHAT, ALL),
        (SessionRole.TASK, ALL),
        (SessionRole.PLANNER, ALL - {"export_plan"}),
        (SessionRole.TASK_PLANNER, ALL - {"export_plan"}),
        (SessionRole.REVIEWER, set()),
        (SessionRole.CODE_REVIEWER, set()),
    ],
)
async def test_the_tools_are_offered_by_role_and_only_where_there_are_plan_files(
    server, tmp_path, role, offered
):
    async with working(server, tmp_path / "checkout", role) as agent:
        assert await agent.tools() & ALL == offered
    async with working(server, tmp_path / "checkout", role, has_plan_files=False) as agent:
        assert await agent.tools() & ALL == set()
        assert "there is no tool 'init_plan'" in await agent.call("init_plan", task_title="x")


@pytest.mark.parametrize("tool", ["read_plan", "write_plan", "update_plan"])
async def test_no_other_file_has_a_name(agent, tool):
    more = {"read_plan": {}, "write_plan": {"content": "x"}}
    given = more.get(tool, {"content": "x", "section": "A"})
    for which in ("../findings", "TASK_PLAN", "archive/x", "findings.md", ""):
        told = await agent.call(tool, which=which, **given)

        assert told.startswith("unknown_file: ")
        assert told.endswith("there are: task_plan, findings, progress")


async def test_files_are_cleared_only_by_a_plain_true(agent):
    await agent.call("init_plan", task_title="x")

    for confirm in (False, "true", 1, None, ["true"], {}):
        assert (await agent.call("clear_plan", confirm=confirm)).startswith("confirm_needed: ")
    assert (await agent.call("clear_plan")).startswith("confirm_needed: ")
    assert "# Task plan: x" in await agent.call("read_plan")
    assert "archived ones stay" in await agent.call("clear_plan", confirm=True)
    assert (await agent.call("read_plan")).startswith("no_plan: ")


REFUSED = (
    ("write_plan", {"which": "progress", "content": "x" * (MAX_BYTES + 1)}, "too_large: "),
    ("write_plan", {"which": "progress", "content": "x" * (5 << 20)}, "invalid: the arguments"),
    ("write_plan", {"which": "progress", "content": "a\0"}, "bad_unicode: "),
    ("update_plan", {"which": "findings", "section": "no", "content": ""}, "section_not_found"),
    ("update_plan", {"which": "findings", "section": ".*", "content": ""}, "section_not_found"),
    ("update_plan", {"which": "findings", "section": "x" * 301, "content": ""}, "invalid: "),
    ("init_plan", {"task_title": " \n "}, "invalid: "),
    ("init_plan", {"task_title": "x", "force_new": "yes"}, "invalid: "),
    ("read_plan", {"archive": "../../thread-y/plan"}, "no_plan: "),
    ("export_plan", {"destination": "../out"}, "invalid: "),
    ("export_plan", {"destination": "/out"}, "invalid: "),
    ("export_plan", {"destination": ".git/hooks"}, "invalid: "),
    ("export_plan", {"destination": ".claude"}, "invalid: "),
)


async def test_what_does_not_fit_is_refused_and_changes_nothing(agent):
    await agent.call("init_plan", task_title="x")
    before = await agent.call("list_plans")

    for tool, arguments, words in REFUSED:
        assert (await agent.call(tool, **arguments)).startswith(words)
    assert await agent.call("list_plans") == before
    assert not any(agent.folder.rglob("*.md"))


async def test_a_plan_is_exported_whole_or_not_at_all(agent):
    assert (await agent.call("export_plan", destination="docs")).startswith("no_plan: ")
    await agent.call("init_plan", task_title="x")
    (agent.folder / "docs").mkdir()
    (agent.folder / "docs/progress.md").write_text("theirs")

    refused = await agent.call("export_plan", destination="docs")
    done = await agent.call("export_plan", destination="docs/plan/")

    assert "'docs/progress.md' is there already" in refused
    assert [path.name for path in (agent.folder / "docs").glob("*.md")] == ["progress.md"]
    assert (agent.folder / "docs/progress.md").read_text() == "theirs"
    exported = {path.name for path in (agent.folder / "docs/plan").iterdir()}
    assert exported == {which.file_name for which in PlanFile}
    assert "docs/plan/task_plan.md" in done


async def test_a_link_in_a_checkout_does_not_lead_an_export_out(agent, tmp_path):
    await agent.call("init_plan", task_title="x")
    (agent.folder / "out").symlink_to(tmp_path / "data")

    assert (await agent.call("export_plan", destination="out")).startswith("invalid: ")
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["users"]


async def test_calls_at_the_same_time_go_to_the_thread_one_by_one(agent, server):
    await agent.call("write_plan", which="progress", content="# A\n\n# B\n\n# C\n")

    await asyncio.gather(
        *(
            agent.call("update_plan", which="progress", section=name, content=f"{name} done")
            for name in "ABC"
        )
    )

    text_now = await agent.call("read_plan", which="progress")
    assert [f"{name} done" in text_now for name in "ABC"] == [True] * 3
    door = server.host.door
    assert door.most == 1
    assert {workflow for workflow, _ in door.sent} == {THREAD}
    assert len({command.command_id for _, command in door.sent}) == len(door.sent)


async def test_a_write_tells_which_text_its_session_has_read(agent, server):
    await agent.call("write_plan", which="progress", content="one")
    await agent.call("read_plan", which="progress")
    await agent.call("read_plan", which="findings")
    await agent.call("write_plan", which="progress", content="two")

    journal = server.host.plan_files.journal
    sent = [command for _, command in server.host.door.sent]
    assert [await journal.text(command.known_ref) for command in sent] == [None, "one"]


async def test_the_same_call_again_in_a_turn_is_made_again(agent):
    for content in ("one", "two", "one"):
        await agent.call("write_plan", which="progress", content=content)

    assert await agent.call("read_plan", which="progress") == "one"
