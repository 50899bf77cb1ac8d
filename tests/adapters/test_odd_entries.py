"""Broken entries of ledgers, and folders in their place, are named and stop no start."""

import logging

import pytest

from adapters.processes.run_ledger import RunLedger
from adapters.temporal import LostActivities
from adapters.terminals.ledger import TerminalLedger


@pytest.fixture
def odd(tmp_path):
    """A ledger's folder with an entry that is broken, and one that is a folder."""
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "folder.json" / "kept").touch()
    return tmp_path


async def reap_runs(folder):
    assert await RunLedger(folder).reap() == []


async def read_terminals(folder):
    assert TerminalLedger(folder).entries() == []


async def reclaim_activities(folder):
    assert await LostActivities(folder).reclaim(None) == 0


@pytest.mark.parametrize("start", [reap_runs, read_terminals, reclaim_activities])
async def test_they_are_named_and_passed_over(odd, caplog, start):
    with caplog.at_level(logging.WARNING):
        await start(odd)

    assert str(odd / "broken.json") in caplog.text
    assert str(odd / "folder.json") in caplog.text
    assert sorted(file.name for file in odd.iterdir()) == ["folder.json"]
    assert (odd / "folder.json" / "kept").exists()
