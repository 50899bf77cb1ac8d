"""`treadle serve`: what it refuses to listen as, and what a team meets at its address."""

import asyncio
import contextlib
import socket
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from adapters.files.people_file import PeopleFile
from api.app import create_app
from api.core.listeners import bound
from api.core.problems import RefusedError
from api.core.reach import LOCAL_SOCKET, local_reach, team_reach
from api.server import Server
from api.serving import ServeError, check_serving
from settings import config_dir
from settings.serve import OidcTable, ProxyTable, ServeTable
from settings.webhooks import WebhooksTable
from tests.api.test_permissions import token_for
from tests.free_ports import free_ports
from tests.webhooks.senders import sender

PEOPLE = '[users.anna.roles]\n"*" = "admin"\n'
PROXY = ProxyTable(
    header="X-Signed", keys_url="https://proxy.example/keys", issuer="proxy", audience="treadle"
)


def certify(folder):
    """Write a certificate of localhost that signs itself; return its files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName(
        [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    )
    cert = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "cert.pem", folder / "key.pem"
    files[0].write_bytes(cert.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files


@pytest.fixture
def people(settings, tmp_path):
    (tmp_path / "config").mkdir(exist_ok=True)
    file = PeopleFile(config_dir() / "people.toml")
    file.path.write_text(PEOPLE)
    return file


def as_team(settings, public_url="https://treadle.example.org", **serve):
    return settings.model_copy(update={"public_url": public_url, "serve": ServeTable(**serve)})


@pytest.mark.parametrize(
    ("url", "serve", "words"),
    [
        (None, {"behind_proxy": True}, "TREADLE_PUBLIC_URL"),
        ("http://treadle.example.org", {"behind_proxy": True}, "must begin with https://"),
        ("https://treadle.example.org/x", {"behind_proxy": True}, "without a path"),
        ("https://treadle.example.org", {"host": "192.0.2.7"}, "beyond this machine"),
        ("https://treadle.example.org", {"host": "::"}, "beyond this machine"),
        ("https://treadle.example.org", {}, "nothing speaks HTTPS"),
        ("https://treadle.example.org", {"tls_cert": "/no/cert"}, "go together"),
        ("https://t.example", {"tls_cert": "/no/cert", "tls_key": "/no/key"}, "no certificate"),
    ],
)
def test_it_does_not_listen_where_it_is_not_safe(settings, people, url, serve, words):
    with pytest.raises(ServeError, match=words):
        check_serving(as_team(settings, url, **serve), people)


def test_it_does_not_listen_without_people(settings, people):
    team = as_team(settings, behind_proxy=True)
    check_serving(team, people)
    people.path.write_text("[users.anna]")
    with pytest.raises(ServeError, match="at least one user or group the role admin"):
        check_serving(team, people)
    people.path.unlink()
    with pytest.raises(ServeError, match="name people and their roles"):
        check_serving(team, people)


@pytest.mark.parametrize(
    ("senders", "words"),
    [
        (None, "set TREADLE_WEBHOOKS_LISTEN"),
        ((), "webhook github: .* holds no secret"),
        ({"template": "t", "repository": "/r"}, "webhook standard: t is started by the API of"),
    ],
)
def test_it_does_not_take_webhooks_that_it_cannot_take(settings, people, tmp_path, senders, words):
    team = as_team(settings, behind_proxy=True, takes_webhooks=True)
    if senders is not None:
        made = (
            sender("standard", tmp_path, **senders) if senders else sender("github", tmp_path, " ")
        )
        table = WebhooksTable(listen="127.0.0.1:8430", senders=(made,))
        team = team.model_copy(update={"webhooks": table})
    with pytest.raises(ServeError, match=words):
        check_serving(team, people)
    check_serving(team.model_copy(update={"serve": ServeTable(behind_proxy=True)}), people)


@pytest.mark.parametrize("is_taken", [True, False])
async def test_webhooks_come_in_at_the_server_only_if_it_takes_them(settings, tmp_path, is_taken):
    port = free_ports(1)[0]
    table = WebhooksTable(listen=f"127.0.0.1:{port}", senders=(sender("github", tmp_path),))
    team = as_team(settings, behind_proxy=True, takes_webhooks=is_taken)
    team = team.model_copy(update={"webhooks": table})
    app = create_app(team, reach=team_reach(team))
    async with app.router.lifespan_context(app):
        with socket.socket() as asking:
            assert (asking.connect_ex(("127.0.0.1", port)) == 0) is is_taken


@pytest.mark.parametrize(
    ("settled", "words"),
    [
        ({"oidc": OidcTable(issuer="https://login.example")}, "unset .* TREADLE_OIDC_ISSUER"),
        ({"proxy": PROXY}, "unset .* TREADLE_PROXY_HEADER"),
        ({"public_url": "https://192.0.2.7"}, "not its address 192.0.2.7"),
        ({"public_url": "https://[2001:db8::1]"}, "not its address 2001:db8::1"),
    ],
)
def test_passkeys_are_the_only_way_to_sign_in_and_belong_to_a_name(
    settings, people, settled, words
):
    team = as_team(settings, behind_proxy=True).model_copy(update={"passkeys": True})
    check_serving(team, people)
    with pytest.raises(ServeError, match=words):
        check_serving(team.model_copy(update=settled), people)


def scope_of(peer, *forwarded):
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return {"client": (peer, 1) if peer else None, "headers": headers}


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("127.0.0.1", ("203.0.113.9",), "203.0.113.9"),
        ("127.0.0.1", ("198.51.100.1, 203.0.113.9",), "203.0.113.9"),
        ("10.1.2.3", ("198.51.100.1", "203.0.113.9, 10.9.9.9"), "203.0.113.9"),
        ("127.0.0.1", (), "127.0.0.1"),
        ("::ffff:127.0.0.1", ("2001:db8::1",), "2001:db8::1"),
        ("127.0.0.1", ("made up",), "made up"),
    ],
)
def test_behind_a_proxy_the_address_is_what_the_proxy_saw(settings, peer, forwarded, address):
    reach = team_reach(
        as_team(settings, behind_proxy=True, trusted_proxies="127.0.0.1, 10.0.0.0/8")
    )
    assert reach.address_of(scope_of(peer, *forwarded)) == address


def test_only_a_trusted_proxy_may_connect(settings):
    reach = team_reach(as_team(settings, behind_proxy=True))
    with pytest.raises(RefusedError) as refused:
        reach.address_of(scope_of("10.1.2.3", "127.0.0.1"))
    assert refused.value.problem.type == "treadle:proxy_not_trusted"


def test_without_a_proxy_nobody_names_another_address():
    reach = local_reach(8420)
    assert reach.address_of(scope_of("127.0.0.1", "203.0.113.9")) == "127.0.0.1"
    assert reach.address_of(scope_of(None)) == LOCAL_SOCKET


def test_a_standard_port_may_be_named_or_not(settings):
    reach = team_reach(as_team(settings, "https://treadle.example.org:443/", behind_proxy=True))
    assert reach.hosts == {"treadle.example.org", "treadle.example.org:443"}
    assert reach.origins == {"https://treadle.example.org"}


@contextlib.asynccontextmanager
async def team_of(settings, tmp_path, **serve):
    """Serve a team with TLS; yield the application and a client that trusts its certificate."""
    cert, key = certify(tmp_path)
    url = f"https://localhost:{settings.serve.port}"
    team = as_team(settings, url, port=settings.serve.port, tls_cert=cert, tls_key=key, **serve)
    app = create_app(team, reach=team_reach(team))
    with bound(team.serve.port) as listener:
        server = Server(app, cert, key)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        trust = ssl.create_default_context(cafile=str(cert))
        async with httpx.AsyncClient(
            base_url=url, verify=trust, headers={"X-Treadle": "1"}, timeout=60
        ) as http:
            try:
                await http.get("/livez")
                yield app, http, server
            finally:
                server.should_exit = True
                await task


@pytest.fixture
async def team(settings, people, tmp_path):
    port = settings.model_copy(update={"serve": ServeTable(port=settings.api_port)})
    async with team_of(port, tmp_path) as opened:
        yield opened


async def test_a_team_is_served_with_tls_and_by_its_own_tokens(team, settings):
    app, http, _ = team
    owner = {"Authorization": f"Bearer {settings.token_file.read_text().strip()}"}
    anna = await token_for(app, "anna")

    refused = await http.get("/v1/me", headers=owner)
    me = await http.get("/v1/me", headers=anna)
    foreign = await http.get("/v1/me", headers={**anna, "Host": "treadle.localhost"})

    assert (refused.status_code, refused.json()["type"]) == (401, "treadle:owner_not_taken")
    assert (me.json()["person"], me.json()["role"]) == ("anna", "admin")
    assert "max-age" in me.headers["strict-transport-security"]
    assert (foreign.status_code, foreign.json()["type"]) == (421, "treadle:host_not_allowed")


async def test_a_browser_gets_a_secure_cookie_and_may_come_by_a_link(team, settings):
    app, http, _ = team
    anna = await token_for(app, "anna")
    link = (await http.post("/v1/browser-links", json={}, headers=anna)).json()["url"]
    cookie = (await http.get(link)).headers["set-cookie"]
    assert cookie.startswith("__Host-treadle-session-")
    assert "; Secure" in cookie
    assert "samesite=strict" in cookie.lower()

    from_chat = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    opened = await http.get("/threads/x?y=%22%3E1", headers=from_chat)
    embedded = await http.get("/threads/x", headers={**from_chat, "Sec-Fetch-Dest": "iframe"})
    read = await http.get("/v1/me", headers=from_chat)
    assert 'url=/threads/x?y=%22%3E1"' in opened.text
    assert (embedded.status_code, read.status_code) == (403, 403)


async def test_owners_tokens_and_sessions_stay_on_the_machine(team, settings):
    app, http, _ = team
    token = await token_for(app, "root", is_owner=True)
    sessions = app.state.sessions
    cookie = {sessions.cookie_name: sessions.new_cookie()}
    answers = [
        await http.get("/v1/me", headers=token),
        await http.get("/v1/me", headers={"Cookie": "=".join(*cookie.items())}),
    ]
    assert [answer.json()["type"] for answer in answers] == ["treadle:owner_not_taken"] * 2


async def test_a_renewed_certificate_is_used_for_new_connections(team, tmp_path):
    _, http, server = team
    before = await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", http.base_url.port))
    cert, _ = certify(tmp_path)

    assert server.renew_certificate()
    after = await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", http.base_url.port))
    assert before != after
    assert after.strip() == cert.read_text().strip()
