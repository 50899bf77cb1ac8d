import sys
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from adapters.files.key_ring import KeyRing
from adapters.temporal import plugin, register_search_attributes
from api.app import create_app
from domain.conversations.events import AgentNotice
from domain.core.event import Event, Headline
from domain.core.ids import SHARED_QUEUE
from settings import Settings
from tests.api.stand_in import QueueStandIn, RunStandIn, StandIn
from tests.free_ports import free_ports

TEMPORAL = Path(sys.executable).parent / "temporal"


@pytest.fixture(scope="session")
async def temporal(tmp_path_factory: pytest.TempPathFactory):
    """A client of a real server, whose threads are stand-ins."""
    keys = KeyRing(tmp_path_factory.mktemp("keys") / "payload.keys")
    async with (
        await WorkflowEnvironment.start_local(
            dev_server_existing_path=str(TEMPORAL),
            plugins=[plugin(keys)],
            dev_server_log_level="error",
        ) as environment,
        Worker(
            environment.client,
            task_queue=SHARED_QUEUE,
            workflows=[StandIn, RunStandIn, QueueStandIn],
            workflow_runner=UnsandboxedWorkflowRunner(),
        ),
    ):
        await register_search_attributes(environment.client)
        yield environment.client


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    return Settings(
        data_dir=tmp_path / "data",
        api_port=free_ports(1)[0],
        temporal_port=free_ports(1)[0],
        default_agent="scripted",
    )


@pytest.fixture
async def down_app(settings):
    """The application while Temporal is away."""
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def app(settings, temporal):
    app = create_app(settings, temporal)
    async with app.router.lifespan_context(app):
        yield app


def client_of(app, settings, **kwargs):
    token = settings.token_file.read_text().strip()
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app, raise_app_exceptions=False),
        base_url=settings.api_url,
        headers={"Authorization": f"Bearer {token}", "X-Treadle": "1"},
        **kwargs,
    )


@pytest.fixture
async def client(app, settings):
    async with client_of(app, settings) as opened:
        yield opened


@pytest.fixture
async def down_client(down_app, settings):
    async with client_of(down_app, settings) as opened:
        yield opened


def event(number, stream="thread-a", body=None):
    return Event(
        id=f"{stream}:{number}",
        stream=stream,
        at=datetime(2026, 1, 1, tzinfo=UTC),
        body=body or AgentNotice(turn_id="t", message=f"notice {number}"),
    )


def headline(stream, **fields):
    return Headline(stream=stream, kind="thread", **fields)
