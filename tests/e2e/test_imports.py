"""A session that a person began with an agent elsewhere goes on as a thread, once."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import acp
import pytest
import yaml

from adapters.acp.launch import this_installation
from domain.core.ids import ThreadId
from tests.e2e.acp_editor import Editor
from tests.e2e.engine import Engine
from tests.e2e.job import Job, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

SCENARIO: dict[str, Any] = {
    "name": "imports",
    "can": {"list": True},
    "rules": [
        {"when": {"text": "Hello there"}, "steps": [{"say": "Hello yourself."}]},
        {"when": {"text": "go on"}, "steps": [{"say": "I go on."}]},
        {"steps": [{"say": "Yes."}]},
    ],
}


@pytest.fixture
def sessions(engine: Engine) -> Path:
    """The folder in which an agent of the person keeps its sessions, as `mine` and outside of Treadle."""
    folder = engine.outside / "sessions-of-mine"
    profile = {
        "name": "mine",
        "title": "My agent",
        "command": ["${treadle}", "scripted-agent"],
        "set_environment": {"TREADLE_SCRIPTED_STATE": str(folder)},
        "plan_mode": "plan",
        "work_mode": "build",
        "is_scripted": True,
    }
    file = engine.config / "agents" / "mine.yaml"
    file.write_text(yaml.safe_dump(profile))
    return folder


@pytest.fixture
def repository(job: Job) -> Path:
    return make_repository(job.repository.parent / "imports", SCENARIO)


@asynccontextmanager
async def agent_of(sessions: Path, repository: Path) -> AsyncIterator[Any]:
    """Run the agent as another client of it does."""
    program, *arguments = this_installation()
    environment = {**os.environ, "TREADLE_SCRIPTED_STATE": str(sessions)}
    async with acp.spawn_agent_process(
        Editor(), program, *arguments, "scripted-agent", env=environment, cwd=repository
    ) as (connection, _):
        await connection.initialize(protocol_version=1)
        yield connection


async def begun_elsewhere(sessions: Path, repository: Path, words: str) -> str:
    async with agent_of(sessions, repository) as agent:
        made = await agent.new_session(cwd=str(repository), mcp_servers=[])
        await agent.prompt(session_id=made.session_id, prompt=[acp.text_block(words)])
    return made.session_id


async def test_a_session_goes_on_as_a_thread_and_is_imported_once(
    engine: Engine, job: Job, sessions: Path, repository: Path
):
    session = await begun_elsewhere(sessions, repository, "Hello there")
    (repository / "unsaved.txt").write_text("not committed\n")
    run = ("treadle", "import", "mine")
    listed = engine.run(*run, "--repo", str(repository))
    first = engine.run(*run, session, "Please go on", "--repo", str(repository), "--json")
    again = engine.run(*run, session, "And again", "--repo", str(repository), "--detach", "--json")
    threads = (await job.http.get(f"/v1/threads?project={repository}")).json()["threads"]
    job.thread = ThreadId(threads[0]["stream"])
    opened = await job.seen("thread_opened")
    resumed = await job.seen("agent_session_opened", "session-1")
    prompt = await job.seen("prompt_sent", "session-1")
    logs = engine.run("treadle", "logs", job.thread).stdout

    assert session in listed.stdout
    assert "Hello there" in listed.stdout
    assert "I go on." in first.stdout, first.stderr
    assert job.thread in again.stdout
    assert len(threads) == 1
    assert threads[0]["title"] == "Hello there"
    assert (opened.imported.agent_session, opened.imported.messages) == (session, 2)
    assert (resumed.agent_session, resumed.is_resumed) == (session, True)
    assert "goes on in another directory" in prompt.text
    assert str(repository) in prompt.text
    assert "Uncommitted changes there are not here" in prompt.text
    assert f"continuing session {session} (2 messages imported)" in logs
    assert "Hello yourself." in logs


async def test_only_sessions_of_the_repository_are_taken(
    engine: Engine, job: Job, sessions: Path, repository: Path
):
    """Who may work on one repository does not read by it what was said about another."""
    other = make_repository(job.repository.parent / "other", SCENARIO)
    session = await begun_elsewhere(sessions, other, "Hello there")
    body = {
        "command_id": "import-of-another",
        "repository": str(repository),
        "agent": "mine",
        "goal": "Tell me",
        "continues": {"agent_session": session},
    }
    refused = await job.http.post("/v1/threads", json=body)
    listed = engine.run("treadle", "import", "mine", "--repo", str(repository))
    there = {**body, "command_id": "import-there", "repository": str(other)}
    opened = await job.http.post("/v1/threads", json=there)

    assert refused.status_code == 404
    assert "lists no session" in refused.json()["detail"]
    assert opened.status_code == 201, "a refusal is not the session's answer for ever"
    assert "has no sessions" in listed.stderr


async def test_an_agent_without_a_list_says_so(
    engine: Engine, job: Job, sessions: Path, repository: Path
):
    plain = make_repository(job.repository.parent / "plain", {**SCENARIO, "can": {}})
    listed = engine.run("treadle", "import", "mine", "--repo", str(plain))

    assert listed.returncode == 1
    assert "can't list its sessions" in listed.stderr
