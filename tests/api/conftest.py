import asyncio
from datetime import UTC, datetime

import httpx
import pytest
from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from adapters.files.key_ring import KeyRing
from adapters.temporal import is_polled, plugin, register_search_attributes
from api.app import create_app
from api.temporal_ui.place import NAME as WEB_UI_NAME
from domain.conversations.events import AgentNotice
from domain.core.event import Event, Headline
from domain.core.ids import SHARED_QUEUE
from settings import Settings
from tests.api.stand_in import MoneyStandIn, QueueStandIn, RunStandIn, StandIn
from tests.api.web_ui import standing
from tests.free_ports import free_ports
from tests.temporal_server import API_NAMESPACE
from workflows.host_files import HostFilesWorkflow


@pytest.fixture(scope="session")
async def temporal(temporal_server: WorkflowEnvironment, tmp_path_factory: pytest.TempPathFactory):
    """A client of a real server, whose threads are stand-ins."""
    target = temporal_server.client.service_client.config.target_host
    keys = KeyRing(tmp_path_factory.mktemp("keys") / "payload.keys")
    client = await Client.connect(target, namespace=API_NAMESPACE, plugins=[plugin(keys)])
    await register_search_attributes(client)
    async with Worker(
        client,
        task_queue=SHARED_QUEUE,
        workflows=[StandIn, RunStandIn, QueueStandIn, MoneyStandIn, HostFilesWorkflow],
        workflow_runner=UnsandboxedWorkflowRunner(),
    ):
        while not await is_polled(client, SHARED_QUEUE):  # noqa: ASYNC110  (Temporal)
            await asyncio.sleep(0.05)
        yield client


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    return Settings(
        data_dir=tmp_path / "data",
        api_port=free_ports(1)[0],
        temporal_port=free_ports(1)[0],
        temporal_ui_port=free_ports(1)[0],
        default_agent="scripted",
        working_folder=tmp_path / "repo",
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


@pytest.fixture
async def web_ui(settings):
    async with standing(settings.temporal_ui_port) as server:
        yield server


@pytest.fixture
async def web_ui_browser(down_app, settings):
    """A browser at the Web UI's host, not signed in."""
    async with client_of(down_app, settings) as opened:
        del opened.headers["Authorization"], opened.headers["X-Treadle"]
        opened.base_url = f"http://{WEB_UI_NAME}:{settings.api_port}"
        yield opened


@pytest.fixture
async def signed_in(down_client, web_ui_browser):
    link = await down_client.post("/v1/temporal/links", json={"workflow_id": "thread-x/left"})
    web_ui_browser.entry = await web_ui_browser.get(link.json()["url"])
    web_ui_browser.headers.update(
        {
            "Origin": str(web_ui_browser.base_url).rstrip("/"),
            "Sec-Fetch-Site": "same-origin",
        }
    )
    return web_ui_browser


def event(number, stream="thread-a", body=None):
    return Event(
        id=f"{stream}:{number}",
        stream=stream,
        at=datetime(2026, 1, 1, tzinfo=UTC),
        body=body or AgentNotice(turn_id="t", message=f"notice {number}"),
    )


def headline(stream, **fields):
    return Headline(stream=stream, kind="thread", **fields)
