"""How agents did in each repository, kept up to date: only tasks that ended since the last look are read again."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.engines import Engines
from adapters.journal.faults import journal_error
from adapters.journal.floor import whole_upto
from adapters.journal.reports import STREAMS_AT_ONCE, folded
from adapters.journal.tables import EVENTS, HEADLINES
from domain.core.ids import thread_of
from domain.learnings.identity import repository_of
from domain.reading.listing import is_project
from domain.reading.report.projection import StreamFold, is_counted
from domain.reading.report.tally import Tally, Trial, Who

_END = "task_ended"
_TOPS = select(HEADLINES.c.stream, HEADLINES.c.project).where(HEADLINES.c.kind == "thread")


class _Trials(NamedTuple):
    """What is kept of a task: of many tasks a whole tally of each would be much."""

    trials: Mapping[Who, Sequence[Trial]]
    contests: Mapping[str, Sequence[tuple[Who, bool]]]


class _Read(NamedTuple):
    """The trials of all tasks by their streams, as of a position."""

    upto: int
    tasks: dict[str, _Trials]


class AgentRecords:
    """The trials of agents, by the connections of an open journal."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._known = _Read(0, {})
        self._reading = asyncio.Lock()

    async def of(self, project: str) -> Tally:
        """Return the trials of a repository's tasks: by its folder, URL or last name; empty is all. It may have none."""
        upto = await self._engines.lookups.run(whole_upto)
        try:
            async with self._reading, self._engines.read.connect() as connection:
                known = self._known
                if upto > known.upto:
                    known = await _read_on(connection, known, upto)
                tops = (await connection.execute(_TOPS)).all()
                self._known = known = _without_removed(known, {row.stream for row in tops})
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, self._engines.file) from error
        wanted = {
            row.stream
            for row in tops
            if not project or is_project(repository_of(row.project), project)
        }
        return _sum_of(known.tasks, wanted)


def _without_removed(known: _Read, tops: Collection[str]) -> _Read:
    """Forget the tasks of threads that are not there any more."""
    kept = {name: task for name, task in known.tasks.items() if thread_of(name) in tops}
    return known if len(kept) == len(known.tasks) else known._replace(tasks=kept)


def _sum_of(tasks: dict[str, _Trials], tops: Collection[str]) -> Tally:
    total = Tally()
    for stream, task in tasks.items():
        if thread_of(stream) in tops:
            for who, trials in task.trials.items():
                total.trials[who].extend(trials)
            for name, contenders in task.contests.items():
                total.contests[name].extend(contenders)
    return total


async def _read_on(connection: AsyncConnection, known: _Read, upto: int) -> _Read:
    """Read the tasks that ended after a position again, each whole; of its counts only the trials are kept."""
    await connection.execution_options(isolation_level="SERIALIZABLE")
    place = EVENTS.c.position
    ended = select(EVENTS.c.stream).where(place > known.upto, place <= upto, EVENTS.c.kind == _END)
    names = sorted(name for name in set(await connection.scalars(ended)) if is_counted(name))
    tasks = dict(known.tasks)
    for first in range(0, len(names), STREAMS_AT_ONCE):
        tasks |= await _trials_of(connection, names[first : first + STREAMS_AT_ONCE])
    return _Read(upto, tasks)


async def _trials_of(connection: AsyncConnection, streams: Sequence[str]) -> dict[str, _Trials]:
    found = [each async for each in folded(connection, streams, StreamFold)]
    return {stream: _Trials(tally.trials, tally.contests) for stream, tally in found if stream}
