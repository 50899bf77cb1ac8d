import sqlite3
import time

import pytest

from adapters.journal import open_journal
from domain.conversations.events import AgentUpdate
from domain.core.branch_status import BranchStatus
from domain.core.event import Headline
from domain.core.ids import TurnId
from domain.core.status_words import UNPLANNED
from domain.reading.board import Column
from domain.reading.listing import ThreadQuery
from domain.tasks.events import VerificationStepEnded
from domain.verification.steps import StepResult
from tests.adapters.journal_writer import notice


@pytest.fixture
async def journal(tmp_path):
    async with open_journal(f"sqlite:///{tmp_path / 'journal.db'}") as opened:
        yield opened


async def put(journal, stream, kind="thread", **fields):
    event = notice(stream, 0, stream=stream)
    await journal.append([event], [Headline(stream=stream, kind=kind, **fields)])


async def found(journal, **wanted):
    return [h.stream for h in await journal.threads(ThreadQuery(**wanted))]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("FLAG", ["thread-b", "thread-a"]),
        ("add flag", ["thread-a"]),
        ("flag thread-b", ["thread-b"]),
        ("straße", ["thread-d"]),
        ("STRASSE", ["thread-d"]),
        ("ﬁx", ["thread-d"]),
        ("100%", ["thread-c"]),
        ("%", ["thread-c"]),
        ("_", []),
        ("\\", []),
        ("/", []),
        ("' OR 1=1 --", []),
        ("", ["thread-d", "thread-c", "thread-b", "thread-a"]),
    ],
)
async def test_threads_are_found_by_all_of_their_words_taken_literally(journal, words, expected):
    await put(journal, "thread-a", title="Add a flag")
    await put(journal, "thread-b", title="Remove the Flag")
    await put(journal, "thread-c", title="Cover 100% of it")
    await put(journal, "thread-d", title="Fix the STRAẞE")

    assert await found(journal, words=words) == expected


async def test_a_project_is_named_by_its_folder_or_by_its_last_name(journal):
    await put(journal, "thread-a", project="/code/app")
    await put(journal, "thread-b", project="/code/my-app")
    await put(journal, "thread-c", project="/other/app")

    assert await found(journal, project="/code/app") == ["thread-a"]
    assert await found(journal, project="app") == ["thread-c", "thread-a"]
    assert await found(journal, project="code") == []


async def test_a_thread_waits_when_one_of_its_tasks_asks_something(journal):
    await put(journal, "thread-a", status="running")
    await put(journal, "thread-a-2", status="running")
    await put(journal, "thread-a/t1", "task", title="one", waiting_for="the gate")
    await put(journal, "thread-b", status="completed")
    await put(journal, "thread-b/t1", "task", title="one", waiting_for="the gate")

    waiting = await journal.threads(ThreadQuery(status="waiting"))

    assert [(h.stream, h.waiting_for) for h in waiting] == [("thread-a", "one: the gate")]
    assert await found(journal, status="running") == ["thread-a-2"]
    assert await found(journal, status="completed") == ["thread-b"]


async def test_a_thread_waits_with_a_failed_task_and_after_planning_without_a_plan(journal):
    await put(journal, "thread-a", status="running", waiting_for="failed tasks: retry them")
    await put(journal, "thread-b", status="failed", waiting_for=f"{UNPLANNED}: 3 turns")
    await put(journal, "thread-c", status="failed", waiting_for="failed tasks: retry them")

    lines = await journal.threads(ThreadQuery())

    assert [line.shown_status for line in lines] == ["failed", "waiting", "waiting"]
    assert await found(journal, status="waiting") == ["thread-b", "thread-a"]
    assert await found(journal, status="running") == []
    assert await found(journal, status="failed") == ["thread-c"]


async def test_a_thread_at_work_shows_what_its_agent_did_last(journal):
    await put(journal, "thread-a", status="running", agent="claude")
    await put(journal, "thread-b", status="chat", branch_status=BranchStatus.IN_REVIEW)
    await put(journal, "thread-a/t1", "task", status="working")
    lines = ["I begin.\n\nNow the tests", "all of them pass"]
    for number, text in enumerate(lines):
        content = {"sessionUpdate": "agent_message_chunk", "content": {"text": text}}
        said = AgentUpdate(turn_id=TurnId("t"), update=content)
        event = notice(f"said-{number}", number, stream="thread-a/t1/session-1")
        await journal.append([event.model_copy(update={"body": said})])
        found = {line.stream: line for line in await journal.threads(ThreadQuery())}
        assert found["thread-a"].last_line == text.splitlines()[-1]

    assert (found["thread-a"].agent, found["thread-a"].column) == ("claude", Column.RUNNING)
    assert (found["thread-b"].last_line, found["thread-b"].column) == ("", Column.IN_REVIEW)


async def test_what_a_thread_is_found_by_outlives_columns_that_are_added_later(tmp_path):
    file = tmp_path / "journal.db"
    async with open_journal(f"sqlite:///{file}") as journal:
        await put(journal, "thread-a", title="Short", goal="all of the goal")
    with sqlite3.connect(file) as old:
        old.execute("DROP TABLE alembic_version")
        for column in ("done", "total", "insertions", "deletions", "agent", "branch_status"):
            old.execute(f"ALTER TABLE headlines DROP COLUMN {column}")
    old.close()
    async with open_journal(f"sqlite:///{file}") as journal:
        (found,) = await journal.threads(ThreadQuery(words="of goal"))
    assert (found.done, found.total, found.insertions) == (0, 0, 0)


async def test_a_journal_of_an_older_version_gets_the_columns_it_lacks(tmp_path):
    file = tmp_path / "journal.db"
    async with open_journal(f"sqlite:///{file}") as journal:
        await put(journal, "thread-a", title="Add a FLAG")
    with sqlite3.connect(file) as old:
        old.execute("DROP TABLE alembic_version")
        old.execute("DROP INDEX threads_listed")
        old.execute("ALTER TABLE headlines DROP COLUMN words")
        old.execute("ALTER TABLE headlines DROP COLUMN is_archived")
    old.close()

    async with open_journal(f"sqlite:///{file}") as journal:
        assert await found(journal, words="flag") == ["thread-a"]


async def test_a_page_of_five_thousand_threads_comes_at_once(journal):
    threads = [f"thread-{n}" for n in range(5_000)]
    events = [notice(stream, 0, stream=stream) for stream in threads]
    headlines = [
        Headline(stream=s, kind="thread", title=f"Do {s} well", status="running") for s in threads
    ]
    tasks = [Headline(stream=f"{s}/t1", kind="task", title="one") for s in threads]
    await journal.append(events, [*headlines, *tasks])

    before = time.process_time()
    first = await journal.threads(ThreadQuery())
    rare = await journal.threads(ThreadQuery(words="thread-77 well", status="running"))
    none = await journal.threads(ThreadQuery(status="waiting"))
    took = time.process_time() - before

    assert (len(first), len(rare), none) == (100, 11, [])
    assert took < 1, "three lists of a hundredth of a second each"


async def test_a_forgotten_thread_leaves_nothing_and_takes_nothing_of_others(journal):
    both = await journal.put_text("both name it")
    own = await journal.put_text("only one names it")
    named = (("thread-a", both), ("thread-a/t1", own), ("thread-b", both), ("thread-a-2", ""))
    for stream, reference in named:
        result = StepResult(step_id="s", passed=True, output_ref=reference or None)
        ended = VerificationStepEnded(attempt=1, result=result)
        event = notice(stream, 0, stream=stream).model_copy(update={"body": ended})
        await journal.append([event], [Headline(stream=stream, kind="thread")])

    for _ in range(2):
        await journal.forget("thread-a")

    assert [j.event.stream for j in await journal.read()] == ["thread-b", "thread-a-2"]
    assert {h.stream for h in await journal.headlines()} == {"thread-b", "thread-a-2"}
    assert await journal.text(own) is None
    assert await journal.text(both) is not None
