"""The webhooks' listener of a running application: its port, the workflows that it wakes, and its routes."""

import asyncio
import json
import uuid

import httpx
import pytest
from temporalio import workflow
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from api.app import create_app
from api.core.listeners import PortTakenError
from api.core.rates import Limits
from api.webhooks import listener
from api.webhooks.trial import signed_headers
from domain.core.listing import Listing
from domain.forges.hints import ForgeHint
from settings import SettingsError
from settings.webhooks import WebhooksTable
from tests.api.conftest import client_of
from tests.free_ports import free_ports
from tests.webhooks.senders import GITHUB, secret_of_kind, sender
from workflows.attributes import listed

BODY = json.dumps(GITHUB["pull_request"]).encode()


@workflow.defn(name="LookStandIn")
class LookStandIn:
    """Stands for a publication: ends with the first hint that it gets."""

    def __init__(self) -> None:
        self._hints: list[ForgeHint] = []

    @workflow.run
    async def run(self) -> ForgeHint:
        """Wait for a hint."""
        await workflow.wait_condition(lambda: bool(self._hints))
        return self._hints[0]

    @workflow.signal
    def look(self, hint: ForgeHint) -> None:
        """Take a hint."""
        self._hints.append(hint)


@pytest.fixture
def hooked(settings, tmp_path):
    senders = (sender("github", tmp_path), sender("gitlab", tmp_path))
    table = WebhooksTable(listen=f"127.0.0.1:{free_ports(1)[0]}", senders=senders)
    return settings.model_copy(update={"webhooks": table})


@pytest.fixture
async def served(hooked, temporal):
    app = create_app(hooked, temporal)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def outside(hooked, served):
    """Somebody who reaches the listener."""
    base = f"http://{hooked.webhooks.listen}"
    async with httpx.AsyncClient(base_url=base, trust_env=False, timeout=60) as opened:
        yield opened


async def post(outside):
    headers = signed_headers("github", secret_of_kind("github"), BODY, "pull_request")
    return await outside.post("/hooks/github", content=BODY, headers=headers)


async def test_a_delivery_wakes_the_workflow_that_watches_the_project(temporal, outside):
    watching = Listing(
        kind="publication", status="open", watches="github.com/codertocat/hello-world"
    )
    other = Listing(kind="publication", status="open", watches="github.com/codertocat/other")
    queue = f"looks-{uuid.uuid4()}"
    async with Worker(
        temporal,
        task_queue=queue,
        workflows=[LookStandIn],
        workflow_runner=UnsandboxedWorkflowRunner(),
    ):
        one, two = [
            await temporal.start_workflow(
                LookStandIn.run, id=f"{queue}-{name}", task_queue=queue, **listed(listing)
            )
            for name, listing in (("one", watching), ("two", other))
        ]
        await _until_listed(temporal, {one.id, two.id})
        answer = await post(outside)
        hint = await asyncio.wait_for(one.result(), 60)
        still = await two.describe()
        await two.terminate()

    assert answer.status_code == 202
    assert hint.pull_request == 2
    assert still.status is not None
    assert still.status.name == "RUNNING"


async def _until_listed(temporal, ids) -> None:
    """Wait until lists show workflows, which is a moment after their start."""
    async with asyncio.timeout(60):
        found = set()
        while not ids <= found:
            found = {
                each.id async for each in temporal.list_workflows("TreadleKind = 'publication'")
            }


async def test_nothing_of_the_api_is_at_the_listener(hooked, served, outside):
    token = hooked.token_file.read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "X-Treadle": "1"}
    paths = {path for path in served.openapi()["paths"] if "{" not in path}
    statuses = {path: (await outside.get(path, headers=headers)).status_code for path in paths}

    assert paths
    assert set(statuses.values()) == {404}


async def test_the_api_shows_what_came_and_no_secret(served, hooked, outside):
    await post(outside)
    await outside.post("/hooks/github", content=b"{}")
    async with client_of(served, hooked) as client:
        tried = (await client.post("/v1/webhooks/github/test", json={})).json()
        unknown = await client.post("/v1/webhooks/nobody/test", json={})
        shown = await client.get("/v1/webhooks")

    assert tried == {"signed": 202, "unsigned": 401, "is_fine": True}
    assert shown.json()["refused_since"] == []
    assert unknown.status_code == 404
    assert {one["event"] for one in shown.json()["deliveries"]} == {"pull_request", "ping"}
    assert secret_of_kind("github") not in shown.text


async def test_without_an_address_nothing_listens(settings, temporal, monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr(listener, "listen_on", lambda *given: opened.append(given))
    app = create_app(settings, temporal)
    async with app.router.lifespan_context(app), client_of(app, settings) as client:
        shown = (await client.get("/v1/webhooks")).json()
    assert (opened, shown["listen"], shown["senders"]) == ([], None, [])


async def test_a_port_in_use_is_said_in_words(hooked, served, temporal):
    second = create_app(hooked, temporal)
    with pytest.raises(PortTakenError, match="TREADLE_WEBHOOKS_LISTEN"):
        async with second.router.lifespan_context(second):
            pass


async def test_a_sender_without_a_secret_keeps_the_api_from_starting(hooked, temporal):
    hooked.webhooks.senders[0].secret_file.write_text("")
    app = create_app(hooked, temporal)
    with pytest.raises(SettingsError, match=r"webhook github: .* holds no secret"):
        async with app.router.lifespan_context(app):
            pass


async def test_who_sends_slowly_is_answered_and_closed(hooked, temporal, monkeypatch):
    monkeypatch.setattr(listener, "LIMITS", Limits(connections=8, read_seconds=0.2))
    app = create_app(hooked, temporal)
    async with app.router.lifespan_context(app):
        reader, writer = await asyncio.open_connection(*hooked.webhooks.address)
        writer.write(b"POST /hooks/github HTTP/1.1\r\nHost: x\r\nContent-Le")
        answer = await asyncio.wait_for(reader.read(), 60)
        writer.close()
    assert b"408" in answer.split(b"\r\n")[0]
