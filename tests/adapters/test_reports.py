import sqlite3
from contextlib import closing
from datetime import timedelta, timezone

import pytest
from sqlalchemy.dialects import sqlite

from adapters.journal import open_journal, reports
from domain.core.errors import NotFoundError
from domain.core.event import Event, Headline
from tests.domain.report_lab import T0, answered, conversation, opened, started, step, updated

SHOP, OTHER = "/home/u/shop", "/srv/other"


@pytest.fixture
async def journal(url):
    async with open_journal(url) as opened_journal:
        yield opened_journal


async def put(journal, stream, *bodies, project="", at=T0):
    events = [
        Event(id=f"{stream}:{at}:{n}", stream=stream, at=at + timedelta(seconds=n), body=body)
        for n, body in enumerate(bodies)
    ]
    kind = "thread" if "/" not in stream else "task"
    headlines = [Headline(stream=stream, kind=kind, project=project)] if project else []
    await journal.append(events, headlines)


def steps(tally):
    return {label: number for (label, what), number in tally.steps.items() if what == "ran"}


async def test_streams_that_run_at_the_same_time_are_told_apart(journal, monkeypatch):
    monkeypatch.setattr(reports, "PAGE", 2)
    monkeypatch.setattr(reports, "STREAMS_AT_ONCE", 2)
    for second in range(3):
        at = T0 + timedelta(seconds=second)
        for stream in ("thread-a/t", "thread-b/t", "thread-c/t", "thread-a/t/session-1"):
            await put(journal, stream, step(f"of {stream}", passed=True), at=at)
    tally = await journal.counted()
    assert steps(tally) == {f"of thread-{name}/t": 3 for name in "abc"}
    assert tally.events == 9


async def test_only_streams_of_a_project_are_counted_by_its_folder_or_its_name(journal):
    await put(journal, "thread-a", started("x"), project=SHOP)
    await put(journal, "thread-a/t", step("shop", passed=True), project=SHOP)
    await put(journal, "thread-b/t", step("other", passed=True), project=OTHER)
    await put(journal, "thread-b", started("x"), project=OTHER)
    assert steps(await journal.counted(project="shop")) == {"shop": 1}
    assert steps(await journal.counted(project=OTHER)) == {"other": 1}
    assert steps(await journal.counted()) == {"shop": 1, "other": 1}


async def test_an_unknown_project_is_refused_with_those_that_there_are(journal):
    with pytest.raises(NotFoundError, match="there is none yet"):
        await journal.counted(project="shop")
    await put(journal, "thread-a", started("x"), project=SHOP)
    with pytest.raises(reports.UnknownProjectError, match=f"'sh%p'; there is: {SHOP}"):
        await journal.counted(project="sh%p")


async def test_a_stream_that_goes_on_knows_what_was_before(journal):
    await put(journal, "thread-a/t", opened(agent="codex"), at=T0)
    await put(journal, "thread-a/session-1", conversation("planner", "claude"), at=T0)
    await put(journal, "thread-b/session-1", conversation("chat", "gemini"), answered(), at=T0)
    later = T0 + timedelta(days=1)
    await put(journal, "thread-a/session-1", answered(), at=later)
    tally = await journal.counted(later.astimezone(timezone(timedelta(hours=2))))
    assert {whose for whose, _ in tally.usage} == {("claude", "", "planning")}


async def test_a_thread_that_is_deleted_is_not_counted(journal):
    await put(journal, "thread-a", started("x"), updated("x", "running"), project=SHOP)
    await journal.forget("thread-a")
    assert (await journal.counted()).events == 0


async def test_of_the_time_before_no_event_is_read_but_the_newest_of_each_stream(tmp_path):
    path = tmp_path / "journal.db"
    async with open_journal(f"sqlite+aiosqlite:///{path}") as journal:
        await put(journal, "thread-a/t", step("x", passed=True), at=T0)
    with closing(sqlite3.connect(path)) as database:
        select = reports.streams_since(T0).compile(
            dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}
        )
        asked = database.execute(f"EXPLAIN QUERY PLAN {select}").fetchall()
    steps_of_plan = [step[3] for step in asked]
    assert [s for s in steps_of_plan if s.startswith("SCAN")] == [
        "SCAN events USING COVERING INDEX events_of_stream"
    ]
    assert "SEARCH events USING INTEGER PRIMARY KEY (rowid=?)" in steps_of_plan
