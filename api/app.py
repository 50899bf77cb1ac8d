"""The API as a FastAPI application: the journal for reading, Temporal for writing."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import Depends, FastAPI
from temporalio.client import Client

from adapters import temporal
from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.journal import open_journal
from api import description, errors
from api.door import WorkflowDoor
from api.folds import FlowFolds, Folds, QueueFolds, Timelines
from api.gate import Gate
from api.histories import Histories
from api.inbox import Inboxes
from api.page import Page
from api.queries import known_query
from api.rates import Limits, Rates
from api.redaction import redactor_of
from api.repeats import Repeats
from api.routes import (
    agents,
    amendments,
    approvals,
    attachments,
    browser,
    changes,
    checkpoints,
    conflicts,
    demo,
    events,
    export,
    flow_runs,
    flow_steering,
    flows,
    forks,
    health,
    inbox,
    keeping,
    page,
    plan_files,
    plans,
    publishing,
    questions,
    queue,
    report,
    repositories,
    running,
    schedules,
    sessions,
    stream,
    tasks,
    templates,
    terminals,
    texts,
    threads,
    timeline,
    waiting,
    workflow_templates,
)
from api.sessions import BrowserSessions
from settings import Settings

ROUTES = (
    *(
        health,
        threads,
        plans,
        amendments,
        approvals,
        questions,
        tasks,
        sessions,
        attachments,
        terminals,
        events,
        texts,
        export,
        keeping,
        plan_files,
        conflicts,
        publishing,
        changes,
        checkpoints,
        forks,
        demo,
        inbox,
        stream,
        timeline,
    ),
    *(
        repositories,
        running,
        waiting,
        templates,
        flows,
        flow_runs,
        flow_steering,
        queue,
        workflow_templates,
        schedules,
        agents,
        report,
        browser,
    ),
)


Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def create_app(
    settings: Settings, client: Client | None = None, limits: Limits | None = None
) -> FastAPI:
    """Return the application.

    Unless a client is given, Temporal is connected when it is first needed: reading goes on
    without it.
    """
    app = FastAPI(
        title="Treadle",
        version="1",
        description="Planned, parallel, verified and approved work of coding agents.",
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan(settings, client),
        dependencies=[Depends(known_query)],
    )
    app.state.settings = settings
    app.state.key = SecretFile(settings.code_key_file)
    for route in ROUTES:
        app.include_router(route.router, prefix="/v1")
    app.include_router(browser.pages)
    app.include_router(page.router)
    app.state.page = Page()
    errors.install(app)
    description.install(app)
    _put_gate_before(app, limits or Limits())
    return app


def _lifespan(settings: Settings, client: Client | None) -> Lifespan:
    keys = KeyRing(settings.payload_key_file)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with open_journal(settings.journal) as journal:
            app.state.journal = journal
            app.state.answers = journal.answers
            app.state.folds = Folds(journal)
            app.state.flow_folds = FlowFolds(journal)
            app.state.queue_folds = QueueFolds(journal)
            app.state.timelines = Timelines(journal)
            app.state.histories = Histories(journal)
            app.state.inboxes = Inboxes(
                journal, app.state.folds, app.state.flow_folds, app.state.queue_folds
            )
            app.state.redactor = redactor_of(settings)
            temporal_client = client or await temporal.connect(
                settings.temporal_port, keys, lazy=True
            )
            app.state.door = WorkflowDoor(temporal_client, app.state.key)
            app.state.schedules = temporal.TemporalSchedules(temporal_client)
            yield

    return lifespan


def _put_gate_before(app: FastAPI, limits: Limits) -> None:
    settings: Settings = app.state.settings
    token = SecretFile(settings.token_file).read()
    rates, sessions = Rates(limits), BrowserSessions(token, settings.api_port)
    app.state.limits = limits
    app.state.rates = rates
    app.state.sessions = sessions
    app.add_middleware(Repeats)
    app.add_middleware(Gate, token=token, sessions=sessions, rates=rates, limits=limits)
