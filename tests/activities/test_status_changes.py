"""How the queue is told that something stands otherwise than it knows."""

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

import pytest
from temporalio.testing import ActivityEnvironment

from activities import status_changes
from activities.status_changes import StatusChanges
from domain.core.event import Event, Headline
from domain.core.ids import EventId, StreamId, TaskId, ThreadId
from domain.core.status_words import UNPLANNED
from domain.core.workspaces import RepositoryFacts
from domain.plans.ancestry import ParentThread
from domain.plans.templates.template import PlanTemplate
from domain.queue.inputs import ChangedStatuses, StatusQuery
from domain.queue.status import Load, Phase, WorkStatus
from domain.threads.events import ThreadOpened
from tests.fakes import MemoryJournal

KNOWN = StatusQuery(is_informed=True)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status_changes, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(status_changes, "SURE_SECONDS", 0.05)


async def stands(
    journal: MemoryJournal,
    name: str,
    status: str,
    parent: ParentThread | None = None,
    waiting_for: str = "",
) -> None:
    """Have a thread stand somehow, opened on a host of its own."""
    opened = ThreadOpened(
        goal="g",
        agent="a",
        facts=RepositoryFacts(root="/app", head="0" * 40),
        template=PlanTemplate(name="default"),
        branch="b",
        host=f"host-of-{name}",
        parent=parent,
    )
    stream = StreamId(name)
    first = Event(id=EventId(f"{name}.1"), stream=stream, at=datetime.now(UTC), body=opened)
    line = Headline(
        stream=stream, kind="thread", project="/app", status=status, waiting_for=waiting_for
    )
    await journal.append([first], [line])


def told(journal: MemoryJournal, call: StatusQuery) -> Coroutine[Any, Any, ChangedStatuses]:
    return ActivityEnvironment().run(StatusChanges(journal).follow_statuses, call)


def load(name: str, **counts: int) -> Load:
    return Load(project="/app", host=f"host-of-{name}", **counts)


async def test_a_thread_without_a_plan_is_called_as_everywhere():
    journal = MemoryJournal()
    await stands(journal, "thread-a", "failed", waiting_for=f"{UNPLANNED}: 3 turns")
    changed = await told(journal, StatusQuery(own={"thread-a": Phase.WORKING}))
    assert changed.statuses["thread-a"].words == "waiting for you"


async def test_the_first_look_is_told_though_there_is_nothing():
    assert await told(MemoryJournal(), StatusQuery()) == ChangedStatuses()


async def test_others_are_counted_by_project_and_host_but_for_parts_of_a_plan():
    journal = MemoryJournal()
    await stands(journal, "thread-a", "running")
    await stands(journal, "thread-b", "waiting")
    await stands(journal, "thread-c", "chat")
    await stands(journal, "thread-d", "completed")
    parent = ParentThread(thread_id=ThreadId("thread-a"), task_id=TaskId("t"))
    await stands(journal, "thread-e", "running", parent)

    news = await told(journal, KNOWN)
    assert news.loads == (load("thread-a", working=1), load("thread-b", asking=1))


async def test_what_is_known_already_is_not_told_but_what_comes_is():
    journal = MemoryJournal()
    await stands(journal, "thread-a", "running")
    call = StatusQuery(own={"thread-a": Phase.WORKING}, is_informed=True)
    following = asyncio.create_task(told(journal, call))
    await stands(journal, "thread-a", "planning")  # another word, and no other phase
    await stands(journal, "thread-a", "completed")

    news = await following
    assert news.statuses == {"thread-a": WorkStatus(phase=Phase.COMPLETED, status="completed")}
    assert news.loads == ()


async def test_one_that_was_started_and_is_not_in_the_journal_yet_is_awaited():
    journal = MemoryJournal()
    call = StatusQuery(own={"thread-a": None}, is_informed=True)
    following = asyncio.create_task(told(journal, call))
    await stands(journal, "thread-a", "waiting")

    assert (await following).statuses["thread-a"].phase is Phase.ASKING


async def test_what_was_deleted_is_gone_though_no_event_says_so():
    journal = MemoryJournal()
    await stands(journal, "thread-a", "running")
    call = StatusQuery(own={"thread-a": Phase.WORKING}, is_informed=True)
    following = asyncio.create_task(told(journal, call))
    await asyncio.sleep(0.02)
    del journal.shown["thread-a"]

    assert (await following).statuses["thread-a"].phase is Phase.GONE


async def test_a_dependency_that_nobody_knows_is_gone_at_once():
    call = StatusQuery(needed={"thread-nope": None}, is_informed=True)

    assert (await told(MemoryJournal(), call)).statuses["thread-nope"].phase is Phase.GONE
