"""The page of agents tells what the matrix found, of the versions that are pinned."""

import pytest

from adapters.files.agent_profiles import AgentFiles
from domain.core.errors import UnknownAgentError
from tests.agents.contenders import CONTENDERS
from tests.agents.findings import read_rows, shown, table


def test_the_page_shows_what_was_found():
    assert shown() == table(read_rows()).strip()


@pytest.mark.parametrize("row", read_rows(), ids=lambda row: row.agent)
def test_what_was_found_is_of_the_pinned_version(row):
    pinned = {one.name: one.package for one in CONTENDERS}
    assert row.package == pinned.get(row.agent), f"run `make agents AGENT={row.agent}`"


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda one: one.name)
def test_what_is_tested_is_what_treadle_installs(contender):
    try:
        install = AgentFiles().profile(contender.name).install
    except UnknownAgentError:
        return  # a profile of the test's own
    if install is not None:
        assert contender.package.rpartition(" ")[2] == install.version
