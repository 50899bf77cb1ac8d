"""A real nginx with the configuration of deploy/nginx, in front of the listener of `treadle serve`."""

import asyncio
import re
import shutil
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from fastapi import FastAPI
from httpx_sse import aconnect_sse

from api.app import create_app
from api.core.bodies import ENCODED_LIMIT
from api.core.reach import team_reach
from api.server import Server, bound
from settings import Settings
from settings.serve import ServeTable
from tests.api.conftest import event  # pyright: ignore[reportUnknownVariableType]
from tests.api.test_permissions import token_for  # pyright: ignore[reportUnknownVariableType]
from tests.deploy.containers import ROOT
from tests.deploy.tls import write_certificate
from tests.deploy.tools import NGINX_PATH
from tests.free_ports import free_ports

pytestmark = pytest.mark.e2e

TEMPLATE = (ROOT / "deploy" / "nginx" / "treadle.conf.template").read_text()
PEOPLE = '[users.anna.roles]\n"*" = "admin"\n'
PERSON = "127.0.0.9"
"""The address that a person comes from, which is no trusted proxy."""
FRAME = """
daemon off;
pid {folder}/pid;
error_log stderr warn;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {site}
}}
"""


class Team(NamedTuple):
    """What is served, and how it is reached."""

    app: FastAPI
    url: str
    plain: str
    direct: str
    trust: ssl.SSLContext

    def person(self, url: str = "", **headers: str) -> httpx.AsyncClient:
        """Return a client at a person's machine."""
        transport = httpx.AsyncHTTPTransport(verify=self.trust, local_address=PERSON)
        own = {"X-Treadle": "1", **headers}
        at = url or self.url
        return httpx.AsyncClient(transport=transport, base_url=at, headers=own, timeout=60)

    async def anna(self) -> dict[str, str]:
        return await token_for(self.app, "anna")


def site(folder: Path, ports: list[int], files: tuple[Path, Path]) -> str:
    """Return the shipped configuration, with ports and files of the test."""
    https, http, upstream = ports
    text = TEMPLATE.replace("${TREADLE_NAME}", "127.0.0.1")
    text = text.replace("${TREADLE_UPSTREAM}", f"127.0.0.1:{upstream}")
    text = text.replace("listen 443 ", f"listen 127.0.0.1:{https} ")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{http};")
    text = text.replace("/etc/nginx/treadle/", f"{folder}/treadle/")
    for name, file in zip(("crt", "key"), files, strict=True):
        text = text.replace(f"/etc/nginx/tls/tls.{name}", str(file))
    assert "/etc/nginx" not in re.sub("#.*", "", text)
    return FRAME.format(folder=folder, site=text)


@asynccontextmanager
async def nginx(folder: Path, text: str, port: int) -> AsyncGenerator[None]:
    """Run nginx until it is not needed any more."""
    program = shutil.which("nginx", path=NGINX_PATH)
    assert program, "nginx is missing: `make test-all` installs it on Debian"
    (folder / "nginx.conf").write_text(text)
    command = (program, "-p", folder, "-c", folder / "nginx.conf")
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    try:
        async with asyncio.timeout(60):
            while not await opens(port):
                assert process.returncode is None, (await process.communicate())[1].decode()
                await asyncio.sleep(0.05)
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def opens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


@pytest.fixture
async def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Team]:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "people.toml").write_text(PEOPLE)
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    async with serving(tmp_path, free_ports(3)) as made:
        yield made


@asynccontextmanager
async def serving(
    tmp_path: Path, ports: list[int], *, takes_webhooks: bool = False, **more: Any
) -> AsyncGenerator[Team]:
    """Serve a team behind nginx on the first of three ports, with more settings."""
    https, http, port = ports
    own = {"port": port, "takes_webhooks": takes_webhooks}
    settings = Settings(
        data_dir=tmp_path / "data",
        public_url=f"https://127.0.0.1:{https}",
        serve=ServeTable(**own, behind_proxy=True, trusted_proxies="127.0.0.1"),
        **more,
    )
    files = write_certificate(tmp_path)
    app = create_app(settings, reach=team_reach(settings))
    trust = ssl.create_default_context(cafile=str(files[0]))
    with bound(port) as listener:
        server = Server(app)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            async with nginx(tmp_path, site(tmp_path, [https, http, port], files), https):
                here = f"http://127.0.0.1:{port}"
                made = Team(app, str(settings.public_url), f"http://127.0.0.1:{http}", here, trust)
                async with made.person() as client:
                    assert (await client.get("/livez")).status_code == 200
                yield made
        finally:
            server.should_exit = True
            await task


async def test_the_page_loads_after_a_link_is_opened(team: Team):
    async with team.person(**await team.anna()) as client:
        link = (await client.post("/v1/browser-links", json={})).json()["url"]
    async with team.person(Accept="text/html") as browser:
        opened = await browser.get(link)
        page = await browser.get("/")
        script = re.search(r'src="(/assets/[^"]+\.js)"', page.text)
        assert script
        loaded = await browser.get(script[1])

    assert link.startswith(f"{team.url}/open/")
    assert opened.headers["set-cookie"].startswith("__Host-treadle-session-")
    assert (page.status_code, loaded.status_code) == (200, 200)
    assert '<div id="root">' in page.text
    assert "max-age" in page.headers["strict-transport-security"]


async def test_events_arrive_while_the_stream_is_open(team: Team):
    async with (
        team.person(**await team.anna()) as client,
        aconnect_sse(client, "GET", "/v1/events") as source,
        asyncio.timeout(60),
    ):
        events = source.aiter_sse()
        seen: list[Any] = []
        for number in range(3):  # each is written after the one before it has arrived
            await team.app.state.journal.append([event(number)])
            seen.append((await anext(events)).json()["event"]["id"])

    assert seen == [f"thread-a:{number}" for number in range(3)]


@pytest.mark.parametrize(
    "forged",
    [
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-For": "203.0.113.7, 127.0.0.1"},
        {"X-Real-IP": "203.0.113.7", "Forwarded": "for=203.0.113.7", "X-Forwarded-For": "::1"},
    ],
)
async def test_nobody_chooses_the_address_that_the_audit_log_names(
    team: Team, forged: dict[str, str]
):
    async with team.person(**await team.anna(), **forged) as client:
        made = await client.post("/v1/browser-links", json={})
    entries = await team.app.state.journal.people.audit.page()

    assert made.status_code == 201
    assert [entry.address for entry in entries][-1] == PERSON


FORGED = {
    "host": ({"Host": "evil.example"}, 421, "host_not_allowed"),
    "host of loopback": ({"Host": "127.0.0.1:8420"}, 421, "host_not_allowed"),
    "forwarded host": (
        {"Host": "evil.example", "X-Forwarded-Host": "127.0.0.1"},
        421,
        "host_not_allowed",
    ),
    "origin": ({"Origin": "https://evil.example"}, 403, "origin_not_allowed"),
    "another site": ({"Sec-Fetch-Site": "cross-site"}, 403, "origin_not_allowed"),
    "method": ({"X-HTTP-Method-Override": "DELETE"}, 405, "method_not_allowed"),
}


@pytest.mark.parametrize("name", FORGED)
async def test_forged_headers_are_refused_as_without_a_proxy(team: Team, name: str):
    headers, status, problem = FORGED[name]
    async with team.person(**await team.anna()) as client:
        answer = await client.post("/v1/browser-links", json={}, headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (status, f"treadle:{problem}")


async def test_the_owners_token_is_not_good_through_the_proxy(team: Team):
    owner = team.app.state.settings.token_file.read_text().strip()
    async with team.person(Authorization=f"Bearer {owner}") as client:
        answer = await client.get("/v1/me", headers={"X-Forwarded-For": "127.0.0.1"})
    assert (answer.status_code, answer.json()["type"]) == (401, "treadle:owner_not_taken")


async def test_nobody_goes_around_the_proxy(team: Team):
    headers = {**await team.anna(), "X-Forwarded-For": "127.0.0.1"}
    async with team.person(team.direct, **headers, Host=team.url[8:]) as client:
        answer = await client.get("/v1/me")
    assert (answer.status_code, answer.json()["type"]) == (403, "treadle:proxy_not_trusted")


async def test_plain_http_leads_to_https_and_large_bodies_end_at_the_proxy(team: Team):
    found = re.search(r"client_max_body_size (\d+)m;", TEMPLATE)
    assert found
    limit = int(found[1]) << 20
    async with team.person(team.plain) as client:
        plain = await client.get("/threads/x?y=1")
    async with team.person(**await team.anna()) as client:
        large = await client.post("/v1/threads", content=b" " * (limit + 1))

    assert (plain.status_code, plain.headers["location"]) == (
        301,
        "https://127.0.0.1/threads/x?y=1",
    )
    assert large.status_code == 413
    assert limit > ENCODED_LIMIT


async def test_browsers_get_http_2(team: Team):
    team.trust.set_alpn_protocols(["h2"])
    port = int(team.url.rpartition(":")[2])
    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=team.trust)
    writer.transport.abort()
    assert writer.get_extra_info("ssl_object").selected_alpn_protocol() == "h2"
