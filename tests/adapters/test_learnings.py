"""What tasks learned is kept by repository in the journal, the same on both databases."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.journal import open_journal
from adapters.kept_learnings import KeptLearnings
from adapters.redacted_ports import RedactedJournal
from adapters.redaction import Redactor
from domain.core.event import Event, Headline
from domain.core.ids import EventId, SessionId, StreamId, TaskId, ThreadId
from domain.learnings.book import Standing
from domain.learnings.events import LearningRemoved, LearningsOffered
from domain.learnings.identity import learning_id, learnings_stream
from domain.learnings.ranking import Work
from domain.tasks.learnings import Learning, LearningEvidence, LearningKind, LearningsUsed
from domain.threads.running.events import LearningsAdded

REPOSITORY = "/home/ann/shop"
URL = "https://git.example/team/shop.git"
SECRET = "Zebra4711Quokka"
TABS = learning_id("Use tabs in prices")
LIFETIME = timedelta(days=90)


@pytest.fixture
async def journal(url):
    async with open_journal(url) as opened:
        yield opened


async def open_thread(journal, name, project=REPOSITORY):
    await journal.append([], [Headline(stream=StreamId(name), kind="thread", project=project)])


def event(name, stream, body):
    return Event(id=EventId(name), stream=StreamId(stream), at=datetime.now(UTC), body=body)


def added(thread, *texts, task="t-1", **evidence):
    learnings = tuple(
        Learning(learning=LearningKind.NEXT, text=text, task_id=TaskId(task)) for text in texts
    )
    body = LearningsAdded(
        plan_id="p",
        task_id=TaskId(task),
        run=1,
        learnings=learnings,
        evidence=LearningEvidence.model_validate(evidence),
    )
    return event(f"{thread}:{task}", thread, body)


async def test_what_a_task_learned_is_kept_once_with_its_origin_however_often_it_is_journaled(
    journal,
):
    await open_thread(journal, "thread-a")
    learned = added("thread-a", "Use tabs in prices", commit="c" * 40, verified=["unit tests"])
    await journal.append([learned])
    await journal.append([learned])

    (one,) = (await journal.learnings.of(REPOSITORY)).every()

    assert (one.learning_id, one.text, one.seen) == (TABS, "Use tabs in prices", 1)
    assert (one.origins[0].thread_id, one.origins[0].task_id) == ("thread-a", "t-1")
    assert one.origins[0].evidence.verified == ("unit tests",)
    assert len(await journal.read(learnings_stream(REPOSITORY))) == 1


async def test_repositories_have_learnings_of_their_own_and_a_url_is_one_at_all_commits(journal):
    await open_thread(journal, "thread-a")
    await open_thread(journal, "thread-b", f"{URL}@{'a' * 40}")
    await open_thread(journal, "thread-c", f"{URL}@{'b' * 40}")
    await journal.append([added("thread-a", "one"), added("thread-b", "two")])
    await journal.append([added("thread-c", "three")])

    books = {
        book.repository: {one.text for one in book.every()}
        for book in await journal.learnings.every()
    }

    assert books == {REPOSITORY: {"one"}, URL: {"two", "three"}}


async def test_they_outlive_the_thread_that_they_are_from(journal):
    await open_thread(journal, "thread-a")
    await journal.append([added("thread-a", "Use tabs in prices")])
    await journal.forget(StreamId("thread-a"))

    (one,) = (await journal.learnings.of(REPOSITORY)).every()

    assert one.origins[0].thread_id == "thread-a"
    assert await journal.lines_of(["thread-a"]) == []


async def test_a_reader_goes_on_where_it_was_and_another_process_reads_the_same(journal, url):
    await open_thread(journal, "thread-a")
    await journal.append([added("thread-a", "first")])
    assert len((await journal.learnings.of(REPOSITORY)).every()) == 1
    async with open_journal(url) as other:
        await other.append([added("thread-a", "second", task="t-2")])
        assert len((await other.learnings.of(REPOSITORY)).every()) == 2
    assert {one.text for one in (await journal.learnings.of(REPOSITORY)).every()} == {
        "first",
        "second",
    }


async def test_a_later_thread_is_offered_them_and_what_it_cites_counts_as_used(journal):
    await open_thread(journal, "thread-a")
    await open_thread(journal, "thread-b")
    await journal.append([added("thread-a", "Use tabs in prices", "Never log in twice")])
    offers = KeptLearnings(journal, LIFETIME)

    offer = await offers.offer(ThreadId("thread-b"), Work(words="show prices in euros"))

    assert offer.learning_ids == (TABS,)
    session = SessionId("thread-b/session-1")
    offered = LearningsOffered(
        learning_ids=offer.learning_ids, session_id=session, thread_id=ThreadId("thread-b")
    )
    used = LearningsUsed(learning_ids=offer.learning_ids, by=session)
    await journal.append([event("o", session, offered)])
    await journal.append([event("u", "thread-b/t-1", used)])
    one = (await journal.learnings.of(REPOSITORY)).get(TABS)
    assert one is not None
    assert (one.offered, one.used, one.used_in) == (1, 1, ("thread-b",))


async def test_nothing_is_offered_of_other_repositories_or_after_a_lifetime_or_once_removed(
    journal,
):
    for name, project in (
        ("thread-a", REPOSITORY),
        ("thread-b", "/home/ann/other"),
        ("thread-c", REPOSITORY),
    ):
        await open_thread(journal, name, project)
    await journal.append([added("thread-a", "Use tabs in prices")])
    work = Work(words="prices")
    assert not (await KeptLearnings(journal, LIFETIME).offer(ThreadId("thread-b"), work)).text
    assert not (await KeptLearnings(journal, LIFETIME).offer(ThreadId("thread-x"), work)).text
    assert not (await KeptLearnings(journal, timedelta()).offer(ThreadId("thread-c"), work)).text
    assert (await KeptLearnings(journal, LIFETIME).offer(ThreadId("thread-c"), work)).text
    assert not (await KeptLearnings(journal, LIFETIME).offer(ThreadId("thread-a"), work)).text
    stream = learnings_stream(REPOSITORY)
    await journal.append([event("r", stream, LearningRemoved(learning_id=TABS, by="ann"))])
    assert not (await KeptLearnings(journal, LIFETIME).offer(ThreadId("thread-c"), work)).text
    one = (await journal.learnings.of(REPOSITORY)).get(TABS)
    assert one is not None
    assert one.standing_at(datetime.now(UTC), LIFETIME) is Standing.REMOVED


async def test_no_secret_is_kept(journal):
    await open_thread(journal, "thread-a")
    clean = RedactedJournal(journal, Redactor({"KEY": SECRET}))
    form = "ghp_" + "a1B2" * 9
    await clean.append([added("thread-a", f"log in with {SECRET}", f"push with {form}")])

    texts = " ".join(one.text for one in (await journal.learnings.of(REPOSITORY)).every())

    assert "log in with" in texts
    assert SECRET not in texts
    assert form not in texts
