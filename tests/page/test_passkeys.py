"""A person signs in with a passkey, in a real browser with an authenticator in software."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from api.app import create_app
from api.core.listeners import bound
from api.core.reach import team_reach
from api.server import Server
from settings import Settings, config_dir
from settings.serve import ServeTable
from tests.free_ports import free_ports

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

PEOPLE = '[users.ben.roles]\n"*" = "admin"\n'
PHONE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@contextlib.asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[None]:
    app = create_app(settings, reach=team_reach(settings))
    with bound(settings.serve.port) as listener:
        server = Server(app)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield
        finally:
            server.should_exit = True
            await task


@pytest.fixture
async def team(
    is_built: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Settings]:
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    config_dir().mkdir()
    (config_dir() / "people.toml").write_text(PEOPLE)
    (port,) = free_ports(1)
    serve = ServeTable(port=port, takes_owner_token=True)
    url = f"http://localhost:{port}"
    settings = Settings(
        data_dir=tmp_path / "data", api_port=port, public_url=url, serve=serve, passkeys=True
    )
    async with serving(settings):
        yield settings


async def with_phone(context: BrowserContext) -> Page:
    """Open a page of a browser that has an authenticator, which confirms everything."""
    page = await context.new_page()
    cdp = await context.new_cdp_session(page)
    await cdp.send("WebAuthn.enable")
    await cdp.send("WebAuthn.addVirtualAuthenticator", {"options": PHONE})
    return page


async def link_for(settings: Settings, person: str) -> str:
    token = settings.token_file.read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "X-Treadle": "1"}
    async with httpx.AsyncClient(base_url=str(settings.public_url), headers=headers) as http:
        made = await http.post(f"/v1/people/{person}/invite", json={})
        assert made.status_code == 201, made.text
        return made.json()["url"]


async def test_an_invited_person_registers_a_passkey_signs_out_and_in_again(
    team: Settings, browser: Browser
):
    context = await browser.new_context()
    page = await with_phone(context)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if "Policy" in said.text else None)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    link = await link_for(team, "ben")
    secret = link.partition("#")[2]

    await page.goto(link)
    await page.get_by_role("button", name="Register a passkey").click()
    await expect(page.locator("#root")).to_be_attached()
    me = await page.request.get(f"{team.public_url}/v1/me")
    assert (await me.json())["person"] == "ben"
    assert not [url for url in sent if secret in url]

    await context.clear_cookies()
    await page.goto(f"{team.public_url}/threads")
    await page.get_by_role("link", name="Sign in with a passkey").click()
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await page.wait_for_url(f"{team.public_url}/threads")
    await expect(page.locator("#root")).to_be_attached()
    assert complaints == []

    await page.goto(link)
    await page.get_by_role("button", name="Register a passkey").click()
    await expect(page.get_by_role("alert")).to_contain_text("This invitation was used")
    await context.close()


async def test_a_person_sees_adds_and_removes_passkeys_in_the_settings(
    team: Settings, browser: Browser
):
    context = await browser.new_context()
    page = await with_phone(context)
    await page.goto(await link_for(team, "ben"))
    await page.get_by_role("button", name="Register a passkey").click()
    await expect(page.locator("#root")).to_be_attached()
    await page.goto(f"{team.public_url}/settings")
    held = page.get_by_role("region", name="Passkeys").get_by_role("listitem")
    await expect(held).to_have_count(1)
    await expect(held.first).to_contain_text("this session")

    another = await with_phone(context)
    await another.goto(f"{team.public_url}/settings")
    await another.get_by_role("link", name="Add a passkey").click()
    await another.get_by_role("button", name="Register a passkey").click()
    await another.wait_for_url(f"{team.public_url}/settings")
    await page.reload()
    await expect(held).to_have_count(2)

    await held.last.get_by_role("button", name="Remove").click()
    await held.last.get_by_role("button", name="Remove").click()
    await expect(held).to_have_count(1)
    await held.get_by_role("button", name="Remove").click()
    asked = page.get_by_role("group", name="Remove passkey")
    await expect(asked).to_contain_text("your only passkey")
    await asked.get_by_role("button", name="Remove").click()
    await expect(page.get_by_role("link", name="Sign in with a passkey")).to_be_visible()
    await context.close()
