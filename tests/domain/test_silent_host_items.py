"""A host that fell silent is in the inbox while work waits for it."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.hosts.host import Host, HostState
from domain.reading.inbox.hosts import host_items
from domain.reading.inbox.item import InboxItem

NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)
LIMIT = 120
ALPHA = Host(host="aaaa", name="alpha", silent_seconds=1.0)
BETA = Host(host="bbbb", name="beta", silent_seconds=310.4, threads=("thread-a", "thread-b"))


def items(*hosts: Host) -> tuple[InboxItem, ...]:
    return host_items(hosts, LIMIT, NOW)


def test_it_says_which_host_since_when_and_how_much_waits():
    (item,) = items(ALPHA, BETA)
    assert item.subject == "Host beta is silent (5 min), 2 threads wait"
    assert (item.host, item.since) == ("beta", NOW - timedelta(seconds=311))
    assert "Bring the host back, or give it up" in item.reason


@pytest.mark.parametrize(
    ("threads", "words"),
    [
        (("thread-a",), "1 thread waits"),
        (("flow-x-1",), "1 flow run waits"),
        (("flow-x-1", "thread-a", "thread-b"), "2 threads and 1 flow run wait"),
    ],
)
def test_threads_and_flow_runs_are_counted_apart(threads, words):
    (item,) = items(ALPHA, BETA.model_copy(update={"threads": threads}))
    assert item.subject.endswith(words)


@pytest.mark.parametrize(
    "changes",
    [
        {"silent_seconds": 100.0},
        {"silent_seconds": None},  # its worker was stopped
        {"threads": ()},
        {"state": HostState.LOST},
    ],
)
def test_nothing_waits_for_a_host_that_answers_was_stopped_is_lost_or_has_nothing(changes):
    assert items(ALPHA, BETA.model_copy(update=changes)) == ()


def test_a_drained_host_is_named_as_well():
    assert len(items(ALPHA, BETA.model_copy(update={"state": HostState.DRAINING}))) == 1


def test_a_host_that_is_alone_is_no_item():
    lost = ALPHA.model_copy(update={"state": HostState.LOST})
    assert items(BETA) == items(lost, BETA) == ()


def test_of_two_hosts_of_one_name_commands_take_the_id():
    (item,) = items(ALPHA.model_copy(update={"name": "beta"}), BETA)
    assert (item.host, item.title) == ("bbbb", "beta")


def test_it_stays_the_same_item_while_the_host_is_silent():
    (before,), (after,) = (
        items(ALPHA, BETA),
        host_items(
            (ALPHA, BETA.model_copy(update={"silent_seconds": 3910.4})),
            LIMIT,
            NOW + timedelta(hours=1),
        ),
    )
    assert (before.item_id, before.since) == (after.item_id, after.since)
