"""`/livez` and `/readyz`, as an orchestrator asks them: by an address of its own, without the token."""

import sqlite3

import pytest

FOREIGN = {"Host": "10.0.0.7:8420"}


@pytest.fixture
def prober(down_client):
    """A client without credentials, as a kubelet is."""
    down_client.headers.pop("Authorization")
    return down_client


async def test_an_api_without_temporal_is_alive_and_ready(prober):
    alive = await prober.get("/livez", headers=FOREIGN)
    ready = await prober.get("/readyz", headers=FOREIGN)
    assert (alive.status_code, alive.json()) == (200, {"status": "alive"})
    found = {"status": "ready", "journal": "up", "temporal": "down"}
    assert (ready.status_code, ready.json()) == (200, found)


async def test_a_journal_that_fails_makes_an_api_unready_but_not_dead(prober, settings):
    with sqlite3.connect(settings.data_dir / "journal.db") as database:
        database.execute("alter table events rename to lost")
    ready = await prober.get("/readyz", headers=FOREIGN)
    found = {"status": "unready", "journal": "down", "temporal": "down"}
    assert (ready.status_code, ready.json()) == (503, found)
    assert (await prober.get("/livez", headers=FOREIGN)).status_code == 200
    with sqlite3.connect(settings.data_dir / "journal.db") as database:
        database.execute("alter table lost rename to events")
    assert (await prober.get("/readyz", headers=FOREIGN)).status_code == 200


@pytest.mark.parametrize("path", ["/livez/", "/readyz/x", "/v1/livez", "//livez"])
async def test_only_the_probes_themselves_pass_the_gate(prober, path):
    assert (await prober.get(path)).status_code == 401
    assert (await prober.get(path, headers=FOREIGN)).status_code == 421


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
async def test_probes_are_only_read(prober, path):
    answer = await prober.post(path, json={}, headers=FOREIGN)
    assert answer.status_code == 421
