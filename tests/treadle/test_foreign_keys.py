"""A host whose keys are not those of its journal starts nothing, and says what to do."""

import sqlite3
from contextlib import closing

import pytest

from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.journal import Keys, open_known_keys
from tests.free_ports import free_ports
from tests.treadle.test_surroundings import assert_said, environment, treadle

__all__ = ["environment"]


@pytest.fixture
async def second_host(environment, tmp_path):
    """A host with keys of its own on the journal of another."""
    journal = f"sqlite:///{tmp_path / 'shared.db'}"
    ring, codes = (KeyRing(tmp_path / "payload.keys"), SecretFile(tmp_path / "decision.key"))
    async with open_known_keys(journal) as known:
        await known.check("first", Keys(ring.every(), codes.read()))
    return {**environment, "TREADLE_JOURNAL_URL": journal}


def free() -> dict[str, str]:
    """Return settings with ports that nobody uses: the ports are looked at first."""
    names = ("TREADLE_API_PORT", "TREADLE_TEMPORAL_PORT", "TREADLE_TEMPORAL_UI_PORT")
    return dict(zip(names, map(str, free_ports(3)), strict=True))


@pytest.mark.parametrize("command", ["worker", "api", "up"])
def test_it_is_refused_in_one_sentence(second_host, tmp_path, command):
    said = treadle({**second_host, **free()}, command)
    assert_said(said, f"treadle {command}:", "payload.keys and decision.key", "copy")
    with closing(sqlite3.connect(tmp_path / "shared.db")) as journal:
        hosts = journal.execute("SELECT count(*) FROM meta WHERE name LIKE 'host:%'").fetchone()
    assert hosts == (1,)


def test_it_starts_with_the_keys_of_the_first(second_host, tmp_path):
    (tmp_path / "data").mkdir()
    for name in ("payload.keys", "decision.key"):
        (tmp_path / "data" / name).write_bytes((tmp_path / name).read_bytes())
    said = treadle(second_host, "worker")
    assert "differs" not in said.stdout + said.stderr
