"""The matrix: every agent of contenders.py through every scenario that playing.py lists.

`make test` runs those that are marked for CI, some through fewer scenarios, `make agents` all through all,
which also writes the table of docs/reference/agents.md anew; `make agents-newest` runs those that a registry
has at their newest versions, and writes no table: what is told there is of the versions that Treadle pins.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.agents import findings
from tests.agents.bench import Bench, open_bench
from tests.agents.contenders import CONTENDERS, Contender, NotHereError
from tests.agents.findings import Row
from tests.agents.installation import CACHE
from tests.agents.playing import play

pytestmark = [pytest.mark.agents, pytest.mark.timeout(1500)]  # the first run installs the agent


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda one: one.name)
async def test_agent_goes_through_the_matrix(
    contender: Contender, folder: Path, *, is_every_agent: bool, is_newest: bool
):
    if not (contender.is_in_ci or is_every_agent or is_newest):
        pytest.skip("`make agents` runs it")
    if is_newest:
        if not contender.is_installed_by_treadle:
            pytest.skip("its version is no profile's")
        contender = replace(contender, is_newest=True)
    is_whole = contender.is_whole_in_ci or is_every_agent or is_newest
    row = await found_of(contender, folder, is_whole=is_whole)
    if is_every_agent and not is_newest:
        findings.keep(row, [one.name for one in CONTENDERS])

    failed = {name: one.note for name, one in row.findings.items() if not one.is_passed}
    expected = contender.cannot.keys() & row.findings.keys()
    assert failed.keys() == expected, f"{failed}; {contender.cannot}"


async def found_of(contender: Contender, folder: Path, *, is_whole: bool) -> Row:
    try:
        contender.find_python()
    except NotHereError as error:
        return Row(agent=contender.name, package=contender.package, not_run=str(error))
    async with open_bench(contender, folder) as bench:
        try:
            return await play(bench, is_whole=is_whole)
        finally:
            write_log(bench)


def write_log(bench: Bench) -> None:
    """Keep what the model was asked, and what Treadle recorded, for whoever wants to know why."""
    events = [e.model_dump(mode="json") for chat in bench.conversations for e in chat.events]
    for name, told in (("steps", bench.model.log()), ("events", events)):
        (CACHE / f"{name}-{bench.contender.name}.json").write_text(json.dumps(told, indent=1))
