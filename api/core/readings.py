"""What the application reads from its journal, kept between requests."""

from fastapi import FastAPI

from adapters.journal import SqlJournal
from adapters.readings.inboxes import Inboxes
from adapters.readings.projections import (
    FlowProjections,
    MoneyProjections,
    QueueProjections,
    ThreadProjections,
    Timelines,
    TrackerProjections,
)
from api.core.attached import Uploads
from settings import Settings


def put_readings(app: FastAPI, journal: SqlJournal, settings: Settings) -> None:
    """Give the application the readings of an open journal."""
    app.state.answers = journal.answers
    app.state.uploads = Uploads()
    app.state.ledger = journal.ledger(settings.money)
    app.state.folds = ThreadProjections(journal)
    app.state.flow_folds = FlowProjections(journal)
    app.state.queue_folds = QueueProjections(journal)
    app.state.money_folds = MoneyProjections(journal)
    app.state.tracker_folds = TrackerProjections(journal)
    app.state.timelines = Timelines(journal)
    app.state.inboxes = Inboxes(
        journal,
        app.state.folds,
        app.state.flow_folds,
        app.state.queue_folds,
        settings.host.silent_seconds,
        time_zone=settings.money.time_zone,
    )
