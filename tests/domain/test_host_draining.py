"""How far a host is with draining, for any hosts and anything that is placed on them."""

from hypothesis import given
from hypothesis import strategies as st

from domain.hosts.draining import drain_of, leaves, reason_to_stay
from domain.hosts.failover import Placed
from domain.hosts.host import Host, HostState

NAMES = ("h0", "h1", "h2")
STREAMS = st.lists(st.sampled_from([f"thread-{n}" for n in range(4)]), unique=True).map(tuple)
PROJECTS = st.sampled_from(["/srv/shop", "https://git.example/shop@" + "a" * 40])
HOSTS = st.tuples(
    *(
        st.builds(
            Host,
            host=st.just(name),
            name=st.just(name),
            labels=st.sampled_from([(), ("gpu",)]),
            state=st.sampled_from(HostState),
            silent_seconds=st.none() | st.floats(0, 100),
            at_work=st.none() | STREAMS,
        )
        for name in NAMES
    )
)


@st.composite
def placed(draw: st.DrawFn) -> list[Placed]:
    return [
        Placed(
            stream=f"thread-{n}",
            host=draw(st.sampled_from(NAMES)),
            project=draw(PROJECTS),
            folders=draw(st.sampled_from([(), ("/srv/lib",)])),
            labels=draw(st.sampled_from([(), ("gpu",)])),
        )
        for n in range(draw(st.integers(0, 4)))
    ]


@given(HOSTS, placed(), st.booleans())
def test_all_that_is_on_a_draining_host_either_moves_or_stays_with_a_reason(
    hosts: tuple[Host, ...], every: list[Placed], has_hub: bool
):
    for host in hosts:
        drain = drain_of(host, every, hosts, has_hub=has_hub)
        assert (drain is None) == (host.state is not HostState.DRAINING)
        if drain is None:
            continue
        staying = [each.stream for each in drain.staying]
        here = [each.stream for each in every if each.host == host.host]
        assert sorted([*drain.moving, *staying]) == here
        assert all(each.reason for each in drain.staying)
        assert not (drain.moving and not has_hub)


@given(HOSTS, placed(), st.booleans())
def test_a_host_has_drained_once_its_worker_works_for_nothing_and_nothing_moves(
    hosts: tuple[Host, ...], every: list[Placed], has_hub: bool
):
    for host in hosts:
        drain = drain_of(host, every, hosts, has_hub=has_hub)
        if drain is None:
            continue
        has_ended = host.silent_seconds is None
        said_nothing = host.at_work is None or host.is_silent(30)
        if drain.is_drained:
            assert not drain.moving
            assert has_ended or host.at_work == ()
        if said_nothing and not has_ended:
            assert not drain.is_drained


@given(HOSTS, placed(), STREAMS)
def test_of_a_host_that_answers_only_what_is_idle_leaves_and_only_while_it_drains(
    hosts: tuple[Host, ...], every: list[Placed], idle: tuple[str, ...]
):
    by_name = {host.host: host for host in hosts}
    for each in every:
        host = by_name[each.host]
        goes = leaves(each, host, frozenset(idle))
        if host.state in {HostState.UP, HostState.CORDONED}:
            assert not goes
        elif host.state is HostState.LOST:
            assert goes
        elif host.silent_seconds is not None:
            assert goes == (each.stream in idle)


def test_the_reason_says_what_would_have_to_be_different():
    home = Host(host="h0", name="h0", state=HostState.DRAINING)
    other = Host(host="h1", name="h1", silent_seconds=1.0)
    at = Placed(stream="thread-a", host="h0", project="https://git.example/a@b", labels=("gpu",))
    folder = at.model_copy(update={"project": "/srv/a"})
    assert "folder /srv/a" in reason_to_stay(folder, (home, other), has_hub=True)
    both = at.model_copy(update={"folders": ("/srv/lib",)})
    assert "other repository is the folder /srv/lib" in reason_to_stay(both, (home,), has_hub=True)
    assert "TREADLE_HUB_URL" in reason_to_stay(at, (home, other), has_hub=False)
    assert "with the labels gpu" in reason_to_stay(at, (home, other), has_hub=True)
    fit = other.model_copy(update={"labels": ("gpu",)})
    assert reason_to_stay(at, (home, fit), has_hub=True) == ""
