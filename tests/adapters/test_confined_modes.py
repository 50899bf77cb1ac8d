"""The mode of an agent that would confine its commands once more, in Treadle's sandbox and outside of it."""

import pytest

from adapters.acp.choices import Offers, wanted
from adapters.files.agent_profiles import AgentFiles
from domain.agents.agents import SessionRole
from tests.adapters.agent_lab import open_lab


@pytest.mark.parametrize(
    ("role", "is_confined", "asks", "mode"),
    [
        (SessionRole.TASK, True, False, "agent-full-access"),
        (SessionRole.TASK, False, False, "workspace-write"),
        (SessionRole.TASK, True, True, "workspace-write"),
        (SessionRole.PLANNER, True, False, "read-only"),
    ],
)
async def test_codex_is_confined_once(tmp_path, role, is_confined, asks, mode):
    codex = AgentFiles(tmp_path).profile("codex", "")

    async with open_lab(tmp_path) as lab:
        turn = lab.call(role=role).turn
    chosen = wanted(codex, turn, Offers({}), asks=asks, is_confined=is_confined)

    assert [(choice.name, choice.value) for choice in chosen] == [("mode", mode)]
