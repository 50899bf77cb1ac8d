"""The API as a FastAPI application: the journal for reading, Temporal for writing."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext

from fastapi import Depends, FastAPI
from temporalio.client import Client

from adapters import temporal
from adapters.files.key_ring import KeyRing
from adapters.files.people_file import NAME as PEOPLE
from adapters.files.people_file import PeopleFile
from adapters.files.secret_file import SecretFile
from adapters.journal import Pool, open_journal
from adapters.observing import tracing_to
from api.agents import routes as agents
from api.commands import routes as commands
from api.core import errors, gate_openapi, health, page, probes, sign_in
from api.core.auditing import Auditing
from api.core.browser_sessions import BrowserSessions
from api.core.browser_sign_ins import BrowserSignIns
from api.core.callers import Callers
from api.core.gate import Gate
from api.core.idempotency import Idempotency
from api.core.operation_ids import operation_id
from api.core.page import Page
from api.core.passkey_sign_ins import PasskeySignIns
from api.core.published_people import publish_first, published
from api.core.query_parameters import refuse_unknown_parameters
from api.core.rates import Limits, Rates
from api.core.reach import Reach, local_reach
from api.core.readings import put_readings
from api.core.redaction import make_redactor
from api.core.refused import recording
from api.core.sign_in_page import SignInDoors
from api.core.viewers import Viewers
from api.core.workflow_client import WorkflowClient
from api.flows import routes as flows
from api.flows import runs, steering
from api.hosts import joining
from api.hosts import routes as hosts
from api.learnings import routes as learnings
from api.money import routes as money
from api.news import pushes
from api.news import routes as news
from api.people import (
    audit,
    device_logins,
    identities,
    local_people,
    oidc,
    passkey_pages,
    passkeys,
    tokens,
)
from api.plans import amendments, approvals, execution, plan_files, templates
from api.plans import routes as plans
from api.queue import enqueuing, schedules, workflow_templates
from api.queue import routes as queue
from api.recipes import routes as recipes
from api.reports import export, inbox, receipts, report, search, snoozes, timeline
from api.retention import routes as retention
from api.sessions import attachments, questions, saying, turns
from api.sessions import routes as sessions
from api.streams import events, pictures, texts
from api.streams import routes as stream
from api.tasks import conflicts, contests, services, task_messages, terminals
from api.tasks import routes as tasks
from api.temporal_ui import installation
from api.temporal_ui import routes as temporal_ui
from api.threads import (
    changes,
    demo,
    forks,
    lifecycle,
    mentions,
    proposing,
    publishing,
    pull_requests,
    repositories,
    setting_up,
    viewers,
)
from api.threads import routes as threads
from api.threads.history import Histories
from api.trackers import routes as trackers
from api.webhooks import listener as webhook_listener
from api.webhooks import routes as webhooks
from settings import Settings, config_dir, user_name
from settings.serve import ProxyTable

ROUTES = (
    *(
        health,
        commands,
        proposing,
        threads,
        plans,
        amendments,
        approvals,
        questions,
        tasks,
        task_messages,
        sessions,
        saying,
        attachments,
        terminals,
        services,
        events,
        pictures,
        texts,
        export,
        receipts,
        lifecycle,
        mentions,
        viewers,
        plan_files,
        conflicts,
        contests,
        publishing,
        pull_requests,
        setting_up,
        changes,
        forks,
        demo,
        inbox,
        snoozes,
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
        enqueuing,
        workflow_templates,
        schedules,
        agents,
        hosts,
        joining,
        report,
        money,
        retention,
        news,
        pushes,
        webhooks,
        trackers,
        learnings,
        sign_in,
        tokens,
        audit,
        oidc,
        device_logins,
        identities,
        passkeys,
        local_people,
        temporal_ui,
    ),
)


Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def create_app(
    settings: Settings,
    client: Client | None = None,
    limits: Limits | None = None,
    reach: Reach | None = None,
) -> FastAPI:
    """Return the application; on loopback, unless it is reached otherwise.

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
        generate_unique_id_function=operation_id,
        dependencies=[Depends(refuse_unknown_parameters), Depends(publish_first)],
    )
    app.state.settings = settings
    app.state.people = PeopleFile(config_dir() / PEOPLE)
    app.state.viewers = Viewers()
    app.state.key = SecretFile(settings.code_key_file)
    app.state.codec = temporal.CodecServer(keys)
    for route in ROUTES:
        app.include_router(route.router, prefix="/v1")
    app.include_router(probes.router)
    app.include_router(sign_in.pages)
    app.include_router(oidc.pages)
    app.include_router(passkey_pages.pages)
    app.include_router(temporal_ui.pages)
    app.include_router(page.router)
    app.state.page = Page()
    errors.install(app)
    gate_openapi.install(app)
    _put_gate_before(app, limits or Limits(), reach or local_reach(settings.api_port))
    return app


def _lifespan(settings: Settings, client: Client | None, keys: KeyRing) -> Lifespan:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        app.state.redactor = redactor = make_redactor(settings)
        async with (
            tracing_to(settings.collector, "treadle-api", redactor) as tracing,
            open_journal(settings.journal, Pool(*settings.journal_pool)) as journal,
        ):
            tracing.trace_app(app)
            app.state.journal = journal
            await journal.people.seen.note(user_name(), is_owner=True)
            put_readings(app, journal, settings)
            app.state.histories = Histories(journal)
            temporal_client = client or await temporal.connect(
                settings.temporal_port,
                keys,
                lazy=True,
                metrics_at=settings.metrics_at("api_sdk"),
                interceptors=tracing.interceptors,
            )
            app.state.workflows = WorkflowClient(temporal_client, app.state.key)
            app.state.schedules = temporal.TemporalSchedules(temporal_client)
            app.state.watchers = temporal.Watchers(temporal_client)
            async with (
                installation.opened(app),
                app.state.sign_ins,
                search.indexing(journal.searches),
                observed(app),
                webhook_listener.opened(app, temporal_client),
                recording(journal) as app.state.refused,
                published(app.state.people, journal) as app.state.publishing,
            ):
                yield

    return lifespan


def observed(app: FastAPI) -> AbstractAsyncContextManager[None]:
    """Return what serves the metrics of an app while it is open, if its settings want them."""
    if app.state.settings.metrics_port is None:
        return nullcontext()
    from api.reports import metrics  # its library is an extra

    return metrics.opened(app)


def _put_gate_before(app: FastAPI, limits: Limits, reach: Reach) -> None:
    settings: Settings = app.state.settings
    token = SecretFile(settings.token_file).read()
    rates = Rates(limits)
    sessions = BrowserSessions(token, settings.api_port, url=reach.url)
    app.state.reach = reach
    app.state.limits = limits
    app.state.rates = rates
    app.state.sessions = sessions
    app.add_middleware(Idempotency)
    app.add_middleware(Auditing)
    keys = KeyRing(settings.payload_key_file)
    app.state.doors = SignInDoors.of(settings, reach)
    signing = settings if reach.is_team else settings.model_copy(update={"proxy": ProxyTable()})
    app.state.sign_ins = sign_ins = BrowserSignIns(signing, keys, app.state.people, user_name())
    url = settings.public_url if settings.passkeys else None
    app.state.passkeys = PasskeySignIns(url, sign_ins) if url else None
    app.state.callers = callers = Callers(
        token, user_name(), sessions, rates, takes_owner=reach.takes_owner, sign_ins=sign_ins
    )
    app.add_middleware(Gate, callers=callers, reach=reach, rates=rates, limits=limits)
    installation.put_before(app, token)
