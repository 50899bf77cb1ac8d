"""The tier of `make chaos-upgrade` for every commit: a rolling upgrade with few people, and nothing refused."""

from pathlib import Path

import pytest

from tests.chaos.programs import any_seed
from tests.chaos.upgrades.__main__ import report
from tests.chaos.upgrades.run import Size, UpgradeRun

pytestmark = pytest.mark.e2e


@pytest.mark.timeout(400)  # a hundred seconds of the processor
async def test_a_rolling_upgrade_refuses_loses_and_doubles_nothing(tmp_path: Path) -> None:
    seed = any_seed()
    outcome = await UpgradeRun(tmp_path, seed, Size(2, 1, 1)).run()
    told = "\n".join(report(outcome))
    assert not outcome.violations, f"{told}\nagain: make chaos-upgrade SEEDS={seed}"
    assert outcome.refused_connections["replace API, port held"] == 0, told
    assert {"message", "amend", "approve"} <= outcome.commands.keys(), told
    assert {run.build for run in outcome.runs if run.kind == "Task"} == {"old", "new"}, told
