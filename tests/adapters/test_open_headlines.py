import time

import pytest

from adapters.journal import open_journal
from domain.core.event import Headline
from tests.adapters.journal_writer import notice


@pytest.fixture
async def journal(tmp_path):
    async with open_journal(f"sqlite:///{tmp_path / 'journal.db'}") as opened:
        yield opened


async def put(journal, stream, kind="thread", **fields):
    event = notice(stream, 0, stream=stream)
    await journal.append([event], [Headline(stream=stream, kind=kind, **fields)])


async def standing(journal, *named):
    return {line.stream: line.status for line in await journal.open_headlines(named)}


async def test_what_goes_on_is_found_and_what_ended_only_by_its_name(journal):
    await put(journal, "thread-a", status="running")
    await put(journal, "thread-b", status="completed")
    await put(journal, "flow-c-1", kind="flow", status="stopped")
    await put(journal, "flow-d-1", kind="flow", status="running")
    await put(journal, "thread-a/session-1", kind="session", status="running")
    await put(journal, "queue", kind="queue", status="running")

    assert await standing(journal) == {"thread-a": "running", "flow-d-1": "running"}
    known = await standing(journal, "thread-b", "flow-c-1", "nobody")
    assert known == {
        "thread-a": "running",
        "flow-d-1": "running",
        "thread-b": "completed",
        "flow-c-1": "stopped",
    }


async def test_what_one_of_its_sessions_asks_makes_it_wait(journal):
    await put(journal, "thread-a", status="running")
    await put(journal, "thread-a/task-1", kind="task", status="running", waiting_for="a gate")
    await put(journal, "flow-b-1", kind="flow", status="running")
    await put(journal, "flow-b-1/session-1", kind="session", status="running", waiting_for="a yes")

    assert await standing(journal) == {"thread-a": "waiting", "flow-b-1": "waiting"}


async def test_many_that_ended_cost_little(journal):
    events = [notice(f"thread-{n}", 0, stream=f"thread-{n}") for n in range(10_000)]
    lines = [Headline(stream=e.stream, kind="thread", status="completed") for e in events]
    await journal.append(events, lines)
    await put(journal, "thread-a", status="running")

    before = time.process_time()
    assert await standing(journal, "thread-1") == {"thread-a": "running", "thread-1": "completed"}
    assert time.process_time() - before < 1
