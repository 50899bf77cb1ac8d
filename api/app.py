"""The API as a FastAPI application: the journal for reading, Temporal for writing."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import Depends, FastAPI
from temporalio.client import Client

from adapters import temporal
from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.journal import open_journal
from api.agents import routes as agents
from api.commands import routes as commands
from api.core import errors, gate_openapi, health, page, sign_in
from api.core.browser_sessions import BrowserSessions
from api.core.gate import Gate
from api.core.idempotency import Idempotency
from api.core.page import Page
from api.core.projections import FlowProjections, QueueProjections, ThreadProjections, Timelines
from api.core.query_parameters import refuse_unknown_parameters
from api.core.rates import Limits, Rates
from api.core.redaction import make_redactor
from api.core.workflow_client import WorkflowClient
from api.flows import routes as flows
from api.flows import runs, steering
from api.plans import amendments, approvals, execution, plan_files, templates
from api.plans import routes as plans
from api.queue import routes as queue
from api.queue import schedules, workflow_templates
from api.recipes import routes as recipes
from api.reports import export, inbox, report, search, timeline
from api.reports.inbox import Inboxes
from api.sessions import attachments, questions, turns
from api.sessions import routes as sessions
from api.streams import events, texts
from api.streams import routes as stream
from api.tasks import conflicts, services, terminals
from api.tasks import routes as tasks
from api.temporal_ui import installation
from api.temporal_ui import routes as temporal_ui
from api.threads import changes, demo, forks, lifecycle, publishing, repositories, setting_up
from api.threads import routes as threads
from api.threads.history import Histories
from settings import Settings

ROUTES = (
    *(
        health,
        commands,
        threads,
        plans,
        amendments,
        approvals,
        questions,
        tasks,
        sessions,
        attachments,
        terminals,
        services,
        events,
        texts,
        export,
        lifecycle,
        plan_files,
        conflicts,
        publishing,
        setting_up,
        changes,
        forks,
        demo,
        inbox,
        search,
        stream,
        timeline,
    ),
    *(
        repositories,
        execution,
        turns,
        templates,
        recipes,
        flows,
        runs,
        steering,
        queue,
        workflow_templates,
        schedules,
        agents,
        report,
        sign_in,
        temporal_ui,
    ),
)


Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def create_app(
    settings: Settings, client: Client | None = None, limits: Limits | None = None
) -> FastAPI:
    """Return the application.

    Without a client it connects to Temporal on first use, so that reading works without it.
    """
    keys = KeyRing(settings.payload_key_file)
    app = FastAPI(
        title="Treadle",
        version="1",
        description="Plan, run, verify and approve the work of coding agents, durably.",
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan(settings, client, keys),
        dependencies=[Depends(refuse_unknown_parameters)],
    )
    app.state.settings = settings
    app.state.key = SecretFile(settings.code_key_file)
    app.state.codec = temporal.CodecServer(keys)
    for route in ROUTES:
        app.include_router(route.router, prefix="/v1")
    app.include_router(sign_in.pages)
    app.include_router(temporal_ui.pages)
    app.include_router(page.router)
    app.state.page = Page()
    errors.install(app)
    gate_openapi.install(app)
    _put_gate_before(app, limits or Limits())
    return app


def _lifespan(settings: Settings, client: Client | None, keys: KeyRing) -> Lifespan:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with open_journal(settings.journal) as journal:
            app.state.journal = journal
            app.state.answers = journal.answers
            app.state.folds = ThreadProjections(journal)
            app.state.flow_folds = FlowProjections(journal)
            app.state.queue_folds = QueueProjections(journal)
            app.state.timelines = Timelines(journal)
            app.state.histories = Histories(journal)
            app.state.inboxes = Inboxes(
                journal, app.state.folds, app.state.flow_folds, app.state.queue_folds
            )
            app.state.redactor = make_redactor(settings)
            temporal_client = client or await temporal.connect(
                settings.temporal_port, keys, lazy=True
            )
            app.state.workflows = WorkflowClient(temporal_client, app.state.key)
            app.state.schedules = temporal.TemporalSchedules(temporal_client)
            async with installation.opened(app), search.indexing(journal.searches):
                yield

    return lifespan


def _put_gate_before(app: FastAPI, limits: Limits) -> None:
    settings: Settings = app.state.settings
    token = SecretFile(settings.token_file).read()
    rates, sessions = Rates(limits), BrowserSessions(token, settings.api_port)
    app.state.limits = limits
    app.state.rates = rates
    app.state.sessions = sessions
    app.add_middleware(Idempotency)
    app.add_middleware(Gate, token=token, sessions=sessions, rates=rates, limits=limits)
    installation.put_before(app, token)
