"""In a container: what it lacks is said with the way to start it, and who may be served."""

import pytest

import adapters.container
from adapters.container import ContainerError, check_address, check_sandbox
from adapters.processes.confinement import Confinement
from adapters.processes.isolation import Isolation
from domain.agents.sandbox import SandboxRules

EVERYWHERE = "0.0.0.0"  # noqa: S104
SANDBOX = SandboxRules().of(None, None)


@pytest.fixture
def in_container(monkeypatch, tmp_path):
    monkeypatch.setattr(adapters.container, "_MARKS", (tmp_path,))


@pytest.fixture
def on_host(monkeypatch, tmp_path):
    monkeypatch.setattr(adapters.container, "_MARKS", (tmp_path / "missing",))


def test_a_container_without_namespaces_is_refused_with_the_options_that_it_needs(in_container):
    lack = Confinement(Isolation("group", no_sandbox="bwrap: no permissions")).lack_of(SANDBOX)

    with pytest.raises(ContainerError, match=r"bwrap: no permissions. Start the container with"):
        check_sandbox(lack)
    assert "unmask=ALL" in lack
    assert "TREADLE_SANDBOX=off" in lack


def test_a_container_that_lacks_nothing_is_taken(in_container):
    check_sandbox("")


def test_a_host_without_namespaces_is_taken_as_its_agents_are_told(on_host):
    lack = Confinement(Isolation("group")).lack_of(SANDBOX)

    check_sandbox(lack)
    assert "container" not in lack


def test_the_api_is_served_beyond_loopback_in_containers_only():
    check_address("127.0.0.1", in_container=False)
    check_address(EVERYWHERE, in_container=True)
    with pytest.raises(ContainerError, match=r"TREADLE_API_HOST=0\.0\.0\.0 is for containers only"):
        check_address(EVERYWHERE, in_container=False)
