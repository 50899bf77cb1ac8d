"""The metrics and the probes of a worker's process."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from activities.slots import Slots
from adapters.part_readiness import notes_polls
from adapters.redaction import Redactor
from domain.reading.measures import families as of
from domain.reading.measures.events import Measure
from settings import Settings


@asynccontextmanager
async def worker_metrics(
    settings: Settings, slots: Slots, redactor: Redactor
) -> AsyncGenerator[None]:
    """Serve the metrics of a worker whose settings want them; it is ready once Temporal sees it poll.

    Raises:
        ObserveError: The port is in use.
    """
    ports = settings.metrics_ports
    if ports is None:
        yield
        return
    from adapters.metrics import Meters, MetricsPage, read_metrics_token, serving_metrics

    meters = Meters(of.OF_HOST, redactor)

    async def refresh() -> None:
        found = (
            Measure(of.SLOTS, (), slots.size),
            Measure(of.RUNNING, (), slots.running),
            Measure(of.HELD_BACK, (), slots.waiting),
        )
        meters.set(of.OF_HOST, found)

    def is_ready() -> bool:
        return notes_polls(settings.data_dir, os.getpid())

    page = MetricsPage(meters, refresh, is_ready)
    asked = read_metrics_token(settings.metrics_token_file, ports.worker_sdk)
    async with serving_metrics(page, settings.metrics_host, ports.worker, asked):
        yield
