"""A damaged event costs what it told, and no more: views, streams and exports go on without it."""

import subprocess
import sys

import pytest

from domain.core.event import JournaledEvent
from tests.api.test_reading import planned, started

DAMAGE = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as journal:
    journal.execute("UPDATE events SET body = {} WHERE kind = ?", sys.argv[2:])
"""


@pytest.fixture
def damage(settings):
    """Damage the events of a kind from another process: this one has the file open."""

    def run(kind: str, to: str = "substr(body, 1, 20)") -> None:
        file = str(settings.data_dir / "journal.db")
        subprocess.run([sys.executable, "-c", DAMAGE.format(to), file, kind], check=True)

    return run


@pytest.fixture
async def journal(down_app):
    await down_app.state.journal.append([*planned(), *started()])
    return down_app.state.journal


async def test_a_view_tells_of_a_damaged_event_and_is_whole_again_when_it_is_rebuilt(
    down_client, journal, damage
):
    damage("plan_started")

    shown = await down_client.get("/v1/threads/thread-a")
    assert shown.status_code == 200
    (warning,) = shown.json()["warnings"]
    assert "position 4 (plan started) is damaged" in warning
    assert shown.json()["tasks"] == []
    assert (await down_client.get("/v1/threads/thread-a?at=5")).json()["warnings"] == [warning]

    await journal.repairs.rebuild(4, started()[1])
    for query in ("", "?at=5"):
        shown = (await down_client.get(f"/v1/threads/thread-a{query}")).json()
        assert shown["warnings"] == []
        assert [task["status"] for task in shown["tasks"]] == ["running"]


async def test_events_and_exports_have_its_place_and_all_others(down_client, journal, damage):
    damage("plan_started")

    listed = (await down_client.get("/v1/threads/thread-a/events")).json()["events"]
    kinds = [JournaledEvent.model_validate(entry).event.body.kind for entry in listed]
    assert kinds[3] == "event_damaged"
    assert len(kinds) == 5
    as_json = await down_client.get("/v1/threads/thread-a/export?format=json")
    assert [entry["position"] for entry in as_json.json()["events"]] == [1, 2, 3, 4, 5]
    as_text = (await down_client.get("/v1/threads/thread-a/export")).text
    assert "position 4 (plan started) is damaged" in as_text
    assert "End of `thread-" in as_text


async def test_a_thread_whose_first_event_is_damaged_says_so(down_client, journal, damage):
    damage("thread_opened")
    shown = await down_client.get("/v1/threads/thread-a")
    assert (shown.status_code, shown.json()["type"]) == (409, "treadle:journal_damaged")
    assert "position 1" in shown.json()["detail"]


async def test_a_plan_that_was_changed_in_the_journal_is_not_shown_to_be_approved(
    down_client, journal, damage
):
    damage("plan_proposed", "replace(body, 'one', 'two')")
    shown = (await down_client.get("/v1/threads/thread-a")).json()
    assert shown["plans"] == []
    assert shown["requests"] == []
