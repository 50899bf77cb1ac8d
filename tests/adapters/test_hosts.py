"""The hosts of a journal: what workers say of them, what people decide, what is placed where."""

import asyncio

import pytest

from adapters.host_watch import HostWatch
from adapters.journal import open_journal
from domain.core.errors import ConflictError
from domain.core.event import Headline
from domain.hosts.errors import HostLostError, NoHostError, UnknownHostError
from domain.hosts.host import HostFacts, HostState
from domain.hosts.placement import HostWish

A = HostFacts(host="aaaa", name="alpha", slots=2, machine="m1")
B = HostFacts(host="bbbb", name="beta", slots=2, labels=("gpu",), machine="m2")

HEADLINE = Headline(
    stream="thread-1",
    kind="thread",
    title="t",
    project="https://git.example/shop@" + "a" * 40,
    status="open",
    waiting_for="",
)


@pytest.fixture
async def journal(url):
    """A journal with two hosts that are alive."""
    async with open_journal(url) as found:
        for facts in (A, B):
            await found.hosts.register(facts)
            await found.presence.beat(facts.host)
        yield found


async def test_threads_are_spread_and_stay_where_they_were_placed(journal):
    placed = [(await journal.hosts.place(f"thread-{n}", HostWish()))[0].host for n in range(4)]
    assert placed == ["aaaa", "bbbb", "aaaa", "bbbb"]
    again = await journal.hosts.place("thread-1", HostWish())
    assert [host.host for host in again] == ["bbbb", "aaaa"]
    assert {host.name: host.threads for host in await journal.hosts.every()} == {
        "alpha": ("thread-0", "thread-2"),
        "beta": ("thread-1", "thread-3"),
    }
    assert (await journal.hosts.host_of("thread-3")).name == "beta"
    assert await journal.hosts.host_of("thread-9") is None
    await journal.hosts.note("thread-3", "aaaa")
    assert await journal.hosts.id_of("thread-3") == "aaaa"


async def test_a_label_decides(journal):
    for number in range(3):
        (host,) = await journal.hosts.place(f"thread-{number}", HostWish(labels=("gpu",)))
        assert host.name == "beta"
    await journal.hosts.decide("beta", HostState.CORDONED)
    with pytest.raises(NoHostError, match="alpha: it lacks the label gpu; beta: it is cordoned"):
        await journal.hosts.place("thread-9", HostWish(labels=("gpu",)))


async def test_labels_of_a_template_are_noted_besides_those_that_were_asked_for(journal):
    await journal.hosts.place("thread-1", HostWish(labels=("gpu",)))
    for _ in range(2):
        await journal.hosts.note("thread-1", "bbbb", ("zone=a", "gpu"))
    await journal.hosts.note("thread-1", "bbbb")
    await journal.append([], [HEADLINE])
    await journal.hosts.decide("beta", HostState.LOST)
    assert await journal.moves.move_on(has_hub=True) == []  # alpha has none of the labels
    zoned = HostFacts(host="cccc", name="gamma", labels=("zone=a", "gpu"), machine="m3")
    await journal.hosts.register(zoned)
    await journal.presence.beat("cccc")
    ((_, move),) = await journal.moves.move_on(has_hub=True)
    assert move.host == "cccc"


async def test_a_silent_host_gets_nothing_new(journal):
    await journal.presence.end("aaaa")
    assert (await journal.hosts.named("alpha")).is_silent()
    assert [each.name for each in await journal.hosts.place("thread-1", HostWish())] == ["beta"]
    with pytest.raises(NoHostError, match="its worker does not answer"):
        await journal.hosts.place("thread-2", HostWish(name="alpha"))


async def test_a_lost_host_is_refused_until_it_is_taken_back(journal):
    generation = await journal.hosts.register(A)
    lost = await journal.hosts.decide("alpha", HostState.LOST)
    assert lost.generation == generation + 1
    assert not await journal.hosts.is_still("aaaa", generation)
    with pytest.raises(HostLostError, match="treadle hosts uncordon alpha"):
        await journal.hosts.register(A)
    with pytest.raises(ConflictError, match="is lost"):
        await journal.hosts.decide("alpha", HostState.DRAINING)
    await journal.hosts.decide("aaaa", HostState.UP)
    assert await journal.hosts.register(A) == generation + 1
    assert not await journal.hosts.is_still("aaaa", generation)


async def test_a_worker_ends_when_its_host_is_declared_lost(journal):
    watch = await HostWatch.of(journal.hosts, lambda: A)
    keeping = asyncio.create_task(watch.keep(look=0.01))
    await journal.hosts.decide("alpha", HostState.LOST)
    with pytest.raises(HostLostError, match="declared lost while it worked"):
        await asyncio.wait_for(keeping, 60)


async def test_a_copied_data_folder_on_another_machine_is_refused_while_the_first_one_works(
    journal,
):
    copy = A.model_copy(update={"machine": "m3"})
    with pytest.raises(HostLostError, match="Remove `host-id`"):
        await journal.hosts.register(copy)
    await journal.presence.end("aaaa")
    await journal.hosts.register(copy)


async def test_an_unknown_name_is_refused_with_the_known_ones(journal):
    with pytest.raises(UnknownHostError, match="hosts: alpha, beta"):
        await journal.hosts.decide("gamma", HostState.LOST)
    await journal.hosts.register(HostFacts(host="cccc", name="beta"))
    with pytest.raises(UnknownHostError, match="use an id"):
        await journal.hosts.named("beta")


async def test_a_host_is_called_by_its_name_and_an_unknown_one_by_its_id(journal):
    assert await journal.hosts.name_of("aaaa") == "alpha"
    assert await journal.hosts.name_of("ffff") == "ffff"
