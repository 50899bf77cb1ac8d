"""Signing in with passkeys: invited people, their own passkeys, and everybody who should not get in."""

import re

import httpx
import pytest
from limits import RateLimitItemPerMinute

from api.app import create_app
from api.core.rates import Limits
from api.core.reach import team_reach
from domain.people.roles import Role
from settings import config_dir, user_name
from settings.serve import ServeTable
from tests.api.passkey_lab import ENDED, HOST, REFUSED, URL, Browser, invited, refusal, registered
from tests.api.test_permissions import token_for
from tests.authenticator import Authenticator

PEOPLE = """
[users.anna.roles]
"*" = "admin"

[users.ben.roles]
"*" = "author"

[users.cleo.roles]
"*" = "viewer"
"""


def write_people(text):
    (config_dir() / "people.toml").write_text(text)


@pytest.fixture
async def team(request, settings, tmp_path):
    (tmp_path / "config").mkdir(exist_ok=True)
    write_people(PEOPLE)
    serve = ServeTable(behind_proxy=True)
    team = settings.model_copy(update={"public_url": URL, "serve": serve, "passkeys": True})
    limits = Limits(penalty_seconds=0, **getattr(request, "param", {}))
    app = create_app(team, limits=limits, reach=team_reach(team))
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def opened(team):
    """Opens browsers, each with cookies of its own."""
    asgi = httpx.ASGITransport(app=team, client=("127.0.0.1", 1), raise_app_exceptions=False)
    made = []

    def browser(key=None):
        headers = {"X-Treadle": "1", "Origin": URL, "X-Forwarded-For": "192.0.2.7"}
        http = httpx.AsyncClient(base_url=URL, transport=asgi, headers=headers)
        made.append(http)
        return Browser(http, key)

    yield browser
    for http in made:
        await http.aclose()


@pytest.fixture
async def admin(team, opened):
    browser = opened()
    browser.http.headers.update(await token_for(team, "anna", scope=Role.ADMIN))
    return browser


async def audited(team):
    found = await team.state.journal.people.audit.page()
    return [(each.action, each.person, each.result.value, each.target) for each in found]


async def test_an_invited_person_registers_is_signed_in_and_signs_in_again(team, admin, opened):
    link = (await admin.post("people/ben/invite")).json()
    assert re.fullmatch(rf"{URL}/sign-in/invitation#[\w-]{{40,}}", link["url"])
    browser = opened()
    answer = await browser.register(link["url"].partition("#")[2])
    assert answer.json() == {"person": "ben"}
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-treadle-session")
    assert all(word in cookie for word in ("HttpOnly", "Secure", "SameSite=strict"))
    assert await browser.me() == "ben"

    other = opened(browser.key)
    assert await other.me() == 401
    assert (await other.sign_in()).json() == {"person": "ben"}
    assert await other.me() == "ben"
    assert (await other.post("sign-out")).json()["url"] == f"{URL}/"
    assert await other.me() == 401
    assert await browser.me() == "ben"


async def test_an_invitation_works_once_for_its_time_and_until_there_is_a_newer(admin, opened):
    secret = await invited(admin)
    early = opened()
    begun = await early.begin("passkey-registrations", invitation=secret)
    assert (await opened().register(secret)).status_code == 200
    again = await early.finish(
        "passkey-registrations", begun, early.key.create(begun["options"]), name="x"
    )
    assert refusal(again) == ENDED
    assert await early.me() == 401
    for wrong in (secret, "x" * 43):
        assert refusal(await early.post("passkey-registrations", invitation=wrong)) == ENDED
    older, newer = await invited(admin, "cleo"), await invited(admin, "cleo")
    assert refusal(await early.post("passkey-registrations", invitation=older)) == ENDED
    assert (await opened().register(newer)).status_code == 200


async def test_an_answer_is_taken_once(admin, opened):
    browser = await registered(admin, opened())
    assert (await browser.sign_in()).status_code == 200
    thief = opened()
    replayed = await thief.post("passkey-sign-ins/finish", **browser.said)
    assert refusal(replayed) == REFUSED
    other = await thief.begin("passkey-sign-ins")
    stale = await thief.finish("passkey-sign-ins", other, browser.said["credential"])
    assert refusal(stale) == REFUSED
    assert await thief.me() == 401


async def test_another_origin_site_key_or_person_is_refused(admin, opened):
    ben = await registered(admin, opened())
    cleo = await registered(admin, opened(), "cleo")
    stranger = opened()
    mine = ben.key
    for forged in (
        Authenticator("https://treadle.example.org.evil.example", HOST, mine.handle),
        Authenticator(URL, "example.org", mine.handle),
        Authenticator(URL, HOST, mine.handle),  # with a key of its own
    ):
        forged.id = mine.id
        if forged.origin != URL or forged.rp_id != HOST:
            forged.key = mine.key
        assert refusal(await stranger.sign_in(forged)) == REFUSED
    assert refusal(await stranger.sign_in(mine, handle=cleo.key.handle)) == REFUSED
    assert refusal(await stranger.sign_in(mine, flags=0x01)) == REFUSED
    assert refusal(await stranger.sign_in(Authenticator(URL, HOST, mine.handle))) == REFUSED
    assert await stranger.me() == 401
    foreign = await stranger.http.post(
        "/v1/passkey-sign-ins", json={}, headers={"Origin": "https://evil.example"}
    )
    assert refusal(foreign) == (403, "origin_not_allowed")


async def test_a_counter_that_goes_back_is_refused(admin, opened):
    browser = await registered(admin, opened())
    for _ in range(3):
        assert (await browser.sign_in()).status_code == 200
    browser.key.uses = 1
    answer = await opened().sign_in(browser.key)
    assert refusal(answer) == REFUSED
    assert "may be a copy" in answer.json()["detail"]


async def test_a_passkey_of_one_person_is_not_registered_for_another(admin, opened):
    ben = await registered(admin, opened())
    answer = await opened(ben.key).register(await invited(admin, "cleo"))
    assert refusal(answer) == REFUSED
    assert "registered already" in answer.json()["detail"]


async def test_who_is_removed_from_the_file_is_out_and_gets_in_no_more(admin, opened):
    browser = await registered(admin, opened())
    secret = await invited(admin, "cleo")
    begun = await opened().begin("passkey-registrations", invitation=secret)
    write_people(PEOPLE.partition("[users.ben")[0])
    assert await browser.me() == 401
    answer = await browser.sign_in()
    assert refusal(answer) == REFUSED
    assert "has no role here" in answer.json()["detail"]
    late = opened()
    made = late.key.create(begun["options"])
    assert refusal(await late.finish("passkey-registrations", begun, made)) == REFUSED
    assert refusal(await late.post("passkey-registrations", invitation=secret)) == REFUSED


async def test_an_admin_revokes_a_person(team, admin, opened):
    browser = await registered(admin, opened())
    headers = await token_for(team, "ben", scope=Role.AUTHOR)
    program = opened()
    program.http.headers.update(headers)
    assert (await browser.me(), await program.me()) == ("ben", "ben")
    secret = await invited(admin)

    ended = (await admin.post("people/ben/revoke", command_id="c2")).json()

    assert ended == {"person": "ben", "passkeys": 1, "sessions": 1, "tokens": 1}
    assert (await browser.me(), await program.me()) == (401, 401)
    assert refusal(await browser.sign_in()) == REFUSED
    assert refusal(await browser.post("passkey-registrations", invitation=secret)) == ENDED
    assert await admin.me() == "anna"


async def test_a_browser_that_a_person_signed_in_makes_no_links(admin, opened):
    """A link of nobody's token would sign in as the owner."""
    for person in ("anna", "ben"):
        browser = await registered(admin, opened(), person)
        assert refusal(await browser.post("browser-links")) == (403, "link_needs_token")


async def test_only_admins_invite_and_revoke_and_only_people_with_a_role(admin, opened):
    ben = await registered(admin, opened())
    for path in ("people/cleo/invite", "people/cleo/revoke"):
        assert refusal(await ben.post(path)) == (403, "role_missing")
        assert (await opened().post(path)).status_code == 401
    assert refusal(await admin.post("people/ben/forget", command_id="c3")) == (404, "not_found")
    for person in ("nobody", user_name()):
        assert refusal(await admin.post(f"people/{person}/invite")) == REFUSED


async def test_all_of_it_is_in_the_audit_log_without_secrets(team, admin, opened):
    secret = await invited(admin)
    browser = opened()
    await browser.register(secret)
    await browser.sign_in()
    await browser.sign_in(handle="other")
    await admin.post("people/ben/revoke")
    lines = await audited(team)
    for wanted in (
        ("POST /v1/people/{person}/invite", "anna", "done", "ben"),
        ("invitation", "ben", "done", ""),
        ("passkey", "ben", "done", ""),
        ("passkey", "", "refused", ""),
        ("POST /v1/people/{person}/revoke", "anna", "done", "ben"),
    ):
        assert wanted in lines
    assert secret not in str(lines)


@pytest.mark.parametrize("team", [{"sign_ins": RateLimitItemPerMinute(4)}], indirect=True)
@pytest.mark.usefixtures("team")
async def test_each_step_of_a_sign_in_counts_as_one_with_a_provider(opened):
    browser = opened()
    begun = await browser.begin("passkey-sign-ins")
    steps = (
        browser.post("passkey-sign-ins"),
        browser.finish("passkey-sign-ins", begun, browser.key.get(begun["options"])),
        browser.post("passkey-registrations", invitation="x" * 40),
        browser.post("passkey-sign-ins"),
        browser.post("passkey-sign-ins/finish", ceremony="x" * 40, credential={}),
        browser.post("passkey-registrations", invitation="x" * 40),
    )
    assert [(await step).status_code for step in steps] == [200, 403, 410, 429, 429, 429]


@pytest.mark.parametrize("team", [{"sign_ins": RateLimitItemPerMinute(1)}], indirect=True)
@pytest.mark.usefixtures("team")
async def test_one_address_keeps_nobody_else_from_signing_in(opened):
    async def begin(address):
        browser = opened()
        browser.http.headers["X-Forwarded-For"] = address
        return (await browser.post("passkey-sign-ins")).status_code

    asked = ("192.0.2.7", "192.0.2.7", "192.0.2.8", "2001:db8::1", "2001:db8::2", "2001:db8:1::1")
    assert [await begin(address) for address in asked] == [200, 429, 200, 200, 429, 200]


async def test_nobody_signs_in_with_passkeys_where_they_are_off(down_client):
    for path in ("passkey-sign-ins", "passkeys"):
        assert (await down_client.post(f"/v1/{path}", json={})).status_code in {403, 404}
    answer = await down_client.post("/v1/people/ben/invite", json={})
    assert refusal(answer) == (409, "passkeys_off")


async def test_the_pages_have_one_script_and_an_invitation_opens_from_a_chat(opened):
    browser = opened()
    html = {"Accept": "text/html"}
    door = await browser.http.get("/threads/x", headers=html)
    assert 'href="/sign-in/passkey?to=%2Fthreads%2Fx">Sign in with a passkey' in door.text
    from_chat = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    welcome = await browser.http.get("/sign-in/invitation", headers=html | from_chat)
    back = await browser.http.get("/sign-in/passkey", params={"to": "//evil.example"})
    for page in (welcome, back, await browser.http.get("/sign-in/passkey/new")):
        assert page.status_code == 200
        policy = page.headers["content-security-policy"]
        assert f"script-src {URL}/sign-in/passkey.js;" in policy
        assert "default-src 'none'" in policy
        assert page.text.count("<script") == 1
    assert 'data-to="/"' in back.text
    assert (await browser.http.get("/sign-in/passkey", headers=from_chat)).status_code == 403
    script = await browser.http.get("/sign-in/passkey.js")
    assert script.headers["content-type"].startswith("text/javascript")
