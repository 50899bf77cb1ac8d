"""Where threads go: whatever the hosts, one that can do it is chosen, the same each time, by load."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from domain.hosts.errors import NoHostError
from domain.hosts.host import MAX_LABELS, Host, HostFacts, HostSettings, HostState
from domain.hosts.placement import HostWish, candidates, lacking, obstacle, refuse_unlabelled

LABELS = st.lists(st.sampled_from(["gpu", "zone=a", "big"]), max_size=3, unique=True).map(tuple)


@st.composite
def hosts(draw):
    """Hosts of all kinds, with ids of their own."""
    ids = draw(st.lists(st.sampled_from("abcdef"), unique=True, max_size=6))
    return [
        Host(
            host=each,
            name=f"host-{each}",
            labels=draw(LABELS),
            slots=draw(st.integers(1, 4)),
            agents=draw(st.sampled_from([(), ("codex",)])),
            state=draw(st.sampled_from(HostState)),
            silent_seconds=draw(st.sampled_from([None, 0.5, 20.0, 400.0])),
            threads=tuple(f"thread-{n}" for n in range(draw(st.integers(0, 5)))),
        )
        for each in ids
    ]


@given(hosts(), LABELS, st.randoms())
def test_those_that_can_are_found_in_one_order(given_hosts, labels, chance):
    wish = HostWish(labels=labels)
    able = {host.host for host in given_hosts if not obstacle(host, wish)}
    if not able:
        with pytest.raises(NoHostError) as caught:
            candidates(given_hosts, wish)
        assert all(host.name in caught.value.message for host in given_hosts)
        return
    found = candidates(given_hosts, wish)
    assert {host.host for host in found} == able
    for host in found:
        assert host.state is HostState.UP
        assert host.silent_seconds is not None
        assert set(labels) <= set(host.labels)
    shuffled = chance.sample(given_hosts, len(given_hosts))
    assert candidates(shuffled, wish) == found
    loads = [len(host.threads) / host.slots for host in found]
    assert loads == sorted(loads)


@given(hosts(), LABELS, LABELS)
def test_labels_of_a_thread_and_of_its_template_must_both_be_there(given_hosts, asked, of_template):
    wish = HostWish(labels=asked).with_labels(of_template)
    assert set(wish.labels) == {*asked, *of_template}
    assert len(set(wish.labels)) == len(wish.labels)
    assert wish.labels[: len(asked)] == asked
    assert wish.with_labels(of_template) == wish
    for host in given_hosts:
        fits_both = not any(obstacle(host, HostWish(labels=each)) for each in (asked, of_template))
        assert (not obstacle(host, wish)) is fits_both
        if not lacking(host, of_template):
            refuse_unlabelled(host, of_template, "Default (Repo)")
            continue
        with pytest.raises(NoHostError, match="Default") as caught:
            refuse_unlabelled(host, of_template, "Default (Repo)")
        assert host.name in caught.value.message
        assert all(label in caught.value.message for label in set(of_template) - set(host.labels))


def test_as_many_labels_as_both_may_have_can_be_carried():
    many = [f"l{number}" for number in range(2 * MAX_LABELS)]
    wish = HostWish(labels=tuple(many[:MAX_LABELS])).with_labels(many[MAX_LABELS:])
    assert HostWish.model_validate_json(wish.model_dump_json()) == wish


@given(st.integers(1, 40), st.lists(st.integers(1, 8), min_size=1, max_size=4))
def test_threads_are_spread_by_slots(number, slots):
    every = [
        Host(host=str(n), name=f"h{n}", slots=count, silent_seconds=0.1)
        for n, count in enumerate(slots)
    ]
    for each in range(number):
        best = candidates(every, HostWish())[0]
        taken = best.model_copy(update={"threads": (*best.threads, f"thread-{each}")})
        every[every.index(best)] = taken
    fullest = max((len(host.threads) - 1) / host.slots for host in every)
    emptiest = min(len(host.threads) / host.slots for host in every)
    assert fullest <= emptiest


def test_one_that_has_the_agent_comes_first():
    busy = Host(host="a", name="a", agents=("codex",), silent_seconds=1, threads=("thread-1",))
    idle = Host(host="b", name="b", silent_seconds=1)
    assert [host.host for host in candidates([busy, idle], HostWish(), "codex")] == ["a", "b"]
    assert [host.host for host in candidates([busy, idle], HostWish(), "mine")] == ["b", "a"]


def test_labels_are_checked_and_compared_in_lower_case():
    assert HostFacts(host="a", name="a", labels=("GPU",)).labels == ("gpu",)
    assert HostSettings(labels="GPU, zone=a,,gpu").labels == "gpu, zone=a"
    with pytest.raises(ValidationError, match="a label has"):
        HostWish(labels=("a b",))
