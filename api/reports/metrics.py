"""The metrics of an installation, as each of its APIs shows them: what happened, and how all stands.

Counters begin with the process, and count what any process journaled since: of several APIs' counters
each has the whole.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from fastapi import FastAPI

from adapters.journal import SqlJournal
from adapters.journal.pages import Wanted
from adapters.metrics import Meters, MetricsPage, read_metrics_token, serving_metrics
from adapters.readings.inboxes import Inboxes
from adapters.readings.projections import QueueProjections
from api.core.health import Health, health
from api.core.workflow_client import WorkflowClient
from domain.core.errors import NotFoundError, TreadleError
from domain.core.event import EventBody, JournaledEvent
from domain.queue.inputs import QUEUE
from domain.reading.measures import families as of
from domain.reading.measures.events import KINDS, Measure, measures_of, told_of
from domain.reading.measures.state import measure_open, measure_queue, measure_waits
from settings import Settings

REMEMBERED = 10_000
_PARTS = {"up": 1, "down": 0}


class JournalCounts:
    """What events add, each counted once."""

    def __init__(self, journal: SqlJournal, meters: Meters) -> None:
        self._journal = journal
        self._meters = meters
        self._position: int | None = None
        self._counted: OrderedDict[str, None] = OrderedDict()

    async def count(self, upto: int) -> None:
        """Count the events up to a position; the first time none."""
        if self._position is None or upto < self._position:
            self._position = upto
        but = frozenset(EventBody.KINDS) - KINDS
        async for batch in self._journal.raw(Wanted(but=but), after=self._position, upto=upto):
            for raw in batch:
                body = JournaledEvent.model_validate_json(raw.text).event.body
                if self._is_new(told_of(body)):
                    self._meters.add(measures_of(body))
            self._position = batch[-1].position
        self._position = upto

    def _is_new(self, told: str) -> bool:
        if not told:
            return True
        if told in self._counted:
            return False
        self._counted[told] = None
        if len(self._counted) > REMEMBERED:
            self._counted.popitem(last=False)
        return True


class WebhookCounts:
    """What webhooks add, as the process that takes them writes it to the journal."""

    def __init__(self, journal: SqlJournal, meters: Meters) -> None:
        self._deliveries = journal.webhook_deliveries
        self._meters = meters
        self._counted: dict[tuple[of.Family, str, str], int] | None = None

    async def count(self) -> None:
        """Count what is new; the first time nothing."""
        taken, refused = await self._deliveries.taken(), await self._deliveries.refused()
        found = {(of.WEBHOOKS, one.sender, one.outcome.value): one.count for one in taken}
        found |= {(of.REFUSED, one.sender, one.reason.value): one.count for one in refused}
        before, self._counted = found if self._counted is None else self._counted, found
        for key, total in found.items():
            family, *labels = key
            more = max(total - before.get(key, 0), 0)
            self._meters.add([Measure(family, (*labels,), more)])


class InstallationMetrics:
    """Reads the metrics anew for each scrape."""

    def __init__(self, app: FastAPI, meters: Meters) -> None:
        self._journal: SqlJournal = app.state.journal
        self._workflows: WorkflowClient = app.state.workflows
        self._inboxes: Inboxes = app.state.inboxes
        self._queue: QueueProjections = app.state.queue_folds
        self._meters = meters
        self._counts = JournalCounts(self._journal, meters)
        self._webhooks = WebhookCounts(self._journal, meters)

    async def start(self) -> None:
        """Begin to count at the journal's end."""
        await self._counts.count(await self._journal.position())
        await self._webhooks.count()

    async def refresh(self) -> None:
        """Count what is new and look how all stands; where the journal is away, say only that."""
        try:
            found = [measure async for measure in self._look()]
        except (TreadleError, OSError):
            found = [Measure(of.UP, ("journal",), 0)]
        self._meters.set(of.OF_STATE, found)

    async def _look(self) -> AsyncGenerator[Measure]:
        began = time.perf_counter()
        upto = await self._journal.position()
        yield Measure(of.READ_TIME, (), time.perf_counter() - began)
        yield Measure(of.POSITION, (), upto)
        yield Measure(of.UP, ("journal",), 1)
        await self._counts.count(upto)
        await self._webhooks.count()
        inbox, lines, stands = await asyncio.gather(
            self._inboxes.newest(),
            self._journal.open_headlines(()),
            health(self._journal, self._workflows),
        )
        now = datetime.now(UTC)
        for measure in (*measure_waits(inbox.items, now), *measure_open(lines), *_parts(stands)):
            yield measure
        try:
            queue = await self._queue.fold(QUEUE)
        except NotFoundError:
            return  # never used
        for measure in measure_queue(queue.state.entries.values(), now):
            yield measure


def _parts(stands: Health) -> Iterator[Measure]:
    """Yield which parts answer; nothing of one of which it is not known."""
    for part in ("temporal", "worker"):
        if (state := getattr(stands, part)) in _PARTS:
            yield Measure(of.UP, (part,), _PARTS[state])


@asynccontextmanager
async def opened(app: FastAPI) -> AsyncGenerator[None]:
    """Serve the metrics of an app whose settings want them.

    Raises:
        ObserveError: The port is in use.
    """
    settings: Settings = app.state.settings
    ports = settings.metrics_ports
    if ports is None:
        yield
        return
    meters = Meters((*of.OF_EVENTS, *of.OF_WEBHOOKS, *of.OF_STATE), app.state.redactor)
    metrics = InstallationMetrics(app, meters)
    await metrics.start()
    page = MetricsPage(meters, metrics.refresh, lambda: True)
    asked = read_metrics_token(settings.metrics_token_file, ports.api_sdk)
    async with serving_metrics(page, settings.metrics_host, ports.api, asked):
        yield
