"""Hosts as a person sees them: with what is of their projects."""

from collections.abc import Collection, Sequence

from adapters.journal import SqlJournal
from domain.hosts.host import Host


async def seen_hosts(
    hosts: Sequence[Host], journal: SqlJournal, projects: Collection[str] | None
) -> list[Host]:
    """Return hosts with the threads and repositories of some projects; None is all."""
    if projects is None:
        return list(hosts)
    return [await _seen(host, journal, frozenset(projects)) for host in hosts]


async def _seen(host: Host, journal: SqlJournal, projects: frozenset[str]) -> Host:
    of = journal.people.projects.of
    threads = tuple([thread for thread in host.threads if await of(thread) in projects])
    repositories = tuple(name for name in host.repositories if name in projects)
    at_work = host.at_work and tuple(stream for stream in host.at_work if stream in threads)
    seen = {"threads": threads, "repositories": repositories, "at_work": at_work}
    return host.model_copy(update=seen)
