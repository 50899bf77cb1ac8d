"""Moves of threads from hosts that are lost: who is given up, what moves, and that each move is sent."""

import asyncio

import pytest

from adapters.host_failover import HostFailover
from adapters.journal import open_journal
from domain.core.beside import OpenedBeside
from domain.core.event import Headline
from domain.hosts.errors import HostLostError
from domain.hosts.host import HostFacts, HostState
from domain.hosts.placement import HostWish
from tests.adapters.test_hosts import A, B
from tests.api.conftest import event
from tests.cli.test_several import OPENED

C = HostFacts(host="cccc", name="gamma", slots=2, labels=("gpu",), machine="m3")
URL = "https://git.example/shop@" + "a" * 40


@pytest.fixture
async def journal(url):
    """A journal with three hosts that are alive."""
    async with open_journal(url) as found:
        for facts in (A, B, C):
            await found.hosts.register(facts)
            await found.presence.beat(facts.host)
        yield found


async def opened(journal, stream: str, host: str, project: str = URL, labels=()) -> None:
    await journal.hosts.place(stream, HostWish(name=host, labels=labels))
    headline = Headline(
        stream=stream, kind="thread", title="t", project=project, status="open", waiting_for=""
    )
    await journal.append([], [headline])


async def test_what_has_a_url_moves_from_a_lost_host_and_is_sent_until_it_is_known(journal):
    await opened(journal, "thread-1", "beta")
    await opened(journal, "thread-2", "beta", project="/srv/shop")
    await opened(journal, "thread-3", "alpha")
    assert await journal.moves.move_on(has_hub=True) == []
    await journal.hosts.decide("beta", HostState.LOST)
    assert await journal.moves.move_on(has_hub=False) == []
    ((stream, move),) = await journal.moves.move_on(has_hub=True)
    assert (stream, move.host, move.generation) == ("thread-1", "cccc", 1)
    assert await journal.moves.move_on(has_hub=True) == [(stream, move)]
    await journal.moves.note_sent(stream, 1)
    assert await journal.moves.move_on(has_hub=True) == []
    assert await journal.moves.moves_to("thread-1", "cccc") == 1
    assert await journal.moves.moves_to("thread-1", "bbbb") == 0
    threads = {host.name: host.threads for host in await journal.hosts.every()}
    assert threads == {"alpha": ("thread-3",), "beta": ("thread-2",), "gamma": ("thread-1",)}


async def test_what_has_a_folder_as_another_repository_stays_and_says_so(journal):
    for number, other in enumerate(("/srv/lib", URL)):
        await opened(journal, f"thread-{number}", "beta")
        beside = OpenedBeside(name="lib", repository=other, begins_at="b" * 40, since="a" * 40)
        body = OPENED.model_copy(update={"beside": (beside,)})
        await journal.append([event(1, f"thread-{number}", body)])
    await journal.hosts.decide("beta", HostState.DRAINING)
    (drain,) = (await journal.moves.drains(has_hub=True)).values()
    assert drain.moving == ("thread-1",)
    assert [(each.stream, "/srv/lib" in each.reason) for each in drain.staying] == [
        ("thread-0", True)
    ]
    await journal.hosts.decide("beta", HostState.LOST)
    assert [stream for stream, _ in await journal.moves.move_on(has_hub=True)] == ["thread-1"]


async def test_work_goes_only_where_its_labels_are(journal):
    await opened(journal, "thread-1", "gamma", labels=("gpu",))
    await journal.hosts.decide("gamma", HostState.LOST)
    await journal.hosts.decide("beta", HostState.CORDONED)
    assert await journal.moves.move_on(has_hub=True) == []
    await journal.hosts.decide("beta", HostState.UP)
    ((_, move),) = await journal.moves.move_on(has_hub=True)
    assert move.host == "bbbb"


async def test_many_watch_and_each_move_is_made_once(journal):
    for number in range(8):
        await opened(journal, f"thread-{number}", "alpha")
    await journal.hosts.decide("alpha", HostState.LOST)
    every = await asyncio.gather(*(journal.moves.move_on(has_hub=True) for _ in range(4)))
    assert {move.generation for found in every for _, move in found} == {1}
    spread = [len(h.threads) for h in await journal.hosts.every() if h.name != "alpha"]
    assert spread == [4, 4]


async def test_a_host_is_given_up_once_and_only_where_others_can_go_on(journal, monkeypatch):
    ages = {"aaaa": 1.0, "bbbb": 50.0, "cccc": 1.0}

    async def told(_):
        return ages

    monkeypatch.setattr("adapters.journal.presence.Presence.ages", told)
    assert await journal.moves.give_up(30, has_hub=True) == []  # it holds nothing
    await opened(journal, "thread-1", "alpha")
    await journal.hosts.note("thread-1", "bbbb")
    assert await journal.moves.give_up(0, has_hub=True) == []
    assert await journal.moves.give_up(60, has_hub=True) == []
    assert await journal.moves.give_up(30, has_hub=False) == []
    ages |= {"aaaa": 50.0, "cccc": 1e10}
    assert await journal.moves.give_up(30, has_hub=True) == []  # nobody is there
    ages |= {"aaaa": 1.0}
    (lost,) = await journal.moves.give_up(30, has_hub=True)
    assert lost.name == "beta"
    assert await journal.moves.give_up(30, has_hub=True) == []
    assert (await journal.hosts.named("beta")).generation == 2


async def test_a_host_that_is_given_up_writes_nothing_more(url):
    async with open_journal(url) as late, open_journal(url) as other:
        generation = await late.hosts.register(A)
        late.fence("aaaa", generation)
        await late.append([event(0)])
        await other.hosts.decide("alpha", HostState.LOST)
        with pytest.raises(HostLostError, match="was declared lost"):
            await late.append([event(1)])
        assert len(await other.read()) == 1
        await other.hosts.decide("alpha", HostState.UP)
        with pytest.raises(HostLostError):
            await late.append([event(1)])


async def test_a_workflow_that_has_ended_goes_nowhere(journal, temporal_server):
    await opened(journal, "thread-gone", "beta")
    await journal.hosts.decide("beta", HostState.LOST)
    failover = HostFailover(journal.moves, temporal_server.client, 0, has_hub=True)
    await failover.look()
    assert await journal.moves.unsent() == []


async def test_only_what_is_idle_moves_from_a_host_that_drains(journal):
    await opened(journal, "thread-1", "beta")
    await opened(journal, "thread-2", "beta")
    await opened(journal, "thread-3", "beta", project="/srv/shop")
    assert await journal.moves.release("bbbb", frozenset({"thread-1"})) == []
    await journal.hosts.decide("beta", HostState.DRAINING)
    assert await journal.moves.move_on(has_hub=True) == []
    every = frozenset({"thread-1", "thread-3"})
    ((stream, move),) = await journal.moves.release("bbbb", every)
    assert (stream, move.host, move.generation) == ("thread-1", "aaaa", 1)
    await journal.moves.note_sent(stream, 1)
    drain = (await journal.moves.drains(has_hub=True))["bbbb"]
    assert (drain.moving, drain.is_answering) == (("thread-2",), False)
    assert [each.stream for each in drain.staying] == ["thread-3"]
    await journal.presence.end("bbbb")
    ((stream, _),) = await journal.moves.move_on(has_hub=True)
    assert stream == "thread-2"
    drain = (await journal.moves.drains(has_hub=True))["bbbb"]
    assert drain.is_drained


async def test_what_is_at_work_on_a_draining_host_is_of_its_present_drain(journal):
    await journal.moves.report_work("bbbb", ("thread-1",))
    assert (await journal.hosts.named("beta")).at_work is None
    await journal.hosts.decide("beta", HostState.DRAINING)
    await journal.moves.report_work("bbbb", ("thread-1",))
    await journal.hosts.register(B)
    assert (await journal.hosts.named("beta")).at_work == ("thread-1",)
    await journal.moves.report_work("bbbb", ())
    assert (await journal.moves.drains(has_hub=False))["bbbb"].is_drained
    await journal.hosts.decide("beta", HostState.UP)
    assert await journal.moves.drains(has_hub=False) == {}
    await journal.hosts.decide("beta", HostState.DRAINING)
    assert not (await journal.moves.drains(has_hub=False))["bbbb"].is_answering


async def test_a_host_can_drain_until_its_worker_starts_again(journal):
    await journal.hosts.decide("beta", HostState.DRAINING)
    await journal.moves.start("bbbb")
    assert (await journal.hosts.named("beta")).state is HostState.DRAINING
    await journal.hosts.decide("beta", HostState.DRAINING, is_until_start=True)
    await journal.hosts.register(B)
    await journal.moves.start("bbbb")
    assert (await journal.hosts.named("beta")).state is HostState.UP
