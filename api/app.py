"""The API as a FastAPI application: the journal for reading, Temporal for writing."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from temporalio.client import Client

from adapters import temporal
from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.journal import open_journal
from api import errors
from api.door import WorkflowDoor
from api.folds import Folds
from api.gate import Gate
from api.routes import approvals, events, health, plans, sessions, tasks, texts, threads
from settings import Settings

ROUTES = (health, threads, plans, approvals, tasks, sessions, events, texts)


def create_app(settings: Settings, client: Client | None = None) -> FastAPI:
    """Return the application.

    Unless a client is given, Temporal is connected when it is first needed: reading goes on
    without it.
    """
    keys = KeyRing(settings.payload_key_file)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with open_journal(settings.journal) as journal:
            app.state.journal = journal
            app.state.folds = Folds(journal)
            app.state.door = WorkflowDoor(
                client or await temporal.connect(settings.temporal_port, keys, lazy=True),
                app.state.key,
            )
            yield

    app = FastAPI(
        title="Treadle",
        version="1",
        description="Planned, parallel, verified and approved work of coding agents.",
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=errors.DOCUMENTED,
    )
    app.state.settings = settings
    app.state.key = SecretFile(settings.code_key_file)
    for route in ROUTES:
        app.include_router(route.router, prefix="/v1")
    errors.install(app)
    app.add_middleware(Gate, port=settings.api_port, token=SecretFile(settings.token_file).read())
    return app
