"""What routes of runs are given: checked ids, folded runs, lists of them."""

import re
from typing import Annotated

from fastapi import Depends, Request

from adapters.journal import SqlJournal
from api.core.dependencies import JournalDep, ThreadLists
from api.core.projections import FlowProjections
from domain.core.errors import NotFoundError
from domain.core.event import Headline
from domain.core.ids import StreamId, thread_of
from domain.reading.listing import FlowRunQuery

_RUN_ID = re.compile(r"flow-[A-Za-z0-9][A-Za-z0-9_-]{0,62}-\d{1,12}", re.ASCII)


def _folds(request: Request) -> FlowProjections:
    return request.app.state.flow_folds


FlowProjectionsDep = Annotated[FlowProjections, Depends(_folds)]


def flow_run_id(run: str) -> StreamId:
    """Check a run's id in a path; one that cannot be is simply not found.

    Raises:
        NotFoundError: No run can have it.
    """
    if not _RUN_ID.fullmatch(run):
        raise NotFoundError("there is no such flow run; ids look like 'flow-review-1'")
    return StreamId(run)


FlowRun = Annotated[StreamId, Depends(flow_run_id)]


async def known_run(run: FlowRun, journal: JournalDep) -> StreamId:
    """Check that the journal knows a run.

    Raises:
        NotFoundError: It has no event of it.
    """
    if not await journal.read(run, limit=1):
        raise NotFoundError(f"there is no flow run {run!r}")
    return run


KnownFlowRun = Annotated[StreamId, Depends(known_run)]


class FlowRunLists:
    """Pages of runs; one whose agents ask something waits."""

    def __init__(self, journal: ThreadLists) -> None:
        self._journal: SqlJournal = journal

    async def page(self, query: FlowRunQuery, limit: int) -> list[Headline]:
        """Return the first runs that a query shows."""
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
