"""Signing in with a real OpenID Connect provider: what a browser meets, and who it is then."""

import contextlib
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from api.app import create_app
from api.core.reach import team_reach
from domain.people.tokens import token_hash
from settings import config_dir
from settings.serve import OidcTable, ServeTable
from tests.api.conftest import client_of
from tests.api.test_permissions import token_for
from tests.oidc.provider import ANNA, SECRET, pass_provider, provider

URL = "https://treadle.example.org"
PEOPLE = """
[users.root-admin.roles]
"*" = "admin"

[groups.backend]
roles = { "*" = "approver" }
"""


@pytest.fixture(scope="module")
async def idp():
    async with provider(URL) as running:
        yield running


@pytest.fixture
async def team(settings, idp, tmp_path):
    """The application for a team whose people sign in with the provider."""
    await idp.set_accounts(anna=ANNA)
    (tmp_path / "config").mkdir(exist_ok=True)
    (config_dir() / "people.toml").write_text(PEOPLE)
    secret = tmp_path / "secret"
    secret.write_text(f"{SECRET}\n")
    oidc = OidcTable(
        issuer=idp.issuer, client_id="treadle", client_secret_file=secret, label="Example"
    )
    team = settings.model_copy(
        update={"public_url": URL, "serve": ServeTable(behind_proxy=True), "oidc": oidc}
    )
    async with started(team) as app:
        yield app, team


@contextlib.asynccontextmanager
async def started(team):
    app = create_app(team, reach=team_reach(team))
    async with app.router.lifespan_context(app):
        yield app


@contextlib.asynccontextmanager
async def browser_of(app):
    asgi = httpx.ASGITransport(app=app, client=("127.0.0.1", 1))
    async with httpx.AsyncClient(
        base_url=URL, mounts={URL: asgi}, headers={"Accept": "text/html"}, timeout=60
    ) as opened:
        yield opened


@pytest.fixture
async def browser(team):
    async with browser_of(team[0]) as opened:
        yield opened


async def come_back(browser, to="/", subject="anna"):
    """Sign in as far as the provider's redirect; return where it leads."""
    begun = await browser.get("/sign-in/oidc", params={"to": to})
    return await pass_provider(browser, await browser.get(begun.headers["location"]), subject)


async def sign_in(browser, to="/", subject="anna"):
    from_provider = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    return await browser.get(await come_back(browser, to, subject), headers=from_provider)


async def kept_sign_in(app, browser):
    """Return the sign-in of a browser, as the journal has it, and the tables."""
    cookie = next(c.value for c in browser.cookies.jar if "treadle-session" in c.name)
    tables = app.state.journal.people.sign_ins
    return await tables.by_hash(token_hash(cookie)), tables


async def test_a_person_signs_in_and_has_the_roles_of_their_groups(team, browser):
    shown = await browser.get("/threads/x")
    assert shown.status_code == 401
    assert 'href="/sign-in/oidc?to=%2Fthreads%2Fx">Sign in with Example</a>' in shown.text

    landed = await sign_in(browser, "/threads/x")
    me = (await browser.get("/v1/me")).json()
    signed, _ = await kept_sign_in(team[0], browser)

    assert landed.status_code == 200
    assert "url=/threads/x" in landed.text
    cookies = [value for name, value in landed.headers.multi_items() if name == "set-cookie"]
    assert any("__Host-treadle-session" in c and "SameSite=strict" in c for c in cookies)
    assert (me["person"], me["role"]) == ("anna@example.org", "approver")
    assert (signed.subject, signed.address) == ("anna", "127.0.0.1")
    assert "anna" not in signed.sealed


async def test_a_sign_in_survives_a_restart(team, browser):
    _, settings = team
    await sign_in(browser)
    async with started(settings) as again, browser_of(again) as same:
        same.cookies = browser.cookies
        me = await same.get("/v1/me")
    assert me.json()["person"] == "anna@example.org"


async def test_a_sign_in_that_another_browser_began_is_refused(team, browser):
    target = await come_back(browser)
    async with browser_of(team[0]) as other:
        foreign = await other.get(target)
    wrong = await browser.get(target.replace("state=", "state=x"))
    assert (foreign.status_code, wrong.status_code) == (403, 403)
    assert "was not begun in this browser" in foreign.text
    assert not [c for c in browser.cookies.jar if "treadle-session" in c.name]


async def test_a_code_works_once(team, browser):
    begun = await browser.get("/sign-in/oidc")
    kept = {c.name: c.value for c in browser.cookies.jar if "signing" in c.name}
    target = await pass_provider(browser, await browser.get(begun.headers["location"]), "anna")
    first = await browser.get(target)
    async with browser_of(team[0]) as thief:
        replayed = await thief.get(target, headers={"Cookie": "=".join(*kept.items())})
    assert (first.status_code, replayed.status_code) == (200, 403)
    assert "sign in again" in replayed.text


async def test_the_flow_has_pkce_state_and_nonce(team, browser):
    begun = await browser.get("/sign-in/oidc", params={"to": "//evil.example"})
    query = parse_qs(urlsplit(begun.headers["location"]).query)
    assert query["code_challenge_method"] == ["S256"]
    assert query["redirect_uri"] == [f"{URL}/sign-in/oidc/callback"]
    assert len(query["state"][0]) > 40
    assert len(query["nonce"][0]) > 40
    assert SECRET not in begun.headers["location"]


@pytest.mark.parametrize("to", ["//evil.example", "/\\evil.example", "https://evil.example"])
async def test_nobody_is_led_to_another_site(team, browser, to):
    landed = await sign_in(browser, to)
    assert 'url=/"' in landed.text


@pytest.mark.parametrize(
    ("account", "words"),
    [
        (ANNA | {"groups": ["others"]}, "has no role here"),
        (ANNA | {"email_verified": False}, "has not verified the address"),
        (ANNA | {"email": "<script>"}, "is no name that people can have"),
        ({"groups": ["backend"]}, "sends no claim"),
    ],
    ids=["group without role", "address not verified", "no name", "no address"],
)
async def test_who_has_no_role_or_name_is_not_signed_in(team, browser, idp, account, words):
    await idp.set_accounts(anna=account)
    landed = await sign_in(browser)
    assert landed.status_code == 403
    assert words in landed.text
    assert "<script>" not in landed.text
    assert (await browser.get("/v1/me")).status_code == 401


async def test_a_name_stays_with_the_account_that_had_it_first(team, browser, idp):
    await sign_in(browser)
    own = await token_for(team[0], "anna@example.org")
    await idp.set_accounts(anna=ANNA | {"email": "other@example.org"}, eve=ANNA)
    async with browser_of(team[0]) as renamed:
        await sign_in(renamed)
        me = (await renamed.get("/v1/me")).json()
    async with browser_of(team[0]) as eves:
        landed = await sign_in(eves, subject="eve")
    assert me["person"] == "anna@example.org"
    assert landed.status_code == 403
    assert "another account of the identity provider" in landed.text

    async with client_of(team[0], team[1]) as admin:
        del admin.headers["Authorization"]
        admin.base_url = URL
        token = await token_for(team[0], "root-admin")
        freed = await admin.post("/v1/people/anna@example.org/forget", json={}, headers=token)
        unknown = await admin.post("/v1/people/nobody/forget", json={}, headers=token)
        old = await admin.get("/v1/me", headers=own)
    async with browser_of(team[0]) as eves:
        await sign_in(eves, subject="eve")
        eve = (await eves.get("/v1/me")).json()
    assert (freed.status_code, unknown.status_code) == (200, 404)
    assert old.json()["type"] == "treadle:token_revoked"
    assert eve["person"] == "anna@example.org"
    assert (await browser.get("/v1/me")).status_code == 401


async def make_due(app, browser):
    """Let the provider be asked with the next request."""
    signed, tables = await kept_sign_in(app, browser)
    due = signed.model_copy(update={"checked_at": datetime.now(UTC) - timedelta(hours=1)})
    await tables.change(due)
    return due


async def test_a_refresh_brings_new_groups_or_ends_the_sign_in(team, browser, idp):
    app, _ = team
    await sign_in(browser)
    await idp.set_accounts(anna=ANNA | {"groups": ["backend", "new"]})
    due = await make_due(app, browser)
    me = await browser.get("/v1/me")
    fresh, _ = await kept_sign_in(app, browser)
    assert me.status_code == 200
    assert fresh.groups == ("backend", "new")
    assert fresh.sealed != due.sealed

    await idp.set_accounts()
    await make_due(app, browser)
    gone = await browser.get("/v1/me", headers={"Accept": "application/json"})
    await idp.set_accounts(anna=ANNA)
    still = await browser.get("/v1/me")
    assert (gone.status_code, gone.json()["type"]) == (401, "treadle:signed_out")
    assert still.status_code == 401


async def test_a_sign_in_ends_by_itself_and_with_its_role(team, browser):
    app, _ = team
    await sign_in(browser)
    signed, tables = await kept_sign_in(app, browser)
    await tables.change(signed.model_copy(update={"ends_at": datetime.now(UTC)}))
    ended = await browser.get("/v1/me")
    await tables.change(signed)
    people = config_dir() / "people.toml"
    people.write_text(PEOPLE.replace("groups.backend", "groups.frontend"))
    unknown = await browser.get("/v1/me")
    people.write_text(PEOPLE)
    afterwards = await browser.get("/v1/me")
    assert [ended.status_code, unknown.status_code, afterwards.status_code] == [401, 401, 401]


async def test_a_person_stays_while_the_provider_does_not_answer(team, browser):
    app, settings = team
    await sign_in(browser)
    dead = settings.oidc.model_copy(update={"issuer": "http://127.0.0.1:1"})
    await make_due(app, browser)
    async with started(settings.model_copy(update={"oidc": dead})) as cut, browser_of(cut) as same:
        same.cookies = browser.cookies
        me = await same.get("/v1/me")
        begun = await same.get("/sign-in/oidc", headers={"Accept": "application/json"})
    assert me.status_code == 200
    assert (begun.status_code, begun.json()["type"]) == (503, "treadle:provider_unreachable")


async def test_signing_out_ends_the_session_here_and_leads_to_the_provider(team, browser):
    await sign_in(browser)
    headers = {"Origin": URL, "X-Treadle": "1"}
    answer = await browser.post("/v1/sign-out", json={}, headers=headers)
    url = urlsplit(answer.json()["url"])
    provider_page = await browser.get(answer.json()["url"])
    assert answer.status_code == 200
    assert parse_qs(url.query)["post_logout_redirect_uri"] == [f"{URL}/"]
    assert "id_token_hint" in url.query
    assert provider_page.status_code == 200
    assert (await browser.get("/v1/me")).status_code == 401
