"""What routes of flow runs depend on: checked ids and lists of runs."""

import re
from typing import Annotated

from fastapi import Depends

from adapters.journal import SqlJournal
from api.core.dependencies import JournalDep, Number, ThreadLists
from domain.core.errors import NotFoundError
from domain.core.event import Headline
from domain.core.ids import SessionId, StreamId, session_stream, thread_of
from domain.reading.listing import FlowRunQuery

_RUN_ID = re.compile(r"flow-[A-Za-z0-9][A-Za-z0-9_-]{0,62}-\d{1,12}", re.ASCII)


def flow_run_id(run: str) -> StreamId:
    """Check a run's id in a path; a malformed one is not found.

    Raises:
        NotFoundError: It is malformed.
    """
    if not _RUN_ID.fullmatch(run):
        raise NotFoundError("no such flow run; ids look like 'flow-review-1'")
    return StreamId(run)


FlowRun = Annotated[StreamId, Depends(flow_run_id)]


def flow_session(run: FlowRun, number: Number) -> SessionId:
    """Return the id of a session of a run in a path."""
    return session_stream(run, number)


FlowSession = Annotated[SessionId, Depends(flow_session)]


async def known_run(run: FlowRun, journal: JournalDep) -> StreamId:
    """Check that the journal has a run.

    Raises:
        NotFoundError: It does not.
    """
    if not await journal.read(run, limit=1):
        raise NotFoundError(f"flow run {run!r} not found; list them with `treadle flow runs`")
    return run


KnownFlowRun = Annotated[StreamId, Depends(known_run)]


class FlowRunLists:
    """Pages of runs; one whose agents have a question is waiting."""

    def __init__(self, journal: ThreadLists) -> None:
        self._journal: SqlJournal = journal

    async def page(self, query: FlowRunQuery, limit: int) -> list[Headline]:
        """Return the first runs that match a query."""
        asking = {
            str(thread_of(line.stream)): line.waiting_for
            for line in await self._journal.asking()
            if line.stream.startswith("flow-")
        }
        runs = [_asked(run, asking) for run in await self._journal.headlines("flow")]
        return [run for run in runs if query.shows(run)][:limit]


def _asked(run: Headline, asking: dict[str, str]) -> Headline:
    question = asking.get(run.stream)
    if question is None or run.status != "running":
        return run
    return run.model_copy(update={"status": "waiting", "waiting_for": question})


RunLists = Annotated[FlowRunLists, Depends()]
