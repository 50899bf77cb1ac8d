"""Views of services and of their starts, from the recipe and the journal."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from domain.agents.terminal_events import ServiceChecked, TerminalEnded, TerminalOpened
from domain.agents.terminals import Terminal
from domain.core.ids import EventId, StreamId
from domain.core.ports import Journal
from domain.core.wire import Wire
from domain.recipes.recipe import Service, User
from domain.recipes.services import ServiceRun, ServiceState
from domain.tasks.terminals import describe_exit_of


class ServiceRunView(Wire):
    """One start of a service; `number` names its output, `url` is where it answers while it does.

    `note` says why it failed or ended.
    """

    number: int
    user: User
    state: ServiceState
    port: int | None = None
    url: str = ""
    note: str = ""
    stream: StreamId
    opened_at: datetime
    ended_at: datetime | None = None

    @property
    def is_up(self) -> bool:
        """Whether its process is there."""
        return self.ended_at is None


class ServiceView(Wire):
    """A service of the recipe, and the newest start for each user that had one."""

    name: str
    command: str
    port: str | None = None
    users: tuple[User, ...] = ()
    depends_on: tuple[str, ...] = ()
    runs: tuple[ServiceRunView, ...] = ()


class ServiceList(Wire):
    """The services of a workspace, in the recipe's order."""

    services: tuple[ServiceView, ...]


async def runs_below(journal: Journal, owner: StreamId) -> list[tuple[str, ServiceRunView]]:
    """Return the starts of a task's services with the services' names, the oldest first."""
    headlines = await journal.headlines("service", below=owner)
    found = [await _run(journal, headline.stream) for headline in headlines]
    return sorted((each for each in found if each is not None), key=lambda each: each[1].number)


def views_of(
    services: Mapping[str, Service], runs: Iterable[tuple[str, ServiceRunView]]
) -> tuple[ServiceView, ...]:
    """Return the services with their newest starts."""
    newest = {(name, run.user): run for name, run in runs}
    return tuple(
        ServiceView(
            name=name,
            command=service.command,
            port=service.port,
            users=service.users,
            depends_on=service.depends_on,
            runs=tuple(newest[name, user] for user in User if (name, user) in newest),
        )
        for name, service in services.items()
    )


async def _run(journal: Journal, stream: StreamId) -> tuple[str, ServiceRunView] | None:
    names = ("opened", "checked", "ended")
    opened, checked, ended = [await journal.event(EventId(f"{stream}:{name}")) for name in names]
    if opened is None or not isinstance(opened.body, TerminalOpened):
        return None
    terminal = opened.body.terminal
    run = terminal.service
    if checked is not None and isinstance(checked.body, ServiceChecked):
        run = checked.body.terminal.service
    if run is None:
        return None
    note = run.failure
    if ended is not None and isinstance(ended.body, TerminalEnded):
        run = _over(run, ended.body.terminal)
        note = note or describe_exit_of(ended.body.terminal)
    return terminal.label, ServiceRunView(
        number=int(stream.rpartition("-")[2]),
        user=run.user,
        state=run.state,
        port=run.number,
        url=run.url if run.state is ServiceState.HEALTHY else "",
        note=note,
        stream=stream,
        opened_at=opened.at,
        ended_at=ended.at if ended else None,
    )


def _over(run: ServiceRun, terminal: Terminal) -> ServiceRun:
    """Return a start whose process is gone; one that went by itself, and not well, has failed."""
    is_own = not terminal.note and bool(terminal.exit_code or terminal.signal)
    is_failed = is_own or run.state is ServiceState.FAILED
    state = ServiceState.FAILED if is_failed else ServiceState.EXITED
    return run.model_copy(update={"state": state})
