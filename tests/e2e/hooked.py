"""A forge double that sends webhooks, signed as GitHub signs them, to an engine that takes them."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from api.webhooks.trial import signed_headers
from settings.webhooks import WebhookSender, WebhooksTable
from tests.e2e.engine import Engine
from tests.e2e.forged import tracker_of
from tests.forge.adapters import VARIABLE, options_of
from tests.forge.double import TOKEN, Double
from tests.forge.world import Pull, Ticket
from tests.free_ports import free_ports

SECRET = "a-secret-of-the-test-" + "s" * 12
AT_ONCE = 8
LISTEN = "127.0.0.2"
"""An address of this machine that is not the API's."""


def hooked_engine(double: Double, folder: Path, repository: Path) -> Engine:
    """Return an engine that has a double as its forge, its tracker and its sender of webhooks; not started."""
    (folder / "engine").mkdir(parents=True)
    secret = folder / "github-webhook"
    secret.write_text(SECRET)
    sender = WebhookSender(name="hub", kind="github", secret_file=secret, hosts=(double.host,))
    table = WebhooksTable(
        listen=f"{LISTEN}:{free_ports(1)[0]}", senders=(sender,), at_once=AT_ONCE, per_minute=5_000
    )
    tracker = tracker_of(double, repository)
    forge = options_of(double).model_dump(exclude_none=True)
    engine = Engine(folder / "engine", forges=(forge,), trackers=(tracker,), webhooks=table)
    engine.environment[VARIABLE] = TOKEN
    return engine


class Hooks:
    """What a double sends, and may send again."""

    def __init__(self, double: Double, engine: Engine, client: httpx.AsyncClient) -> None:
        self._double = double
        self._base = f"http://{engine.settings.webhooks.listen}"
        self.client = client

    def delivery(
        self, event: str, payload: dict[str, Any], secret: str = SECRET
    ) -> tuple[dict[str, str], bytes]:
        """Return the headers and the body of a delivery."""
        address = {"html_url": f"http://{self._double.host}/{self._double.path}"}
        body = json.dumps({"repository": address, "sent": uuid4().hex, **payload}).encode()
        return signed_headers("github", secret, body, event), body

    def of_pull(self, pull: Pull, **claimed: Any) -> tuple[dict[str, str], bytes]:
        """Return a delivery about a pull request, with whatever the payload claims of it."""
        about = {"number": pull.number, "state": pull.state, **claimed}
        return self.delivery("pull_request", {"action": "edited", "pull_request": about})

    def of_issue(self, issue: Ticket) -> tuple[dict[str, str], bytes]:
        """Return a delivery about an issue."""
        about = {"id": issue.id, "number": issue.number}
        return self.delivery("issues", {"action": "labeled", "issue": about})

    async def send(
        self, sent: tuple[dict[str, str], bytes], path: str = "/hooks/hub", method: str = "POST"
    ) -> httpx.Response:
        """Send a delivery."""
        headers, body = sent
        url = f"{self._base}{path}"
        return await self.client.request(method, url, headers=headers, content=body)
