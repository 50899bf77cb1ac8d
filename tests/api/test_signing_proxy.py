"""Signing in by the signed header of a proxy: what counts as a signature, and who it is then."""

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey
from pydantic import ValidationError

from api.app import create_app
from api.core.reach import team_reach
from settings import config_dir
from settings.serve import ProxyTable, ServeTable

URL = "https://treadle.example.org"
HEADER = "Cf-Access-Jwt-Assertion"
ISSUER = "https://team.cloudflareaccess.example"
AUDIENCE = "4714c1358e65fe4b"
PEOPLE = """
[users.root-admin.roles]
"*" = "admin"

[users."anna@example.org".roles]
"*" = "approver"

[groups.backend]
roles = { "*" = "author" }
"""


class Keys:
    """A proxy's keys at an address, which may be replaced."""

    def __init__(self):
        self.rotate()
        keys = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps(KeySet([keys.key]).as_dict(private=False)).encode()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/certs"

    def rotate(self):
        self.key = RSAKey.generate_key(2048, auto_kid=True)

    def signed(self, **changes):
        """Return a header with a token about Anna, and changed claims."""
        claims = {
            "iss": ISSUER,
            "aud": [AUDIENCE],
            "sub": "anna-1",
            "email": "anna@example.org",
            "exp": int(time.time()) + 600,
        }
        claims = {name: value for name, value in (claims | changes).items() if value is not None}
        header = {"alg": "RS256", "kid": self.key.kid}
        return {HEADER: jwt.encode(header, claims, self.key)}


@pytest.fixture
def keys():
    made = Keys()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


def table(keys, **changes):
    fields = {"header": HEADER, "keys_url": keys.url, "issuer": ISSUER, "audience": AUDIENCE}
    return ProxyTable(**fields | changes)


@contextlib.asynccontextmanager
async def browser_at(settings, reach=None, url=URL):
    app = create_app(settings, reach=reach)
    async with app.router.lifespan_context(app):
        asgi = httpx.ASGITransport(app=app, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(base_url=url, transport=asgi) as opened:
            yield opened


@pytest.fixture
def team(settings, keys, tmp_path):
    (tmp_path / "config").mkdir(exist_ok=True)
    (config_dir() / "people.toml").write_text(PEOPLE)
    serve = ServeTable(behind_proxy=True)
    return settings.model_copy(
        update={"public_url": URL, "serve": serve, "proxy": table(keys, sign_out_url="/out")}
    )


@pytest.fixture
async def browser(team):
    async with browser_at(team, team_reach(team)) as opened:
        yield opened


async def test_a_signed_header_says_who_somebody_is(browser, keys):
    me = await browser.get("/v1/me", headers=keys.signed())
    mine = {"email": "ben@example.org", "sub": "ben-1", "groups": ["backend"]}
    ben = await browser.get("/v1/me", headers=keys.signed(**mine))
    again = await browser.get("/v1/me", headers=keys.signed(**mine))
    assert [me.json()["person"], me.json()["role"]] == ["anna@example.org", "approver"]
    assert [ben.json()["person"], ben.json()["role"]] == ["ben@example.org", "author"]
    assert again.json() == ben.json()


async def test_a_write_needs_the_origin_of_the_page(browser, keys):
    headers = {**keys.signed(), "X-Treadle": "1"}
    body = {"name": "laptop", "scope": "viewer"}
    refused = await browser.post("/v1/tokens", json=body, headers=headers)
    foreign = {**headers, "Origin": "https://evil.example"}
    elsewhere = await browser.post("/v1/tokens", json=body, headers=foreign)
    made = await browser.post("/v1/tokens", json=body, headers={**headers, "Origin": URL})
    assert [refused.status_code, elsewhere.status_code, made.status_code] == [403, 403, 201]
    assert refused.json()["type"] == "treadle:origin_missing"


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://other.example"},
        {"aud": ["another application"]},
        {"aud": None},
        {"exp": 1},
        {"exp": None},
        {"sub": ""},
        {"email": None},
        {"email_verified": False},
        {"email": "nobody@example.org"},
    ],
    ids=str,
)
async def test_claims_that_are_not_good_name_nobody(browser, keys, changes):
    answer = await browser.get("/v1/me", headers=keys.signed(**changes))
    assert (answer.status_code, answer.json()["type"]) == (403, "treadle:sign_in_refused")


async def test_only_the_proxys_own_key_signs(browser, keys):
    good = keys.signed()[HEADER]
    bare = {"email": "anna@example.org", "sub": "anna-1", "iss": ISSUER, "aud": AUDIENCE}
    shared = OctKey.import_key(json.dumps(keys.key.as_dict(private=False)))
    forged = [
        "anna@example.org",
        good[:-8] + "AAAAAAAA",
        good.rpartition(".")[0] + ".",
        jwt.encode({"alg": "HS256"}, bare | {"exp": int(time.time()) + 60}, shared),
        jwt.encode({"alg": "RS256"}, bare | {"exp": int(time.time()) + 60}, RSAKey.generate_key()),
    ]
    answers = [await browser.get("/v1/me", headers={HEADER: text}) for text in forged]
    twice = await browser.get("/v1/me", headers=[(HEADER, good), (HEADER, good)])
    unsigned = {"X-Forwarded-User": "anna@example.org", "X-Forwarded-Email": "anna@example.org"}
    assert [each.status_code for each in answers] == [403] * len(forged)
    assert twice.status_code == 403
    assert (await browser.get("/v1/me", headers=unsigned)).status_code == 401


async def test_a_key_that_was_replaced_is_read_again(browser, keys, monkeypatch):
    monkeypatch.setattr("adapters.sign_in.key_sets.AGAIN_SECONDS", 0)
    before = keys.signed()
    assert (await browser.get("/v1/me", headers=before)).status_code == 200
    keys.rotate()
    assert (await browser.get("/v1/me", headers=keys.signed())).status_code == 200


async def test_a_browser_reads_why_and_where_to_sign_out(browser, keys):
    html = {"Accept": "text/html"}
    without = await browser.get("/threads", headers=html)
    nobody = keys.signed(email="nobody@example.org", sub="nobody-1")
    refused = await browser.get("/threads", headers={**nobody, **html})
    headers = {**keys.signed(), "Origin": URL, "X-Treadle": "1"}
    out = await browser.post("/v1/sign-out", json={}, headers=headers)
    assert "The proxy in front of this server signs people in" in without.text
    assert "nobody@example.org has no role here" in refused.text
    assert out.json() == {"url": "/out"}


async def test_without_its_keys_the_proxy_signs_nobody_in(team, keys):
    dead = team.model_copy(update={"proxy": table(keys, keys_url="http://127.0.0.1:1/certs")})
    async with browser_at(dead, team_reach(dead)) as browser:
        answer = await browser.get("/v1/me", headers=keys.signed())
    assert (answer.status_code, answer.json()["type"]) == (503, "treadle:provider_unreachable")


async def test_on_loopback_the_header_says_nothing(team, keys):
    async with browser_at(team, url=team.api_url) as browser:
        assert (await browser.get("/v1/me", headers=keys.signed())).status_code == 401


@pytest.mark.parametrize(
    "changes",
    [{"keys_url": None}, {"issuer": ""}, {"audience": ""}, {"header": "Authorization"}],
    ids=str,
)
def test_settings_that_would_prove_nothing_are_refused(keys, changes):
    with pytest.raises(ValidationError):
        table(keys, **changes)
