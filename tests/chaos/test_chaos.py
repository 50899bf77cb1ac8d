"""The tier of `make chaos` for every commit: a few kills at random, and nothing lost by them."""

from pathlib import Path

import pytest

from tests.chaos.__main__ import report
from tests.chaos.programs import any_seed
from tests.chaos.run import ChaosRun

pytestmark = pytest.mark.e2e
AFFECTED = 40


@pytest.mark.timeout(400)  # about a minute on an idle machine of two cores
async def test_nothing_is_lost_repeated_doubled_left_or_skipped(tmp_path: Path):
    seed = any_seed()
    outcome = await ChaosRun(tmp_path, seed, AFFECTED).run()
    told = "\n".join(report(outcome))
    assert not outcome.violations, f"{told}\nagain: make chaos SEED={seed} N={AFFECTED}"
    assert outcome.affected >= AFFECTED, told
