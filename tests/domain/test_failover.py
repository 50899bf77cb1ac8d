"""When hosts are given up, for any hosts at all."""

from hypothesis import given
from hypothesis import strategies as st

from domain.hosts.failover import Placed, can_move, given_up, next_host
from domain.hosts.host import Host, HostState

AGES = st.none() | st.floats(0, 1000)


@st.composite
def hosts(draw: st.DrawFn) -> list[Host]:
    states = draw(st.lists(st.tuples(st.sampled_from(HostState), AGES), max_size=5))
    return [
        Host(host=f"h{n}", name=f"h{n}", state=state, silent_seconds=age)
        for n, (state, age) in enumerate(states)
    ]


@given(hosts(), st.floats(0, 1000))
def test_only_silent_hosts_are_given_up_and_never_the_last_one(every: list[Host], limit: float):
    lost = given_up(every, limit)
    for host in lost:
        assert host.silent_seconds is not None
        assert host.silent_seconds > limit > 0
        assert host.state is not HostState.LOST
    if lost:
        assert any(h.state is HostState.UP and not h.is_silent(min(limit, 30)) for h in every)


@given(hosts())
def test_work_goes_on_at_another_host_that_is_up(every: list[Host]):
    placed = Placed(stream="thread-a", host="h0", project="https://git.example/a@b")
    target = next_host(every, placed)
    if target is not None:
        assert target.host != "h0"
        assert target.state is HostState.UP
        assert not target.is_silent(30)


def test_work_moves_by_its_url_and_the_hub():
    at = Placed(stream="thread-a", host="h0", project="https://git.example/a")
    assert can_move(at, has_hub=True)
    assert not can_move(at, has_hub=False)
    assert not can_move(at.model_copy(update={"project": "/srv/a"}), has_hub=True)
    assert not can_move(at.model_copy(update={"folders": ("/srv/lib",)}), has_hub=True)
