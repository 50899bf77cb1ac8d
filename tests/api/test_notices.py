"""What notices of lists read, and when: bounded, and never without what was last."""

import json

import pytest

from api.streams import notices
from api.streams.notices import (
    KNOWN_SECONDS,
    LOOK_SECONDS,
    NOTICE_SECONDS,
    SETTLE_SECONDS,
    WATCHED_SECONDS,
    Notices,
)
from domain.reading.inbox.idle import IDLE
from domain.reading.listing import ThreadHeadline


class Journal:
    """Events by position, and the rows of threads; says what was read."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []
        self.rows: dict[str, ThreadHeadline] = {}
        self.read: list[set[str]] = []

    def say(self, thread: str, line: str, kind: str = "agent_update") -> int:
        self.events.append((thread, kind))
        row = ThreadHeadline(stream=thread, kind="thread", project="/code/app", last_line=line)
        self.rows[thread] = row
        return len(self.events)

    async def changed_tops(self, after: int, upto: int, but: frozenset[str]) -> set[str]:
        return {top for top, kind in self.events[after:upto] if kind not in but}

    async def lines_of(self, threads: object) -> list[ThreadHeadline]:
        self.read.append({*threads})
        return [self.rows[top] for top in threads if top in self.rows]


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    now = [1_000.0]

    class Loop:
        def time(self) -> float:
            return now[0]

    monkeypatch.setattr(notices.asyncio, "get_running_loop", Loop)
    return now


@pytest.fixture
def journal() -> Journal:
    return Journal()


async def gone(following: Notices, newest: int) -> list[str]:
    """Return the threads that a notice takes away."""
    messages = [each.decode() async for each in following.due(newest)]
    lists = [json.loads(each.split("data: ")[1]) for each in messages if "threads" in each[:20]]
    return [top for each in lists for top in each["gone"]]


async def told(following: Notices, newest: int) -> list[str]:
    """Return the last lines that a notice brings."""
    messages = [each.decode() async for each in following.due(newest)]
    lists = [json.loads(each.split("data: ")[1]) for each in messages if "threads" in each[:20]]
    return [line["last_line"] for each in lists for line in each["lines"]]


async def test_what_an_agent_says_last_is_told_though_nothing_follows_it(clock, journal):
    following = Notices(journal, frozenset({"threads", "board"}), 0)
    journal.events.append(("daemon", "agent_update"))
    assert await told(following, 1) == []  # the board looked just now

    clock[0] += NOTICE_SECONDS
    newest = journal.say("thread-a", "done")
    assert await told(following, newest) == []

    assert following.patience(newest) == SETTLE_SECONDS
    clock[0] += SETTLE_SECONDS
    assert await told(following, newest) == ["done"]


async def test_nothing_is_waited_for_once_all_was_heard_and_settled(clock, journal):
    following = Notices(journal, frozenset({"threads", "board"}), 0)
    newest = journal.say("thread-a", "done")
    await told(following, newest)
    clock[0] += WATCHED_SECONDS + SETTLE_SECONDS
    await told(following, newest)

    assert following.patience(newest) == LOOK_SECONDS
    clock[0] += KNOWN_SECONDS
    await told(following, newest)
    assert following.patience(newest) is None


async def test_all_that_changed_lately_is_read_once_a_second_and_between_only_what_changes(
    clock, journal
):
    following = Notices(journal, frozenset({"threads"}), 0)
    for number in range(100):
        newest = journal.say(f"thread-{number}", "", kind="task_started")
    assert "task_started" not in IDLE
    await told(following, newest)
    journal.read.clear()
    for _ in range(12):
        clock[0] += NOTICE_SECONDS
        newest = journal.say("thread-7", f"at {clock[0]}", kind="task_started")
        assert await told(following, newest) == [f"at {clock[0]}"]

    assert [len(each) for each in journal.read] == [1, 1, 1, 100] * 3


async def test_a_row_that_follows_its_event_is_told_when_all_settles(clock, journal):
    following = Notices(journal, frozenset({"threads"}), 0)
    newest = journal.say("thread-a", "early", kind="task_started")
    assert await told(following, newest) == ["early"]
    clock[0] += NOTICE_SECONDS
    newest = journal.say("thread-b", "other", kind="task_started")
    journal.rows["thread-a"] = journal.rows["thread-a"].model_copy(update={"last_line": "late"})
    assert await told(following, newest) == ["other"]

    clock[0] += SETTLE_SECONDS
    assert await told(following, newest) == ["late"]


async def test_threads_of_others_repositories_are_not_told(clock, journal):
    following = Notices(journal, frozenset({"threads"}), 0, lambda project: project == "/other")
    newest = journal.say("thread-a", "secret", kind="task_started")
    assert await told(following, newest) == []


async def test_a_thread_that_is_deleted_is_taken_away_once_and_only_where_it_was_seen(
    clock, journal
):
    following = Notices(journal, frozenset({"threads"}), 0)
    stranger = Notices(journal, frozenset({"threads"}), 0, lambda project: project == "/other")
    newest = journal.say("thread-a", "deletes", kind="thread_deletion_requested")
    assert await gone(following, newest) == await gone(stranger, newest) == []

    del journal.rows["thread-a"]
    clock[0] += SETTLE_SECONDS
    assert await gone(following, newest) == ["thread-a"]
    assert await gone(stranger, newest) == []
    clock[0] += SETTLE_SECONDS
    assert await gone(following, newest) == []


async def test_a_deletion_that_takes_long_is_told_as_well(clock, journal):
    following = Notices(journal, frozenset({"threads"}), 0)
    newest = journal.say("thread-a", "deletes", kind="thread_deletion_requested")
    await gone(following, newest)
    for _ in range(2):  # its agents are ended, its worktrees removed
        clock[0] += WATCHED_SECONDS
        assert await gone(following, newest) == []
    assert following.patience(newest) == LOOK_SECONDS

    del journal.rows["thread-a"]
    clock[0] += LOOK_SECONDS
    assert await gone(following, newest) == ["thread-a"]
    clock[0] += LOOK_SECONDS
    assert await gone(following, newest) == []
