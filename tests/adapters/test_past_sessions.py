"""Agents are asked for the sessions that they have of a repository, and for what was said in one."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from adapters.acp.launch import Launch
from adapters.acp.past_sessions import AgentPastSessions, _pages, _Talk
from adapters.files.agent_profiles import AgentFiles
from adapters.processes.spawner import Spawner
from domain.agents.agents import SessionRole
from domain.agents.past_sessions import MAX_LISTED
from domain.core.errors import AgentError, NotFoundError
from tests.adapters.agent_lab import AGENT, Recorder, open_lab

SAYS = [{"say": "Hello yourself."}]


@pytest.fixture
async def lab(tmp_path: Path):
    async with open_lab(tmp_path) as lab:
        lab.profile(
            "mine",
            {
                "name": "mine",
                "title": "Mine",
                "command": ["${treadle}"],
                "set_environment": {"TREADLE_SCRIPTED_STATE": str(tmp_path / "sessions")},
            },
        )
        yield lab


@pytest.fixture
def past(lab):

    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    launch = Launch(lab.folder / "data", lambda _names: {}, (sys.executable, AGENT))
    return AgentPastSessions(Spawner(lab.folder / "asked", environment), launch)


def profile_of(lab):
    return AgentFiles(lab.folder / "config").profile("mine")


async def begun(lab) -> str:
    """Have a session be begun in the worktree; returns the agent's own id of it."""
    record = Recorder()
    await lab.run("Hello there", agent="mine", role=SessionRole.CHAT, record=record)
    return record.opened().agent_session


async def test_sessions_of_a_folder_are_listed_and_what_was_said_is_told(lab, past):
    lab.scenario(*SAYS, can={"list": True})
    session = await begun(lab)
    turn = lab.call(role=SessionRole.REVIEWER, agent="mine").turn
    listed = await past.listed(profile_of(lab), turn, str(lab.cwd))
    recalled = await past.recalled(profile_of(lab), turn, str(lab.cwd), session)

    assert [(each.session_id, each.cwd) for each in listed] == [(session, str(lab.cwd))]
    assert recalled.note == ""
    assert [each.is_person for each in recalled.talk] == [True, False]
    assert "Hello there" in recalled.talk[0].text
    assert recalled.talk[1].text.endswith("Hello yourself.")


async def test_a_session_of_another_folder_is_not_told(lab, past):
    lab.scenario(*SAYS, can={"list": True})
    session = await begun(lab)
    turn = lab.call(role=SessionRole.REVIEWER, agent="mine").turn
    (lab.folder / "other").mkdir()
    (lab.cwd / ".treadle").rename(lab.folder / "other/.treadle")
    assert await past.listed(profile_of(lab), turn, str(lab.folder / "other")) == ()
    with pytest.raises(NotFoundError, match="lists no session"):
        await past.recalled(profile_of(lab), turn, str(lab.folder / "other"), session)


async def test_an_agent_that_lists_none_says_so(lab, past):
    lab.scenario(*SAYS)
    session = await begun(lab)
    turn = lab.call(role=SessionRole.REVIEWER, agent="mine").turn
    with pytest.raises(AgentError, match="can't list its sessions"):
        await past.recalled(profile_of(lab), turn, str(lab.cwd), session)


async def test_one_that_does_not_load_is_noted(lab, past):
    lab.scenario(*SAYS, can={"list": True, "load": False})
    session = await begun(lab)
    turn = lab.call(role=SessionRole.REVIEWER, agent="mine").turn
    recalled = await past.recalled(profile_of(lab), turn, str(lab.cwd), session)
    assert recalled.talk == ()
    assert "does not return" in recalled.note


class Pages:
    """An agent that lists the sessions of all folders, a page at a time, and repeats some."""

    def __init__(self, *pages: list[dict[str, str]]) -> None:
        self._pages = pages

    async def request(self, _method: str, params: dict[str, str], _seconds: float):
        number = int(params.get("cursor", "0"))
        more = number + 1 < len(self._pages)
        return {"sessions": self._pages[number], "nextCursor": str(number + 1) if more else ""}


async def test_those_of_a_repository_are_found_behind_all_others():
    others = [{"sessionId": f"other-{n}", "cwd": "/other"} for n in range(2 * MAX_LISTED)]
    mine = {"sessionId": "mine", "cwd": "/repo", "title": "first"}
    again = {**mine, "title": "again"}
    wire: Any = Pages(others, [mine], [again, {"sessionId": "", "cwd": "/repo"}])
    found = await _pages(wire, "/repo")
    assert [(each.session_id, each.title) for each in found] == [("mine", "first")]


async def test_no_more_are_listed_than_the_limit():
    wire: Any = Pages([{"sessionId": f"s-{n}", "cwd": "/repo"} for n in range(10_000)])
    assert len(await _pages(wire, "/repo")) == MAX_LISTED


async def test_a_folder_is_the_same_however_an_agent_writes_it(tmp_path: Path):
    repository, other = tmp_path / "repo", tmp_path / "other"
    for folder in (repository, other, repository / "inner"):
        folder.mkdir()
    (tmp_path / "link").symlink_to(repository)
    mine = [f"{repository}/", f"{tmp_path}//repo/.", str(tmp_path / "link"), ""]
    others = [str(other), str(repository / "inner"), "repo", ".", "/\0", f"{repository}-2"]
    wire: Any = Pages([{"sessionId": cwd or "-", "cwd": cwd} for cwd in mine + others])
    found = await _pages(wire, str(repository))
    assert [each.cwd for each in found] == mine


def test_a_long_talk_is_put_together_once():
    """So many pieces of one message took hours where each was added to all before it."""
    talk, piece = _Talk(), "x" * 200
    content = {"type": "text", "text": piece}
    update = {"sessionUpdate": "agent_message_chunk", "content": content}
    for _ in range(100_000):
        talk.hear({"update": update})
    talk.hear({"update": {"sessionUpdate": "user_message_chunk", "content": {"type": "image"}}})
    agent, person = talk.whole()
    assert (agent.is_person, len(agent.text)) == (False, 20_000_000)
    assert (person.is_person, person.text) == (True, "[image]")
