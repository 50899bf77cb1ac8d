"""`treadle login` and `treadle logout`: what is sent where, what is kept, and what refuses to be sent."""

import json
import ssl
import stat

import pytest
from typer.testing import CliRunner

from address import LOGIN, read_server
from cli.app import app
from cli.core.errors import CommandError
from tests.agents.authority import authority

CODES = {
    "device_code": "secret-of-the-program",
    "user_code": "WDJB-MJHT",
    "verification_uri": "https://treadle.example/device",
    "verification_uri_complete": "https://treadle.example/device/WDJB-MJHT",
    "expires_in": 600,
    "interval": 0,
}
MADE = {
    "token": "trdl_new",
    "details": {"token_id": "ab12", "expires_at": "2026-12-29T10:00:00+00:00"},
}
ASK, TOKEN = "POST /v1/device-logins", "POST /v1/device-tokens"


@pytest.fixture
def data(settings, api, monkeypatch):
    """An empty data folder on a laptop, and a server elsewhere."""
    folder = settings.data_dir / "laptop"
    monkeypatch.setenv("TREADLE_DATA_DIR", str(folder))
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(settings.data_dir / "config"))
    api.answers[ASK] = (201, CODES)
    api.answers[TOKEN] = (200, MADE)
    api.answers["GET /v1/me"] = (200, {"person": "anna", "role": "approver"})
    api.answers["GET /v1/tokens"] = (200, {"tokens": []})
    api.answers["POST /v1/tokens/ab12/revoke"] = (200, {"name": "x"})
    return folder


@pytest.fixture
def treadle():
    """Run a command; gives its exit code, and what it printed or refused with."""
    runner = CliRunner()

    def run(*arguments, given=None):
        done = runner.invoke(app, [*arguments], input=given)
        if isinstance(done.exception, CommandError):
            return done.exception.code, str(done.exception)
        assert done.exception is None, done.exception
        return done.exit_code, done.stderr or done.stdout

    return run


def url(api):
    return f"http://127.0.0.1:{api.server_port}"


def problem(name):
    return {"type": f"treadle:{name}", "title": name, "detail": f"it is {name}", "status": 400}


def refused_once(api, name):
    """Let the server refuse once, then give the token."""
    api.answers[TOKEN] = (400, problem(name))

    def relent():
        api.answers[TOKEN] = (200, MADE)

    api.then[TOKEN] = relent


def sent(api, key):
    return [(headers, body) for name, headers, body in api.got if name == key]


def test_a_person_confirms_and_commands_talk_to_the_server(data, api, treadle):
    refused_once(api, "authorization_pending")
    code, said = treadle("login", url(api), "--scope", "author", "--days", "7")
    file = data / LOGIN
    listed = treadle("tokens", "list")

    assert code == 0
    assert "WDJB-MJHT" in said
    assert "Signed in at" in said
    asked = sent(api, ASK)[0][1]
    assert {"scope": "author", "days": 7}.items() <= asked.items()
    assert len(sent(api, TOKEN)) == 2
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert listed[0] == 0
    assert sent(api, "GET /v1/tokens")[0][0]["Authorization"] == "Bearer trdl_new"


def test_signing_out_revokes_the_token_and_forgets_it(data, api, treadle):
    treadle("login", url(api))
    code, said = treadle("logout")
    assert (code, (data / LOGIN).exists()) == (0, False)
    assert "Signed out of" in said
    assert sent(api, "POST /v1/tokens/ab12/revoke")[0][0]["Authorization"] == "Bearer trdl_new"
    assert treadle("logout") == (0, "You are signed in nowhere.\n")


def test_signing_out_works_without_the_server(data, api, treadle):
    treadle("login", url(api))
    api.answers["POST /v1/tokens/ab12/revoke"] = (503, problem("down"))
    code, said = treadle("logout")
    assert (code, (data / LOGIN).exists()) == (0, False)
    assert "could not be revoked" in said


@pytest.mark.parametrize("name", ["access_denied", "expired_token"])
def test_what_was_denied_or_forgotten_is_not_kept(data, api, treadle, name):
    api.answers[TOKEN] = (400, problem(name))
    assert treadle("login", url(api)) == (1, f"it is {name}")
    assert not (data / LOGIN).exists()


def test_a_token_is_read_from_standard_input(data, api, treadle):
    code, _ = treadle("login", url(api), "--with-token", given="trdl_given\n")
    assert code == 0
    assert sent(api, ASK) == []
    assert json.loads((data / LOGIN).read_text())["token"] == "trdl_given"
    assert "stays good" in treadle("logout")[1]
    assert treadle("login", url(api), "--with-token", given="\n")[0] == 1


@pytest.mark.parametrize(
    "address", ["http://treadle.example", "treadle.example", "https://treadle.example/team"]
)
def test_an_address_that_is_not_safe_gets_nothing(data, api, treadle, address):
    assert treadle("login", address)[0] == 2
    assert api.got == []


def test_a_token_is_sent_to_its_own_server_only(data, api, treadle, monkeypatch):
    treadle("login", url(api))
    monkeypatch.setenv("TREADLE_URL", "https://other.example")
    other = read_server(data)
    monkeypatch.setenv("TREADLE_TOKEN", "trdl_other")
    given = read_server(data)
    monkeypatch.setenv("TREADLE_URL", "local")
    here = read_server(data)
    assert other is not None
    assert given is not None
    assert (other.token, given.token, here) == ("", "trdl_other", None)


def test_who_is_signed_out_reads_how_to_sign_in_again(data, api, treadle):
    treadle("login", url(api))
    api.answers["GET /v1/tokens"] = (401, {**problem("token_expired"), "hint": "the file `token`"})
    code, said = treadle("tokens", "list")
    assert code == 1
    assert said == f"it is token_expired\nsign in with `treadle login {url(api)}`"


def test_a_page_of_a_proxy_is_no_answer(data, api, treadle):
    treadle("login", url(api))
    api.answers["GET /v1/tokens"] = (302, "")
    code, said = treadle("tokens", "list")
    assert code == 3
    assert "is it a Treadle server?" in said


def test_a_certificate_is_checked_before_anything_is_sent(
    data, api, treadle, tmp_path, monkeypatch
):
    made = authority(tmp_path, ("localhost",))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.chain, made.key)
    api.socket = context.wrap_socket(api.socket, server_side=True)
    at = f"https://localhost:{api.server_port}"
    refused = treadle("login", at)
    assert "not trusted, so nothing was sent" in refused[1]
    assert api.got == []

    monkeypatch.chdir(made.own.parent)
    assert treadle("login", at, "--ca", made.own.name)[0] == 0
    monkeypatch.chdir("/")
    assert treadle("tokens", "list")[0] == 0
