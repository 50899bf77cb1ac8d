"""Agents that speak the protocol in a way of their own, which can be understood."""

import sys
from pathlib import Path

import pytest

from domain.core.errors import LoginNeededError
from tests.adapters.agent_lab import open_lab

ODD_AGENT = str(Path(__file__).with_name("odd_agent.py"))


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        yield lab


@pytest.fixture
def run(lab):
    async def run(*odd, **profile):
        lab.profile("odd", {"command": [sys.executable, ODD_AGENT, *odd], **profile})
        runner = lab.new_runner(tools_listed=0.1)
        answer, record = await lab.run(agent="odd", runner=runner)
        return answer.text, record

    return run


@pytest.mark.parametrize(
    "odd", [("bom",), ("crlf",), ("texts",), ("login", "keys"), ("login", "named")]
)
async def test_it_is_understood(run, odd):
    text, record = await run(*odd)

    assert (text, record.notices()) == ("Hello.", [])


async def test_it_logs_in_the_way_that_its_profile_names(run):
    text, _ = await run("login", login={"method": "of-its-own"})
    assert text == "Hello."


async def test_it_logs_in_before_an_earlier_session_is_loaded(lab, run):
    lab.agent_session = "s"
    _, record = await run("login", "named", "load")

    assert record.opened().is_resumed


async def test_a_login_that_needs_a_person_is_reported_and_never_begun(run):
    with pytest.raises(LoginNeededError, match=r"it offers: In the browser"):
        await run("login")
