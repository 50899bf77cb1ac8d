"""Sandboxes: by role and settings; nothing but the user's settings makes one weaker."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import READERS, SessionRole
from domain.agents.protected import MAX_PLANTED, planted_among
from domain.agents.sandbox import Level, Sandbox, SandboxRules, narrowed, port_list, ports_of_urls
from domain.core.network import Network

ports = st.integers(1, 65_535)
port_sets = st.frozensets(ports, max_size=5)
repositories = st.sampled_from([None, Path("/one"), Path("/two")])
roles = st.sampled_from([None, *SessionRole])
all_rules = st.builds(
    SandboxRules,
    level=st.sampled_from([Level.OFF, Level.WORKSPACE_WRITE]),
    network=st.sampled_from([Network.HOST, Network.PORTS, Network.NONE]),
    connect=port_sets.map(tuple),
    forbidden=port_sets,
    off_for=st.sampled_from([(), ("/one",)]),
)


@given(all_rules, roles, repositories, port_sets, port_sets)
def test_readers_write_nothing_and_only_the_user_turns_it_off(rules, role, repository, own, more):
    sandbox = rules.of(role, repository, own, more)

    is_off = rules.level is Level.OFF or str(repository) in rules.off_for
    assert (sandbox.level is Level.OFF) == is_off
    if not is_off:
        assert (sandbox.level is Level.READ_ONLY) == (role in READERS)


@given(all_rules, roles, repositories, port_sets, port_sets)
def test_treadles_own_ports_are_never_reached(rules, role, repository, own, more):
    sandbox = rules.of(role, repository, own, more)

    assert not rules.forbidden & {*sandbox.ports, *sandbox.connect}
    assert sandbox.network is not Network.HOST or Network.HOST in {rules.network, Sandbox().network}
    if sandbox.network is Network.PORTS:
        assert {*sandbox.ports} <= own
        assert {*sandbox.connect} <= {443, *rules.connect, *more}


@given(all_rules, port_sets, st.sampled_from([None, *Network]))
def test_a_step_only_narrows_its_network(rules, own, network):
    before = rules.of(None, None, own)
    after = narrowed(before, network)

    order = list(Network)
    assert after.level is before.level
    assert order.index(after.network) >= order.index(before.network)
    assert {*after.ports, *after.connect} <= {*before.ports, *before.connect}


@given(st.lists(st.tuples(ports, st.integers(0, 20)), max_size=4))
def test_a_list_of_ports_is_read_as_it_is_written(ranges):
    ranges = [(first, min(65_535, first + more)) for first, more in ranges]
    text = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)

    assert port_list(text) == tuple(sorted({p for a, b in ranges for p in range(a, b + 1)}))


@pytest.mark.parametrize("text", ["0", "65536", "9-8", "a", "1-", "-1", "80 81", "1-2-3"])
def test_what_is_no_port_is_named(text):
    with pytest.raises(ValueError, match="no port"):
        port_list(text)


def test_the_ports_of_a_model_are_found_where_it_is_named():
    texts = [
        *("http://127.0.0.1:11434/v1", "localhost:8000", "http://plain.example", "x"),
        '{"baseURL": "http://[::1]:9000/v1"}, "https://api.example:99999"',
    ]

    assert ports_of_urls(texts) == {11_434, 8_000, 80, 9_000}


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        (".claude/settings.json", True),
        ("deep/down/.vscode/tasks.json", True),
        ("sub/.envrc", True),
        ("flows/nightly.json", True),
        ("flows/nightly.py", False),
        ("src/claude.py", False),
        ("vscode/x", False),
    ],
)
def test_files_that_make_tools_run_something_are_reported(name, is_told):
    assert planted_among([name]) == ((name,) if is_told else ())


def test_told_files_are_bounded():
    assert len(planted_among(f"{n}/.envrc" for n in range(200))) == MAX_PLANTED


@given(port_sets, port_sets)
def test_the_summary_is_one_short_line(own, connect):
    sandbox = Sandbox(
        level=Level.WORKSPACE_WRITE,
        network=Network.PORTS,
        ports=tuple(sorted(own)),
        connect=tuple(sorted(connect)),
    )

    assert len(sandbox.summary) < 200
    assert "\n" not in sandbox.summary
