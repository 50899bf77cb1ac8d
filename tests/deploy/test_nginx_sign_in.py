"""A person signs in with a real provider, through a real nginx: in a browser, and on the command line with a code."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx_sse import aconnect_sse

from settings.serve import OidcTable
from tests.api.conftest import event  # pyright: ignore[reportUnknownVariableType]
from tests.deploy.containers import ROOT
from tests.deploy.test_nginx import PERSON, Team, serving
from tests.free_ports import free_ports
from tests.oidc import provider as oidc

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

PEOPLE = """
[users.root-admin.roles]
"*" = "admin"

[groups.backend]
roles = { "*" = "approver" }
"""
COOKIE = "__Host-treadle-session-"


@pytest.fixture
async def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Team]:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "people.toml").write_text(PEOPLE)
    (tmp_path / "oidc-secret").write_text(oidc.SECRET)
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    ports = free_ports(3)
    async with oidc.provider(f"https://127.0.0.1:{ports[0]}") as idp:
        secret = tmp_path / "oidc-secret"
        table = OidcTable(issuer=idp.issuer, client_id="treadle", client_secret_file=secret)
        async with serving(tmp_path, ports, oidc=table) as made:
            yield made


async def test_a_person_signs_in_follows_events_confirms_a_code_and_signs_out(
    team: Team, tmp_path: Path
):
    async with team.person(Accept="text/html") as browser:
        door = await browser.get("/threads/x")
        begun = await browser.get("/sign-in/oidc", params={"to": "/threads/x"})
        assert 'href="/sign-in/oidc?to=%2Fthreads%2Fx"' in door.text
        assert f"redirect_uri=https%3A%2F%2F127.0.0.1%3A{team.url[18:]}" in str(begun.next_request)
        there = await browser.get(begun.headers["location"])
        back = await browser.get(await oidc.pass_provider(browser, there, "anna"))
        given = back.headers.get_list("set-cookie")
        session = next(each for each in given if each.startswith(COOKIE))
        assert {"Secure", "HttpOnly", "Path=/"} <= set(session.split("; "))
        assert "Domain" not in session
        assert 'url=/threads/x"' in back.text

        browser.headers["Origin"] = team.url
        assert (await browser.get("/v1/me")).json()["person"] == "anna@example.org"
        forged = await browser.post("/v1/browser-links", headers={"Origin": "https://evil.example"})
        assert (forged.status_code, forged.json()["type"]) == (403, "treadle:origin_not_allowed")
        async with aconnect_sse(browser, "GET", "/v1/events") as source, asyncio.timeout(60):
            await team.app.state.journal.append([event(0)])
            assert (await anext(source.aiter_sse())).json()["event"]["id"] == "thread-a:0"

        program = await login(team, tmp_path)
        async with asyncio.timeout(60):
            code = await code_of(program)
            asked = await browser.get(f"/v1/device-logins/{code}")
            confirmed = await browser.post(f"/v1/device-logins/{code}/confirm", json={})
            told = (await program.communicate())[0].decode()
        assert asked.json()["address"] == "127.0.0.1"  # where the command ran, not where nginx does
        assert (confirmed.status_code, program.returncode) == (200, 0), told
        assert "as anna@example.org (approver)" in told

        out = await browser.post("/v1/sign-out", json={})
        assert out.json()["url"].startswith(str(team.app.state.settings.oidc.issuer))
        assert (
            await browser.get("/v1/me", headers={"Accept": "application/json"})
        ).status_code == 401
    entries = await team.app.state.journal.people.audit.page()
    assert ("oidc", "anna@example.org", PERSON) in {
        (e.action, e.person, e.address) for e in entries
    }


async def login(team: Team, folder: Path) -> asyncio.subprocess.Process:
    """Begin `treadle login` on another machine, which trusts the certificate of the server."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "treadle", "login", "--ca", folder / "certificate.pem"),
        team.url,
        cwd=ROOT,
        env={"TREADLE_DATA_DIR": str(folder / "laptop"), "PATH": "/usr/bin:/bin"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


async def code_of(program: asyncio.subprocess.Process) -> str:
    """Return the code that a program waits with."""
    assert program.stdout
    seen = b""
    while line := await program.stdout.readline():
        seen += line
        if found := re.search(rb"/device/([\w-]+)", line):
            return found[1].decode()
    raise AssertionError(seen.decode())
