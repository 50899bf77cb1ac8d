"""`treadle hosts join`: what is sent where, what is written, and what refuses to be sent."""

import ssl
import tomllib

import pytest
from temporalio.envconfig import ClientConfigProfile
from typer.testing import CliRunner

from address import read_address
from cli.app import app
from cli.core.errors import CommandError
from settings import load_settings
from tests.agents.authority import authority

CERTIFICATE = "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n"
ANSWER = {
    "name": "build-2",
    "payload_keys": "id key",
    "decision_key": "codes",
    "settings": {"journal_url": 'postgresql://t:p"w@db.example/treadle', "journal_id": "ab12"},
    "temporal": {
        "address": "temporal.example:7233",
        "namespace": "team",
        "api_key": "sesame",
        "tls": {"server_name": "inner", "client_cert_data": CERTIFICATE},
    },
}
JOIN = "POST /v1/host-joins"


@pytest.fixture
def data(settings, api, monkeypatch):
    """An empty data folder, and a server that lets its machine join."""
    monkeypatch.setenv("TREADLE_DATA_DIR", str(settings.data_dir / "joined"))
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", "")  # so that what a command sets is undone
    monkeypatch.delenv("TEMPORAL_CONFIG_FILE")
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(settings.data_dir / "config"))
    api.answers[JOIN] = (200, ANSWER)
    return settings.data_dir / "joined"


@pytest.fixture
def treadle():
    """Run a command; gives its exit code, and what it printed or refused with."""
    runner = CliRunner()

    def run(*arguments):
        done = runner.invoke(app, [*arguments])
        if isinstance(done.exception, CommandError):
            return done.exception.code, str(done.exception)
        assert done.exception is None, done.exception
        return done.exit_code, done.stderr or done.stdout

    return run


def url(api):
    return f"http://127.0.0.1:{api.server_port}"


def test_a_host_that_has_joined_works_with_what_it_got(treadle, api, data, monkeypatch):
    done = treadle("host", "join", url(api), "--token", "t", "--label", "GPU")
    assert done[0] == 0
    assert "joined as build-2" in done[1]
    (asked,) = [body for way, _, body in api.got if way == JOIN]
    assert (asked["token"], asked["host"]) == ("t", (data / "host-id").read_text())
    kept = ("payload.keys", "decision.key", "joined.toml", "joined-temporal.toml", "host-id")
    assert {oct((data / name).stat().st_mode)[-3:] for name in kept} == {"600"}
    assert (data / "payload.keys").read_text() == "id key"

    settings = load_settings()
    assert settings.journal == ANSWER["settings"]["journal_url"]
    assert (settings.host.name, settings.host.labels) == ("build-2", "gpu")
    profile = ClientConfigProfile.load()
    assert (profile.address, profile.api_key) == ("temporal.example:7233", "sesame")
    assert profile.tls.client_cert in {CERTIFICATE, CERTIFICATE.encode()}
    monkeypatch.setenv("TREADLE_JOURNAL_URL", "sqlite:////elsewhere")
    assert load_settings().journal == "sqlite:////elsewhere"
    assert read_address().data_dir == data


def test_it_joins_once_and_again_where_that_is_asked_for(treadle, api, data):
    treadle("hosts", "join", url(api), "--token", "t")
    api.got.clear()
    again = treadle("hosts", "join", url(api), "--token", "t")
    assert (again[0], api.got) == (0, [])
    assert f"joined {url(api)} already" in again[1]
    elsewhere = treadle("hosts", "join", "https://other.example", "--token", "t")
    assert (elsewhere[0], api.got) == (1, [])
    assert f"has joined {url(api)} already, not https://other.example" in elsewhere[1]
    api.answers[JOIN] = (200, {**ANSWER, "payload_keys": "new"})
    assert treadle("hosts", "join", url(api), "--token", "t", "--again")[0] == 0
    assert (data / "payload.keys").read_text() == "new"


def test_an_attempt_without_an_answer_is_repeated_as_the_same(treadle, api, data):
    api.answers[JOIN] = (503, {"detail": "later", "status": 503})
    assert treadle("hosts", "join", url(api), "--token", "t")[0] == 3
    assert not (data / "joined.toml").exists()
    api.answers[JOIN] = (200, ANSWER)
    treadle("hosts", "join", url(api), "--token", "t")
    first, second = [body for way, _, body in api.got if way == JOIN]
    assert first == second
    assert not (data / "joining").exists()


def test_keys_of_its_own_are_not_overwritten(treadle, api, data):
    data.mkdir()
    (data / "payload.keys").write_text("own")
    done = treadle("hosts", "join", url(api), "--token", "t")
    assert (done[0], api.got) == (1, [])
    assert "has keys of its own (payload.keys)" in done[1]
    assert (data / "payload.keys").read_text() == "own"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://treadle.example", "not encrypted"),
        ("treadle.example", "no address of a server"),
        ("https://user:secret@treadle.example", "address alone"),
        ("https://treadle.example/?token=x", "address alone"),
    ],
)
def test_a_token_is_sent_to_no_such_address(treadle, data, address, words):
    done = treadle("hosts", "join", address, "--token", "t")
    assert done[0] == 2
    assert words in done[1]
    assert not data.exists()


def test_the_token_comes_from_a_file_or_the_environment(treadle, api, data, tmp_path, monkeypatch):
    missing = treadle("hosts", "join", url(api))
    assert "an invitation is missing" in missing[1]
    (tmp_path / "secret").write_text("from a file\n")
    treadle("hosts", "join", url(api), "--token-file", str(tmp_path / "secret"))
    monkeypatch.setenv("TREADLE_JOIN_TOKEN", "from the environment")
    treadle("hosts", "join", url(api), "--again")
    assert [body["token"] for way, _, body in api.got if way == JOIN] == [
        "from a file",
        "from the environment",
    ]


def test_a_certificate_is_checked(treadle, api, data, tmp_path):
    made = authority(tmp_path, ("localhost",))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.chain, made.key)
    api.socket = context.wrap_socket(api.socket, server_side=True)
    at = f"https://localhost:{api.server_port}"
    refused = treadle("hosts", "join", at, "--token", "t")
    assert "not trusted, so nothing was sent" in refused[1]
    assert not [way for way, *_ in api.got if way == JOIN]
    assert treadle("hosts", "join", at, "--token", "t", "--ca", str(made.own))[0] == 0
    assert tomllib.loads((data / "joined.toml").read_text())["host"]["name"] == "build-2"


def test_an_invitation_is_printed_once(api, settings):
    details = {"expires_at": "2026-01-01T10:00:00Z", "invitation_id": "i1"}
    api.answers["POST /v1/host-invitations"] = (201, {"token": "trdlj_x", "details": details})
    done = CliRunner().invoke(app, ["host", "invite", "--name", "build-2", "--minutes", "5"])
    assert done.stdout.strip() == "trdlj_x"
    (_, _, body) = api.got[-1]
    assert (body["name"], body["minutes"]) == ("build-2", 5)
