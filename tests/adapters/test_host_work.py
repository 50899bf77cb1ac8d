"""What is on hosts, as lists and the inbox read it."""

import pytest

from adapters.journal import open_journal
from adapters.journal.presence import Presence
from domain.core.event import Headline
from domain.hosts.host import HostFacts


@pytest.fixture
async def journal(url):
    """A journal with two hosts and, on the second, three threads, one of which is over."""
    async with open_journal(url) as found:
        for host, name in (("aaaa", "alpha"), ("bbbb", "beta")):
            await found.hosts.register(HostFacts(host=host, name=name))
        lines = [
            Headline(stream="thread-a", kind="thread", title="A", project="/x", status="running"),
            Headline(stream="thread-b", kind="thread", title="B", project="/y", status="running"),
            Headline(stream="thread-c", kind="thread", project="/x", status="completed"),
            Headline(stream="thread-b/t1", kind="task", status="working"),
            Headline(stream="thread-b/t1/session-1", kind="session", status="working"),
            Headline(stream="thread-b/session-1", kind="session", status="working"),
        ]
        for line in lines:
            await found.append([], [line])
        for stream in ("thread-a", "thread-b", "thread-c"):
            await found.hosts.note(stream, "bbbb")
        yield found


async def test_what_is_at_work_comes_first_and_what_is_over_is_not_there(journal):
    found = await journal.host_work.on("bbbb", None)
    shown = [(line.stream, line.title, line.status, line.turns) for line in found]
    assert shown == [("thread-b", "B", "running", 2), ("thread-a", "A", "running", 0)]
    assert await journal.host_work.on("aaaa", None) == []


async def test_only_what_is_of_the_projects_is_there(journal):
    assert [line.stream for line in await journal.host_work.on("bbbb", {"/x"})] == ["thread-a"]
    assert await journal.host_work.on("bbbb", ()) == []


async def test_threads_are_counted_of_hosts_that_fell_silent_alone(journal, monkeypatch):
    async def ages(presence: Presence):
        return {"aaaa": 1.0, "bbbb": 310.0}

    monkeypatch.setattr(Presence, "ages", ages)
    alpha, beta = await journal.host_work.watched(120)
    assert (alpha.threads, beta.threads) == ((), ("thread-a", "thread-b"))
    assert [host.threads for host in await journal.host_work.watched(600)] == [(), ()]
