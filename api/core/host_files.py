"""Whose files a request means: those of the API's machine, where it is a host, or of another host."""

import asyncio
import uuid
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import Depends, Query
from pydantic import TypeAdapter

from adapters.agent_programs.host import Host as AgentHost
from adapters.host import known_host
from adapters.host_files import FilesOfHost
from api.core.dependencies import Person, SettingsDep, ThreadLists, WorkflowsDep
from api.core.permissions import canonical_project
from domain.core.errors import (
    NotConfirmedError,
    NotFoundError,
    RepositoryError,
    TreadleError,
    UnavailableError,
    error_named,
)
from domain.hosts.errors import NoHostError
from domain.hosts.file_calls import TRUSTING, FileCall, FileSubject
from domain.hosts.host import Host, HostState
from domain.hosts.placement import ALIVE_SECONDS, named
from domain.hosts.silence import silent_for
from settings import config_dir, environment, home_dir

T = TypeVar("T")

HERE = "the API's machine"
_ELSEWHERE = (RepositoryError, NotFoundError, UnavailableError)
"""Refusals of one host that another need not have."""

HostName = Annotated[
    str | None,
    Query(
        alias="host",
        min_length=1,
        max_length=64,
        description="Name or id of the host whose files are meant; without one, the first that has the repository",
    ),
]


class Place(NamedTuple):
    """Where files are: on a host, or, without one, where the API reads them itself."""

    name: str
    host: Host | None = None


class HostFiles:
    """Asks the files of the host that a request means, or of each host in turn."""

    def __init__(
        self,
        settings: SettingsDep,
        journal: ThreadLists,
        workflows: WorkflowsDep,
        person: Person,
        host: HostName = None,
    ) -> None:
        self._settings = settings
        self._journal = journal
        self._workflows = workflows
        self._person = person
        self._wanted = host
        self._own = known_host(settings.data_dir)

    async def ask(self, answer: type[T], subject: FileSubject, **given: Any) -> T:
        """Return the answer of the first place that has what is asked for.

        What a person trusts they trust by its content, wherever it is: all places are asked.

        Raises:
            TreadleError: What the files of the one place refuse; of several places, what each said.
        """
        _, found = await self.located(answer, subject, **given)
        return found

    async def located(self, answer: type[T], subject: FileSubject, **given: Any) -> tuple[Place, T]:
        """Return the answer and the place that it is from; fails as `ask`."""
        places = await self.places()
        repository: str | None = given.get("repository")
        call = FileCall(
            subject=subject,
            project=canonical_project(repository) if repository else "*",
            has_repository=places[0].host is not None or len(places) > 1,
            default_agent=self._settings.default_agent,
            by=self._person,
            **given,
        )
        reading = TypeAdapter(answer)
        place, content = await self._first(places, call)
        return place, reading.validate_json(content)

    async def places(self) -> list[Place]:
        """Return where to ask, the first one first.

        Raises:
            UnknownHostError: There is no host of the name that is wished for.
            UnavailableError: The host that is wished for, or each host, does not answer.
        """
        hosts = await self._journal.hosts.every()
        if self._wanted is not None:
            return [self._place(named(hosts, self._wanted))]
        others = [host for host in hosts if host.host != self._own]
        own = [Place(HERE)] if self._own or not others else []
        answering = [Place(host.name, host) for host in others if _answers(host)]
        if not own and not answering:
            each = "; ".join(f"host {host.name} {silent_for(host)}" for host in others)
            raise UnavailableError(
                f"files are on hosts of which none answers: {each}. See `treadle hosts`"
            )
        return own + answering

    async def host_of_agents(self) -> str:
        """Return the id of the host that an agent is checked on, empty for any worker.

        Raises:
            NoHostError: Several could do it, and none is named.
        """
        first, *others = await self.places()
        if first.host is None:
            return self._own
        if others:
            names = ", ".join(place.name for place in (first, *others))
            raise NoHostError(f"each host has agents of its own: name the host, one of {names}")
        return first.host.host

    def _place(self, host: Host) -> Place:
        if host.host == self._own:
            return Place(HERE)
        if not _answers(host):
            raise UnavailableError(
                f"these files are on host {host.name}, which {silent_for(host)}. See `treadle hosts`"
            )
        return Place(host.name, host)

    async def _first(self, places: list[Place], call: FileCall) -> tuple[Place, str]:
        refused: dict[str, TreadleError] = {}
        found: list[tuple[Place, str]] = []
        for place in places:
            try:
                found.append((place, await self._answer(place, call)))
            except TreadleError as error:
                refused[place.name] = error
                if call.subject not in TRUSTING and not isinstance(error, _ELSEWHERE):
                    break
            else:
                if call.subject not in TRUSTING:
                    break
        if found:
            return found[0]
        raise _refusal(refused)

    async def _answer(self, place: Place, call: FileCall) -> str:
        if place.host is None:
            return await asyncio.to_thread(self._here().answer, call)
        query = f"host-files-{uuid.uuid4().hex}"
        call = call.model_copy(update={"query_id": query, "host": place.host.host})
        try:
            answer = await self._workflows.ask_files(call)
        except NotConfirmedError as error:
            words = f"host {place.name} did not answer in time; only it has these files"
            raise UnavailableError(words) from error
        if answer.error:
            raise error_named(answer.error, answer.failure)
        return answer.content

    def _here(self) -> FilesOfHost:
        data_dir, programs = self._settings.data_dir, self._settings.programs
        host = AgentHost(data_dir, programs, home_dir(), environment)
        return FilesOfHost(config_dir(), host, is_here=bool(self._own))


def _answers(host: Host) -> bool:
    return host.state is not HostState.LOST and not host.is_silent(ALIVE_SECONDS)


def _refusal(refused: dict[str, TreadleError]) -> TreadleError:
    """Return the one refusal; of several places' the one that says what each said."""
    *_, last = refused.values()
    first = next(iter(refused.values()))
    if len(refused) == 1:
        return last
    kind = next((e for e in refused.values() if not isinstance(e, _ELSEWHERE)), first)
    each = "; ".join(f"{name}: {error.message}" for name, error in refused.items())
    return error_named(kind.type, f"no host has it. {each}")


HostFilesDep = Annotated[HostFiles, Depends()]
