"""What is said of a host that does not answer."""

import pytest

from domain.hosts.host import Host, HostState
from domain.hosts.silence import heartbeat, silence

HOST = Host(host="bbbb", name="beta")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"silent_seconds": 370.0}, "host beta has been silent for 6 min"),
        ({"silent_seconds": 4 * 3600.0}, "host beta has been silent for 4 h"),
        ({"silent_seconds": None}, "host beta has no worker"),
        ({"state": HostState.LOST}, "host beta is lost, so nothing waits for it"),
    ],
)
def test_it_says_since_when_and_what_to_do(changes, words):
    assert silence(HOST.model_copy(update=changes)).startswith(words)


def test_nothing_is_said_of_a_host_that_answers():
    assert silence(HOST.model_copy(update={"silent_seconds": 3.0})) == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, "none"), (1.5, "1 s ago"), (61.0, "1 min ago"), (3 * 3600.0, "3 h ago")],
)
def test_a_heartbeat_is_so_long_ago(seconds, words):
    assert heartbeat(seconds) == words
