import asyncio
import contextlib
import stat
import sys
from pathlib import Path

import pytest

from adapters.journal import open_journal
from domain.core.errors import JournalError
from domain.core.event import Headline
from domain.core.ids import StreamId
from tests.adapters.journal_writer import notice

STREAM = StreamId("thread-a")
ROOT = Path(__file__).parents[2]


@pytest.fixture
async def journal(url):
    async with open_journal(url) as opened:
        yield opened


async def start_writer(url, name, count):
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.adapters.journal_writer",
        url,
        name,
        str(count),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )


async def take(events, count):
    async with contextlib.aclosing(events), asyncio.timeout(120):
        return [await anext(events) for _ in range(count)]


def ids(journaled):
    return [j.event.id for j in journaled]


async def test_an_event_appended_twice_is_there_once_and_stays_where_it_was(journal):
    first, second, third = (notice("a", n) for n in range(3))

    await journal.append([first, second])
    await journal.append([second, first, third])

    assert ids(await journal.read()) == [first.id, second.id, third.id]


async def test_an_event_comes_back_as_it_was_appended(journal):
    event = notice("a", 1)

    await journal.append([event])

    assert await journal.event(event.id) == event
    assert await journal.event("unknown") is None


async def test_simultaneous_appends_all_arrive_each_in_its_own_order(journal):
    batches = [[notice(f"b{b}", n) for n in range(5)] for b in range(50)]

    await asyncio.gather(*(journal.append(batch) for batch in batches))

    read = ids(await journal.read())
    assert len(read) == 250
    for batch in batches:
        own = [event.id for event in batch]
        assert [i for i in read if i in own] == own


async def test_a_cancelled_append_leaves_those_of_others_whole(journal):
    appends = [asyncio.create_task(journal.append([notice("a", n)])) for n in range(5)]
    await asyncio.sleep(0)  # each has begun
    appends[0].cancel()

    await asyncio.gather(*appends, return_exceptions=True)

    assert {f"a:{n}" for n in range(1, 5)} <= set(ids(await journal.read()))


async def test_reading_goes_on_after_a_position(journal):
    await journal.append([notice("a", n) for n in range(7)])

    first = await journal.read(limit=4)
    rest = await journal.read(after=first[-1].position, limit=4)

    assert ids(first + rest) == [f"a:{n}" for n in range(7)]
    assert await journal.position() == rest[-1].position
    assert await journal.read(after=rest[-1].position) == []


async def test_below_a_stream_are_only_the_streams_under_it(journal):
    streams = ["thread-a", "thread-a/t1", "thread-a/t1/session-1", "thread-a-2", "thread-a0/t1"]
    await journal.append([notice(s, 0, stream=s) for s in [*streams, "thread-a%/t", "thread-A/t1"]])

    assert [j.event.stream for j in await journal.read(STREAM, below=True)] == streams[:3]
    assert [j.event.stream for j in await journal.read(STREAM)] == streams[:1]
    assert await journal.read(StreamId("thread-%"), below=True) == []


async def test_a_new_journal_is_empty_at_position_0(journal):
    assert await journal.position() == 0
    assert await journal.read() == []
    assert await journal.headlines() == []


async def test_followers_get_what_was_there_and_what_comes(journal):
    await journal.append([notice("a", 0)])
    following = asyncio.create_task(take(journal.follow(), 3))
    await journal.append([notice("a", 1)])
    await journal.append([notice("a", 2)])

    assert ids(await following) == ["a:0", "a:1", "a:2"]


async def test_a_follower_of_one_stream_gets_only_that(journal):
    following = asyncio.create_task(take(journal.follow(STREAM), 2))
    await journal.append([notice("a", 0), notice("b", 0)])
    await journal.append([notice("b", 1), notice("a", 1)])

    assert ids(await following) == ["a:0", "a:1"]


async def test_a_follower_sees_each_event_of_two_other_processes_once_in_order(url, journal):
    following = asyncio.create_task(take(journal.follow(), 400))
    writers = [await start_writer(url, name, 200) for name in ("x", "y")]

    seen = await following
    printed = [(await w.communicate())[0].decode().split() for w in writers]

    assert [j.position for j in seen] == sorted({j.position for j in seen})
    for acknowledged in printed:
        assert [i for i in ids(seen) if i in acknowledged] == acknowledged
    assert ids(seen) == ids(await journal.read())


async def test_two_processes_can_make_a_journal_at_the_same_time(url):
    writers = [await start_writer(url, name, 1) for name in ("x", "y")]

    assert [await w.wait() for w in writers] == [0, 0]
    for writer in writers:
        await writer.communicate()


async def test_what_a_killed_writer_was_acknowledged_is_there(url):
    writer = await start_writer(url, "k", 100_000)
    acknowledged = [(await writer.stdout.readline()).decode().strip() for _ in range(50)]
    writer.kill()
    rest, _ = await writer.communicate()
    acknowledged += [line for line in rest.decode().split("\n")[:-1] if line]

    async with open_journal(url) as journal:
        read = [j async for j in _all_of(journal)]

    assert set(acknowledged) <= set(ids(read))
    assert ids(read) == [f"k:{n}" for n in range(len(read))]


async def _all_of(journal):
    after = 0
    while batch := await journal.read(after=after):
        for journaled in batch:
            yield journaled
        after = batch[-1].position


async def test_the_newest_headline_of_a_stream_wins_and_comes_first(journal):
    for stream, status in (("thread-a", "new"), ("thread-b", "new"), ("thread-a", "old")):
        event = notice(status, 0, stream=stream)
        headline = Headline(stream=StreamId(stream), kind="thread", status=status)
        await journal.append([event.model_copy(update={"id": f"{stream}{status}"})], [headline])

    found = await journal.headlines("thread")

    assert [(h.stream, h.status) for h in found] == [("thread-a", "old"), ("thread-b", "new")]
    assert found[0].changed == await journal.position()
    assert found[0].changed_at is not None


async def test_a_repeated_append_does_not_bring_an_old_headline_back(journal):
    first = ([notice("a", 0)], [Headline(stream=STREAM, kind="thread", status="running")])
    second = ([notice("a", 1)], [Headline(stream=STREAM, kind="thread", status="completed")])

    for events, headlines in (first, second, first):
        await journal.append(events, headlines)

    assert [h.status for h in await journal.headlines()] == ["completed"]


async def test_headlines_are_chosen_by_kind_and_by_place(journal):
    streams = {"thread-a": "thread", "thread-a/t1": "task", "thread-b/t1": "task"}
    await journal.append([], [Headline(stream=StreamId(s), kind=k) for s, k in streams.items()])

    assert [h.stream for h in await journal.headlines("task", below=STREAM)] == ["thread-a/t1"]
    assert len(await journal.headlines("task")) == 2
    assert len(await journal.headlines(below=STREAM)) == 2


@pytest.mark.parametrize("kept", ["", "a line\n", "nul \0 and ünïcode 🧵", "x" * 1_000_000])
async def test_a_text_kept_twice_has_one_reference_and_comes_back(journal, kept):
    reference = await journal.put_text(kept)

    assert await journal.put_text(kept) == reference
    assert await journal.text(reference) == kept
    assert await journal.text("0" * 64) is None


async def test_followers_end_when_the_journal_is_closed(url):
    async with open_journal(url) as journal:
        following = asyncio.create_task(anext(journal.follow(), None))
        await journal.append([])

    assert await following is None


async def test_a_journal_file_is_private_to_its_user(tmp_path):
    folder = tmp_path / "data"
    async with open_journal(f"sqlite:///{folder / 'journal.db'}") as journal:
        await journal.append([notice("a", 0)])
        modes = {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}

    assert modes == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("not a url", "cannot be read"),
        ("postgresql://x:port/y", "cannot be read"),
        ("mysql://x/y", "cannot be in 'mysql'"),
        ("sqlite://", "names no file"),
        ("sqlite:////dev/null/journal.db", "cannot be opened"),
    ],
)
async def test_a_url_that_cannot_hold_a_journal_is_refused_with_the_reason(bad, reason):
    with pytest.raises(JournalError, match=reason):
        async with open_journal(bad):
            pass


async def test_an_event_is_not_appended_after_the_end_of_its_stream(journal):
    before, end, late, other = (notice("a", n) for n in range(4))
    other = other.model_copy(update={"stream": StreamId("thread-b")})
    await journal.append([before])
    started = await journal.position()

    await journal.append_before(end, "task_ended", after=started)
    await asyncio.gather(
        journal.append_before(late, end.body.kind, after=started),
        journal.append_before(other, end.body.kind, after=started),
    )

    assert ids(await journal.read()) == [before.id, end.id, other.id]
    await journal.append_before(late, end.body.kind, after=await journal.position())
    assert ids(await journal.read())[3:] == [late.id]
