"""Events are read by position in several ways; whichever is taken, they are the same."""

import json
import random

import pytest

from adapters.journal import Wanted, open_journal, pages
from domain.conversations.events import AgentUpdate, ToolCalled
from domain.core.event import Event, JournaledEvent
from domain.reading.event_text import text_of
from tests.adapters.journal_writer import notice

STREAMS = ("thread-a", "thread-a/t1", "thread-a/t1/session-1", "thread-ab", "thread-b", "thread-a0")
COUNT = 250


@pytest.fixture(params=[5, 60, 10_000], ids=["far", "between", "near"])
async def journal(url, request, monkeypatch):
    monkeypatch.setattr(pages, "NEAR", request.param)
    chosen = random.Random(7)  # noqa: S311 (no secret)
    async with open_journal(url) as opened:
        await opened.append([an_event(chosen, n) for n in range(COUNT)])
        yield opened


def an_event(chosen, number):
    stream = chosen.choices(STREAMS, (1, 2, 9, 3, 3, 1))[0]
    said = AgentUpdate(turn_id="t", update={"text": f'"{number}"\n'})
    body = said if chosen.random() < 0.8 else ToolCalled(tool="x")
    first = notice("x", number)
    return Event(id=f'{stream}:"{number}', stream=stream, at=first.at, body=body)


def of(event, wanted):
    stream = event.event.stream
    names = wanted.streams or (stream,)
    is_named = any(stream == n or (wanted.below and stream.startswith(f"{n}/")) for n in names)
    return is_named and event.event.body.kind not in wanted.but


WANTED = (
    Wanted(),
    Wanted(("thread-a",)),
    Wanted(("thread-a",), below=True),
    Wanted(("thread-b", "thread-a/t1"), below=True),
    Wanted(("thread-a",), below=True, but={"agent_update"}),
    Wanted(("nothing",), below=True),
)


async def test_pages_forward_and_back_and_the_whole_are_the_same_events(journal):
    for wanted in WANTED:
        expected = [e.position for e in await journal.read(limit=COUNT) if of(e, wanted)]
        batches = [batch async for batch in journal.raw(wanted, after=0, upto=COUNT)]
        part = [e.position async for b in journal.raw(wanted, after=90, upto=200) for e in b]

        assert await forward(journal, wanted) == expected
        assert await back(journal, wanted) == expected
        assert [e.position for batch in batches for e in batch] == expected
        assert part == [p for p in expected if 90 < p <= 200]


async def forward(journal, wanted):
    found, after = [], 0
    while page := await journal.page(wanted, after=after, limit=7):
        found += [e.position for e in page]
        after = found[-1]
    return found


async def back(journal, wanted):
    found, before = [], 2**53 - 1
    while page := await journal.page(wanted, before=before, limit=7):
        found = [e.position for e in page] + found
        before = found[0]
    return found


async def test_an_event_goes_out_as_it_is_read(journal):
    read = await journal.read(limit=COUNT)
    raw = await journal.page(Wanted(), limit=COUNT)
    described = [e.model_copy(update={"text": text_of(e.event.body)}) for e in read]
    assert [JournaledEvent.model_validate_json(e.text) for e in raw] == described
    assert [json.loads(e.text)["event"] for e in raw] == [
        e.event.model_dump(mode="json") for e in read
    ]


async def test_what_changed_is_named_by_what_it_belongs_to(journal):
    assert await journal.changed_tops(0, COUNT, ()) == {s.partition("/")[0] for s in STREAMS}
    assert await journal.changed_tops(COUNT, COUNT, ()) == set()
    assert await journal.changed_tops(0, COUNT, {"agent_update", "tool_called"}) == set()
