"""Full-text search of the journal, the same on both databases."""

import pytest
from sqlalchemy import Connection, text

from adapters.journal import open_journal
from adapters.journal.engines import open_engines
from adapters.redacted_ports import RedactedJournal
from adapters.redaction import Redactor
from domain.agents.agents import Prompt
from domain.conversations.events import AgentUpdate, MessageQueued, PromptSent
from domain.core.event import Headline
from domain.core.ids import StreamId
from domain.core.words import terms_of
from domain.reading.search.finds import SearchQuery
from tests.adapters.journal_writer import notice
from tests.api.conftest import event

THREAD = StreamId("thread-a")
SESSION = StreamId("thread-a/session-1")
SECRET = "Zebra4711Quokka"
TURN = f"{SESSION}/turn-1"


def chunk(words, turn=TURN, kind="agent_message_chunk"):
    update = {"sessionUpdate": kind, "content": {"type": "text", "text": words}}
    return AgentUpdate(turn_id=turn, update=update)


def message(words, by="ann"):
    return MessageQueued(message_id="m", prompt=Prompt(fields={"text": words}), by=by)


def opened(name, **fields):
    return Headline(stream=name, kind="thread", title=f"title of {name}", **fields)


async def found(journal, words, **more):
    query = SearchQuery(terms=terms_of(words), **more)
    return (await journal.searches.find(query)).finds


def marked(find):
    return [piece.text for piece in find.excerpt if piece.is_match]


@pytest.fixture
async def journal(url):
    async with open_journal(url) as opened_journal:
        await opened_journal.append([], [opened(THREAD)])
        yield opened_journal


async def test_what_a_person_and_an_agent_said_is_found_with_its_place(journal):
    said = [
        event(0, SESSION, message("Why do the buttons flicker?")),
        event(1, SESSION, chunk("They FLICKER since the last release.")),
    ]
    await journal.append(said)

    newest, oldest = await found(journal, "flick")

    assert (newest.speaker, oldest.speaker, oldest.by) == ("agent", "person", "ann")
    assert (oldest.top, oldest.stream, oldest.title) == (THREAD, SESSION, "title of thread-a")
    assert marked(newest) == ["FLICKER"]
    assert [j.event.id for j in await journal.read(after=oldest.position - 1, limit=1)] == [
        said[0].id
    ]


@pytest.mark.parametrize(
    ("words", "is_found"),
    [
        ("buttons blue", True),
        ("blue buttons", True),
        ("butt", True),
        ("uttons", False),
        ("buttons green", False),
        ('"the blue buttons"', True),
        ('"blue the buttons"', False),
        ('"the blue butt"', False),
        ("shop/routes.py", True),
        ("routes", True),
        ("shop/prices.py", False),
        ("strasse CAFE", True),
        ("ボタン", True),
        ("it's", True),
        ("100% 'AND", True),
        ("z:* | blue & !c", False),
    ],
)
async def test_both_databases_find_the_same(journal, words, is_found):
    spoken = "The blue buttons in shop/routes.py and of Café Straße, 青いボタン and it's 100% sure."
    await journal.append([event(0, SESSION, message(spoken))])

    assert [find.stream for find in await found(journal, words)] == [SESSION] * is_found


async def test_a_text_that_came_in_pieces_is_found_as_one(journal):
    await journal.append([event(0, SESSION, chunk("The token exp"))])
    await journal.append(
        [event(1, SESSION, chunk("ires after ")), event(2, SESSION, chunk("an hour."))]
    )
    await journal.append([event(3, SESSION, chunk("Another turn.", turn=f"{SESSION}/turn-2"))])

    (whole,) = await found(journal, "expires hour")
    assert "".join(piece.text for piece in whole.excerpt) == "The token expires after an hour."
    assert await found(journal, "hour another") == []


async def test_a_long_text_is_several_passages_in_order(journal):
    await journal.append([event(0, SESSION, chunk("alpha "))])
    long = [
        event(1, SESSION, chunk("beta " * 1598)),
        event(2, SESSION, chunk("gamma and the rest")),
    ]
    await journal.append(long)

    assert await found(journal, "alpha gamma") == []
    (last,) = await found(journal, "gamma")
    assert last.position == 3


async def test_what_is_appended_twice_is_found_once(journal):
    said = event(0, SESSION, message("flicker"))
    await journal.append([said])
    await journal.append([said, event(1, SESSION, chunk("no more"))])

    assert len(await found(journal, "flicker")) == 1


async def test_what_is_removed_is_found_no_more_and_stands_nowhere(url, journal):
    await journal.append([event(0, SESSION, message("flicker"))])
    other = StreamId("thread-b/session-1")
    await journal.append([event(0, other, message("flicker"))], [opened("thread-b")])

    await journal.forget(THREAD)

    assert [find.stream for find in await found(journal, "flicker")] == [other]
    engines = open_engines(url)
    async with engines.read.connect() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM passage_words")) == 1
    await engines.dispose()


async def test_finds_come_in_pages_of_a_thread_or_a_project(journal):
    await journal.append([], [opened("thread-b", project="/code/shop")])
    streams = [THREAD, StreamId("thread-b"), THREAD]
    await journal.append([event(n, s, message(f"word {n}")) for n, s in enumerate(streams)])

    first, second = await found(journal, "word", limit=2)
    (third,) = await found(journal, "word", before=second.position)
    assert [find.top for find in (first, second, third)] == streams
    assert len(await found(journal, "word", top=THREAD)) == 2
    assert [find.top for find in await found(journal, "word", project="shop")] == ["thread-b"]


async def test_what_is_redacted_in_the_journal_is_not_found(journal):
    said = [event(0, SESSION, message(f"the key is {SECRET}")), event(1, SESSION, chunk(SECRET))]
    await RedactedJournal(journal, Redactor({"API_TOKEN": SECRET})).append(said)

    assert len(await found(journal, "key")) == 1
    assert await found(journal, SECRET) == []
    assert await found(journal, SECRET[:8]) == []


async def test_prompts_made_by_treadle_are_not_found(journal):
    await journal.append([event(1, SESSION, PromptSent(turn_id=TURN, text="boilerplate"))])

    assert await found(journal, "boilerplate") == []


async def test_a_journal_from_before_the_search_is_indexed_without_those_that_are_damaged(url):
    async with open_journal(url) as older:
        events = [event(n, SESSION, message(f"word {n}")) for n in range(3)]
        pieces = [event(n, SESSION, chunk(f"piece{n} ")) for n in range(3, 1200)]
        await older.append([*events, *pieces], [opened(THREAD)])
        await older.append([notice("a", 0)])
    engines = open_engines(url)

    def make_old(connection: Connection) -> None:
        for table in ("passages", "passage_words", "unindexed", "alembic_version"):
            connection.execute(text(f"DROP TABLE {table}"))
        connection.execute(text("UPDATE events SET body = '{}' WHERE position = 2"))

    await engines.write.run(make_old)
    await engines.dispose()

    async with open_journal(url) as newer:
        query = SearchQuery(terms=terms_of("word"))
        assert await newer.searches.find(query) == ([], await newer.position())
        await newer.append([event(2000, SESSION, message("word of now"))])
        while await newer.searches.index_older():
            pass

        assert len(await found(newer, "word")) == 3
        assert (await newer.searches.find(query)).unindexed == 0
        assert len(await found(newer, "piece700")) == 1
        await newer.repairs.rebuild(2, events[1])
        await newer.repairs.rebuild(1, events[0])
        assert len(await found(newer, "word")) == 4
