"""Threads and flow runs are opened on a host that can take them; each host is asked on its own queue."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import pytest
from temporalio import activity
from temporalio.client import WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError
from temporalio.worker import Worker

import workflows.placing
from domain.core.errors import RepositoryError
from domain.core.ids import host_queue
from domain.hosts.errors import NoHostError
from domain.hosts.host import Host
from domain.hosts.placement import HostWish
from domain.threads.calls import OpenedThread, OpenThreadCall
from domain.threads.patches import ALL
from tests.workflows.conftest import House, housed


class PaperPlacements:
    """Hosts by their order; notes where each thread is."""

    def __init__(self, *hosts: str) -> None:
        self.hosts = [Host(host=host, name=f"name-{host}") for host in hosts]
        self.noted: dict[str, str] = {}
        self.labels: dict[str, tuple[str, ...]] = {}

    async def place(self, stream: str, wish: HostWish, agent: str = "") -> list[Host]:
        if not self.hosts:
            raise NoHostError("no host can do this")
        return [host for host in self.hosts if wish.name in {"", host.name}]

    async def note(self, stream: str, host: str, labels: Sequence[str] = ()) -> None:
        self.noted[stream] = host
        self.labels[stream] = tuple(labels)

    async def named(self, name: str) -> Host:
        return next(host for host in self.hosts if host.host == name)

    async def id_of(self, stream: str) -> str:
        return self.noted.get(stream, "")


@activity.defn(name="open_thread")
async def without_repository(call: OpenThreadCall) -> OpenedThread:
    """Refuse, as a host does that lacks the repository."""
    raise ApplicationError("/repo is not there", type=RepositoryError.type, non_retryable=True)


@activity.defn(name="open_thread")
async def without_label(call: OpenThreadCall) -> OpenedThread:
    """Refuse, as a host does that lacks a label of the template that it has read."""
    words = "host other lacks the label gpu"
    raise ApplicationError(words, type=NoHostError.type, non_retryable=True)


@pytest.fixture
def house_of(server, tmp_path) -> Callable[..., Awaitable[House]]:
    """A worker of the host `test`, and a list of hosts."""
    return lambda *hosts: housed(server.client, tmp_path, PaperPlacements(*hosts))


async def opened_on(house: House, **more: object) -> str:
    handle = await house.open("chat", has_plan=False, patches=ALL, **more)
    is_opening = lambda event: event.stream == handle.id and event.body.kind == "thread_opened"  # noqa: E731
    body = (await house.journal.until(is_opening)).body
    assert house.placements is not None
    assert await house.placements.id_of(handle.id) == body.host
    return body.host


async def test_a_host_without_the_repository_is_passed_over(house_of):
    async with house_of("other", "test") as house:
        other = Worker(
            house.client, task_queue=host_queue("other"), activities=[without_repository]
        )
        async with other:
            assert await opened_on(house) == "test"


async def test_a_host_without_a_label_of_the_template_is_passed_over(house_of):
    async with house_of("other", "test") as house:
        other = Worker(house.client, task_queue=host_queue("other"), activities=[without_label])
        async with other:
            assert await opened_on(house) == "test"


async def test_a_host_that_does_not_begin_is_passed_over(house_of, monkeypatch):
    monkeypatch.setattr(workflows.placing, "SOON", timedelta(seconds=1))
    async with house_of("silent", "test") as house:
        assert await opened_on(house) == "test"


async def test_the_wish_is_followed_though_another_host_comes_first(house_of):
    async with house_of("silent", "test") as house:
        assert await opened_on(house, hosts=HostWish(name="name-test")) == "test"


async def test_what_has_its_commits_on_a_host_goes_there(house_of):
    async with house_of("silent") as house:
        assert await opened_on(house, on_host="test") == "test"


async def test_no_host_is_a_refusal_that_says_why(house_of):
    async with house_of() as house:
        with pytest.raises(WorkflowUpdateFailedError) as caught:
            await opened_on(house)
    assert isinstance(caught.value.cause, ApplicationError)
    assert caught.value.cause.type == "no_host"


async def test_all_hosts_without_the_repository_are_named_in_one_refusal(house_of):
    async with house_of("one", "two") as house:
        one, two = (
            Worker(house.client, task_queue=host_queue(name), activities=[without_repository])
            for name in ("one", "two")
        )
        async with one, two:
            with pytest.raises(WorkflowUpdateFailedError) as caught:
                await opened_on(house)
    cause = caught.value.cause
    assert isinstance(cause, ApplicationError)
    assert cause.type == RepositoryError.type
    assert "name-one: /repo is not there; name-two: /repo is not there" in cause.message
