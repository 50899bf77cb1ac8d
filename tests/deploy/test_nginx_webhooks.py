"""Webhooks through a real nginx with the configuration of deploy/nginx: what comes in, for whom, and what does not."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api.webhooks.trial import signed_headers
from settings.webhooks import WebhooksTable
from tests.deploy.containers import ROOT
from tests.deploy.test_nginx import PEOPLE, Team, serving
from tests.free_ports import free_ports
from tests.webhooks.senders import GITHUB, secret_of_kind, sender

pytestmark = pytest.mark.e2e

BODY = json.dumps(GITHUB["pull_request"]).encode()
LOCATION = (ROOT / "deploy" / "nginx" / "webhooks.conf").read_text()


@pytest.fixture
async def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Team]:
    """A team whose server takes webhooks by itself, behind nginx with the shipped location for them."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "people.toml").write_text(PEOPLE)
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    *ports, hooks = free_ports(4)
    table = WebhooksTable(listen=f"127.0.0.1:{hooks}", senders=(sender("github", tmp_path),))
    (tmp_path / "treadle").mkdir()
    location = LOCATION.replace("api:8430", f"127.0.0.1:{hooks}")
    (tmp_path / "treadle" / "webhooks.conf").write_text(location)
    async with serving(tmp_path, ports, takes_webhooks=True, webhooks=table) as made:
        yield made


def signed(secret: str = secret_of_kind("github")) -> dict[str, str]:
    return signed_headers("github", secret, BODY, "pull_request")


async def test_a_delivery_comes_in_and_the_rest_of_the_path_is_the_teams(team: Team):
    async with team.person() as forge:
        taken = await forge.post("/hooks/github", content=BODY, headers=signed())
        forged = await forge.post("/hooks/github", content=BODY, headers=signed("b" * 32))
        page = await forge.get("/livez")
        api = await forge.get("/hooks/../v1/webhooks")
        unknown = await forge.post("/hooks/nobody", content=BODY, headers=signed())
        large = await forge.post("/hooks/github", content=b"x" * 10_485_760, headers=signed())

    assert (taken.status_code, taken.json()) == (202, {"outcome": "looked"})
    assert (forged.status_code, unknown.status_code) == (401, 404)
    assert page.status_code == 200
    assert api.status_code == 401
    assert large.status_code == 413


async def test_wrong_signatures_are_counted_for_who_sends_them(team: Team):
    async with team.person() as guesser:
        answers = await asyncio.gather(
            *(
                guesser.post("/hooks/github", content=BODY, headers=signed("b" * 32))
                for _ in range(61)
            )
        )
        forwarded = {**signed(), "X-Forwarded-For": "203.0.113.9"}
        after = await guesser.post("/hooks/github", content=BODY, headers=forwarded)

    assert {answer.status_code for answer in answers} <= {401, 429}
    assert after.status_code == 429, "nobody chooses the address that is counted"
