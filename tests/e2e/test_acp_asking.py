"""What a person at the editor is asked, and what nobody can answer there."""

import asyncio
from pathlib import Path

import acp
import pytest

from tests.e2e.acp_editor import SCENARIO, Editor, opened, threads, view
from tests.e2e.engine import Engine
from tests.e2e.job import Job, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


@pytest.fixture
def repository(job: Job) -> Path:
    return make_repository(job.repository.parent / "editor", SCENARIO)


async def test_without_the_option_nothing_is_approved_here(
    engine: Engine, job: Job, repository: Path
):
    """An agent that speaks for an editor finds no door: not by requests, not by the words of a message."""
    async with opened(engine, "--agent", "scripted", "--plan") as desk:
        session = await desk.new(repository)
        stopped = await desk.say(session, "Do it")
        refused = []
        for words in ("/plan auto on", "  /plan decide a b", "/plan turns 9", "/merge"):
            with pytest.raises(acp.RequestError) as error:
                await desk.say(session, words)
            refused.append(str(error.value))
        state = await view(job, repository)

    assert stopped == "end_turn"
    assert desk.editor.asked == []
    assert state["status"] == "waiting"
    assert f"treadle approve {state['thread_id']}" in desk.editor.text()
    assert all("--approve" in words or "merge" in words for words in refused)


async def test_a_rejection_takes_the_next_message_with_it(
    engine: Engine, job: Job, repository: Path
):
    editor = Editor(lambda _: "reject")
    async with opened(engine, "--agent", "scripted", "--plan", "--approve", editor=editor) as desk:
        session = await desk.new(repository)
        await desk.say(session, "Do it")
        editor.answer = lambda _: None
        await desk.say(session, "Make it better")
        state = await view(job, repository)
    (first, second) = (r.tool_call.content[0].content.text for r in editor.asked)

    assert "Plan 1" in first
    assert "Plan 2" in second
    assert [p["plan"]["goal"] for p in state["plans"]] == ["It", "Better"]
    assert state["requests"][0]["request"]["request_id"] == "plan-2"


async def test_a_permission_that_is_answered_elsewhere_is_withdrawn_here(
    engine: Engine, job: Job, repository: Path
):
    editor = Editor(lambda _: "wait")
    async with opened(engine, "--agent", "scripted", "--approve", editor=editor) as desk:
        session = await desk.new(repository)
        saying = asyncio.create_task(desk.say(session, "deploy it"))
        await editor.until(lambda e: e.asked)
        asked = editor.asked[0]
        (row,) = await threads(job, repository)
        allowed = engine.run("treadle", "allow", row["stream"])
        stopped = await saying
    ended = [
        u
        for u in editor.updates
        if u.session_update == "tool_call_update" and u.tool_call_id == asked.tool_call.tool_call_id
    ]

    assert allowed.returncode == 0, allowed.stderr
    assert stopped == "end_turn"
    assert "production" in asked.tool_call.content[0].content.text
    assert {o.kind for o in asked.options} >= {"allow_once", "allow_always", "reject_once"}
    assert "elsewhere" in ended[-1].content[0].content.text
    assert "It was allowed." in editor.text()


async def test_what_a_person_allows_for_the_session_is_not_asked_again(
    engine: Engine, job: Job, repository: Path
):
    editor = Editor()
    async with opened(engine, "--agent", "scripted", "--approve", editor=editor) as desk:
        session = await desk.new(repository)
        editor.answer = lambda _: next(
            o.option_id for o in editor.asked[-1].options if o.option_id.endswith("/session")
        )
        await desk.say(session, "deploy it")
        await desk.say(session, "deploy again")
        state = await view(job, repository)

    assert len(editor.asked) == 1
    assert [rule["by"].endswith("(in Test Editor)") or rule["by"] for rule in state["rules"]]
    assert editor.text().count("It was allowed.") == 2
