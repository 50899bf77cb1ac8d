"""Services of recipes: in which order they start, for whom, and how they stand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from domain.core.ids import StreamId
from domain.core.ports import Beat
from domain.core.wire import Wire
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.recipe import Service, User

MAX_TAIL_BYTES = 3_000
"""What is told of the output of a service that failed."""


class ServiceState(StrEnum):
    """How a service stands; one that failed was not healthy in time, or exited by itself, not with 0."""

    STARTING = "starting"
    HEALTHY = "healthy"
    FAILED = "failed"
    EXITED = "exited"


class ServiceRun(Wire):
    """One start of a service: for whom, on which number; `failure` says why it is of no use."""

    user: User
    number: int | None = None
    state: ServiceState = ServiceState.STARTING
    failure: str = ""

    @property
    def url(self) -> str:
        """Where it answers, empty where it has no port."""
        return f"http://127.0.0.1:{self.number}" if self.number is not None else ""


class StartedService(Wire):
    """A service by its name, as its user finds it; `output` is the tail where it failed.

    `port` is the name of its port, `stream` that of its output, empty where it was never started.
    """

    name: str
    run: ServiceRun
    port: str | None = None
    stream: StreamId = StreamId("")
    output: str = ""
    is_new: bool = False

    @property
    def is_healthy(self) -> bool:
        """Whether its user can count on it."""
        return self.run.state is ServiceState.HEALTHY


@dataclass(frozen=True)
class ServicePlace:
    """Where services run and for whom: a folder of a workspace, seen as `shown_at`.

    `owner` is the task or session whose end is theirs. `names` are the services that are wanted, all
    of the user's where it is None.
    """

    owner: StreamId
    workspace: WorkspaceSpec
    user: User
    directory: Path
    shown_at: Path | None = None
    names: tuple[str, ...] | None = None


class Services(Protocol):
    """The services of this host's workspaces."""

    async def ports(self, workspace: WorkspaceSpec, user: User) -> Mapping[str, int]:
        """Return the numbers of a user's services by the ports' names, leased if need be."""
        ...

    async def start(self, place: ServicePlace, beat: Beat) -> tuple[StartedService, ...]:
        """Have services run, each once all that it depends on is healthy; a failure is a result.

        What runs already stays as it is, what has exited is started again.
        """
        ...

    async def stop(
        self, owner: StreamId, user: User, note: str, names: Iterable[str] | None = None
    ) -> None:
        """End services of a user, with all below them: those named, or all. Once more is harmless."""
        ...


def start_order(services: Mapping[str, Service], wanted: Iterable[str]) -> tuple[str, ...]:
    """Return what is wanted with all that it depends on, each after all that it depends on.

    Names that there are no services of are left out.
    """
    order: dict[str, None] = {}
    under_way: set[str] = set()

    def visit(name: str) -> None:
        if name in order or name in under_way or name not in services:
            return
        under_way.add(name)
        for other in services[name].depends_on:
            visit(other)
        order[name] = None

    for name in wanted:
        visit(name)
    return tuple(order)


def services_for(services: Mapping[str, Service], user: User) -> tuple[str, ...]:
    """Return a user's services in their order of start, with all that they depend on."""
    return start_order(services, (name for name, each in services.items() if user in each.users))


def lease_name(port: str, user: User) -> str:
    """Return under which name a service's port is leased: an agent's is its task's own.

    The others run beside it, on numbers of their own.
    """
    return port if user is User.AGENT else f"{user}.{port}"


def describe_failures(started: Iterable[StartedService]) -> str:
    """Say what failed and what it printed last; empty where all is well."""
    parts = [
        f"service {each.name}: {each.run.failure}\n{each.output}".strip()
        for each in started
        if not each.is_healthy
    ]
    return "\n\n".join(parts)


def describe_services(started: Iterable[StartedService]) -> str:
    """Write for an agent which services run for it; empty where there are none."""
    lines: list[str] = []
    for each in started:
        where = f" at {each.run.url}" if each.run.url else ""
        state = f"runs{where}" if each.is_healthy else f"does not run: {each.run.failure}"
        last = f"\n```\n{each.output.strip()}\n```" if each.output.strip() else ""
        lines.append(f"- {each.name} {state}{last}")
    if not lines:
        return ""
    head = "Services of this workspace. Treadle starts them before your turn; do not start them."
    return f"\n\n{head}\n\n" + "\n".join(lines) + "\n"
