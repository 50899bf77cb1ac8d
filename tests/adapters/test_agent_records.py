"""How agents did in a repository, read on as tasks end; the same on both databases."""

from datetime import timedelta

import pytest

from adapters.journal import agent_records, open_journal
from adapters.journal.reports import folded
from domain.core.ids import StreamId
from domain.reading.report.records import records_of
from domain.tasks.events import TaskEnd, TaskEnded, VerificationEnded
from tests.adapters.test_reports import OTHER, SHOP, put
from tests.domain.report_lab import T0, opened, started, step, turn_over

URL = "https://git.example/team/shop.git"


@pytest.fixture
async def journal(url):
    async with open_journal(url) as opened_journal:
        yield opened_journal


def run(agent="claude", *, passed=True):
    verdict = VerificationEnded(attempt=1, passed=passed)
    return (opened(agent=agent), turn_over(ms=60_000), step("s", passed=passed), verdict)


async def counts(journal, project=""):
    found = records_of(await journal.agent_records.of(project))
    return {one.agent: one.tasks for one in found if not one.kind}


async def test_a_repository_has_its_own_records_by_folder_url_and_name(journal):
    ended = TaskEnded(end=TaskEnd.ACCEPTED)
    repositories = {"a": SHOP, "b": OTHER, "c": f"{URL}@{'a' * 40}", "d": f"{URL}@{'b' * 40}"}
    for name, repository in repositories.items():
        await put(journal, f"thread-{name}", started("t"), project=repository)
        await put(journal, f"thread-{name}/t", *run(f"agent-{name}"), ended)
    assert await counts(journal, SHOP) == {"agent-a": 1}
    assert await counts(journal, "other") == {"agent-b": 1}
    assert await counts(journal, URL) == {"agent-c": 1, "agent-d": 1}
    assert await counts(journal, "nowhere") == {}
    assert len(await counts(journal)) == 4


async def test_it_goes_on_with_tasks_that_end_later_and_with_later_runs_and_forgets_removed_threads(
    journal,
):
    await put(journal, "thread-a", started("t"), project=SHOP)
    await put(journal, "thread-a/t", *run())
    assert await counts(journal, SHOP) == {}
    late = T0 + timedelta(minutes=1)
    await put(journal, "thread-a/t", TaskEnded(end=TaskEnd.FAILED), at=late)
    assert await counts(journal, SHOP) == {"claude": 1}
    again = T0 + timedelta(minutes=2)
    await put(journal, "thread-a/t", *run("codex"), TaskEnded(end=TaskEnd.ACCEPTED), at=again)
    assert await counts(journal, SHOP) == {"claude": 1, "codex": 1}
    await journal.forget(StreamId("thread-a"))
    assert await counts(journal, SHOP) == {}
    assert journal.agent_records._known.tasks == {}


async def test_a_journal_is_read_once_and_then_only_what_ended_since(journal, monkeypatch):
    read: list[str] = []

    def noted(connection, streams, begin):
        read.extend(streams)
        return folded(connection, streams, begin)

    monkeypatch.setattr(agent_records, "folded", noted)
    tasks = sorted(f"thread-a/t{number}" for number in range(20))
    await put(journal, "thread-a", started("t"), project=SHOP)
    for stream in tasks:
        await put(journal, stream, *run(), TaskEnded(end=TaskEnd.ACCEPTED))
    assert (await counts(journal, SHOP), read) == ({"claude": 20}, tasks)

    read.clear()
    assert (await counts(journal, SHOP), read) == ({"claude": 20}, [])

    await put(journal, "thread-a/last", *run(), TaskEnded(end=TaskEnd.ACCEPTED))
    assert (await counts(journal, SHOP), read) == ({"claude": 21}, ["thread-a/last"])
