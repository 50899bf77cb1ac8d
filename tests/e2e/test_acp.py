"""An editor that speaks ACP drives threads: to the merge, and across kills."""

import asyncio
import base64
from pathlib import Path

import acp
import pytest
from acp import schema

from tests.e2e.acp_editor import SCENARIO, Editor, opened, threads, view
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

PIXEL = b"\x89PNG\r\n\x1a\n" + b"\0" * 40


@pytest.fixture
def repository(job: Job) -> Path:
    return make_repository(job.repository.parent / "editor", SCENARIO)


@pytest.mark.smoke
async def test_a_conversation_is_a_thread(engine: Engine, job: Job, repository: Path):
    async with opened(engine, "--agent", "scripted") as desk:
        session = await desk.new(repository)
        first = await desk.say(session, "Good morning")
        second = await desk.say(session, "Please write it")
        listed = (await desk.agent.list_sessions(cwd=str(repository))).sessions
    calls = [u for u in desk.editor.updates if u.session_update == "tool_call"]

    assert (first, second) == ("end_turn", "end_turn")
    assert "Hello." in desk.editor.text()
    assert "It is there." in desk.editor.text()
    assert desk.editor.text("agent_thought_chunk") == "A file."
    assert desk.editor.text("user_message_chunk") == ""  # the editor shows its own words itself
    assert any(location.path.endswith("/hello.txt") for c in calls for location in c.locations)
    assert [each.title for each in listed] == ["Good morning"]


async def test_a_thread_goes_from_a_prompt_to_the_merge_across_a_kill(engine: Engine, job: Job):
    """Approving the plan, killed while a gate waits; loaded again, the gate and the merge are approved."""

    def leave_gates_open(title: str) -> str | None:
        return "approve" if "plan" in title else None

    async with opened(engine, "--approve", "--plan", editor=Editor(leave_gates_open)) as desk:
        session = await desk.new(job.repository)
        await desk.agent.set_config_option(session_id=session, config_id="agent", value="scripted")
        stopped = await desk.say(session, "Write left and right")
        first = desk.editor
        await desk.kill()
    async with opened(engine, "--approve", editor=Editor()) as desk:
        await desk.agent.load_session(cwd=str(job.repository), session_id=session)
        again = desk.editor
        replayed = again.text("user_message_chunk")
        finished = await desk.say(session, "/inbox")
        merged = await desk.say(session, "/merge")
    plan, gate = first.asked[0], first.asked[-1]
    entries = [(e.content, e.status) for e in again.last("plan").entries]
    files = git(job.repository, "ls-tree", "--name-only", "main").split()

    assert (stopped, finished, merged) == ("end_turn",) * 3
    assert "Write left and right" in plan.tool_call.content[0].content.text
    assert "grep -q left left.txt" in plan.tool_call.content[0].content.text
    assert [c.new_text for c in gate.tool_call.content if c.type == "diff"] == ["left\n"]
    assert "treadle approve" in first.text()
    assert replayed == "Write left and right"
    assert entries == [(t, "completed") for t in ("Write left", "Write right", "Join them")]
    assert {"left.txt", "right.txt", "both.txt"} <= set(files)


async def test_killed_in_the_middle_of_a_turn_the_thread_goes_on(
    engine: Engine, job: Job, repository: Path
):
    async with opened(engine, "--agent", "scripted", "--plan", "--approve") as desk:
        session = await desk.new(repository)
        saying = asyncio.create_task(desk.say(session, "Do it"))
        await desk.editor.until(lambda e: e.asked)
        await desk.kill()
        with pytest.raises(ConnectionError):
            await saying
    async with opened(engine, "--approve") as desk:
        await desk.agent.resume_session(cwd=str(repository), session_id=session)
        await desk.say(session, "/inbox")
        state = await view(job, repository)

    assert state["status"] == "completed"
    assert desk.editor.text("user_message_chunk") == ""


async def test_a_cancel_stops_the_agent_and_the_conversation_goes_on(
    engine: Engine, job: Job, repository: Path
):
    async with opened(engine, "--agent", "scripted") as desk:
        session = await desk.new(repository)
        await desk.say(session, "Hi")
        saying = asyncio.create_task(desk.say(session, "forever"))
        await wait_for_work(job, repository)
        await desk.agent.cancel(session_id=session)
        stopped = await saying
        after = await desk.say(session, "Hello again")
        state = await view(job, repository)

    assert (stopped, after) == ("cancelled", "end_turn")
    assert not state["sessions"][0]["is_working"]
    assert desk.editor.text().count("Hello.") == 2


async def wait_for_work(job: Job, repository: Path) -> None:
    (row,) = await threads(job, repository)
    job.thread = row["stream"]
    await job.seen("turn_started", "session-1", number=2)


async def test_files_images_and_long_prompts_reach_the_agent(
    engine: Engine, job: Job, repository: Path
):
    long = "x" * 30_000
    image = acp.image_block(base64.b64encode(PIXEL).decode(), "image/png")
    link = acp.resource_link_block("README.md", (repository / "README.md").as_uri())
    file = acp.resource_block(
        acp.embedded_text_resource((repository / "a.py").as_uri(), "print('unsaved')\n")
    )
    async with opened(engine, "--agent", "scripted") as desk:
        session = await desk.new(repository)
        await desk.say(session, "Look at", link, file, image)
        await desk.say(session, long)
        other = await desk.new(repository)
        await desk.say(other, long)
        rows = await threads(job, repository)
    for row in rows:
        job.thread, job.events = row["stream"], []
        await job.seen("turn_ended", "session-1")
    said = [j.event.body for j in job.events if j.event.body.kind == "message_queued"]

    assert len(rows) == 2
    assert "@README.md" in said[0].prompt.fields["text"]
    assert "print('unsaved')" in said[0].prompt.fields["text"]
    assert [a.mime_type for a in said[0].prompt.attachments] == ["image/png"]


async def test_two_editors_share_a_thread(engine: Engine, job: Job, repository: Path):
    async with opened(engine, "--agent", "scripted") as one, opened(engine) as other:
        session = await one.new(repository)
        await one.say(session, "Good morning")
        (row,) = await threads(job, repository)
        await other.agent.load_session(cwd=str(repository), session_id=row["stream"])
        await one.say(session, "Please write it")
        await other.editor.until(lambda e: "It is there." in e.text())
        await other.say(row["stream"], "And hello")
        await one.editor.until(lambda e: e.text("user_message_chunk"))

    assert other.editor.text("user_message_chunk") == "Good morningPlease write it"
    assert one.editor.text("user_message_chunk") == "And hello"


async def test_an_engine_that_is_down_is_said_and_one_that_comes_back_goes_on(
    engine: Engine, job: Job, repository: Path
):
    async with opened(engine, "--agent", "scripted") as desk:
        session = await desk.new(repository)
        await desk.say(session, "Good morning")
        engine.kill("api")
        with pytest.raises(acp.RequestError, match="treadle up"):
            await desk.new(repository)
        await engine.repair()
        stopped = await desk.say(session, "Please write it")

    assert stopped == "end_turn"
    assert "It is there." in desk.editor.text()


async def test_servers_of_the_editor_are_told_to_be_left_out(
    engine: Engine, job: Job, repository: Path
):
    server = schema.McpServerStdio(name="mine", command="/bin/true", args=[], env=[])
    async with opened(engine, "--agent", "scripted") as desk:
        made = await desk.agent.new_session(cwd=str(repository), mcp_servers=[server])
        await desk.say(made.session_id, "Hi")

    assert "the editor's MCP servers (mine)" in desk.editor.text()
