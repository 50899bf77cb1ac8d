"""News over REST: the channels, a test that a worker carries out, and a digest."""

import asyncio
import json

import pytest

from adapters.news.webhook import WebhookCarrier
from api.news import trying
from domain.news.delivery import DeliveryState
from settings import SettingsError, load_settings
from tests.adapters.news_lab import FixedInbox, follower, item, sink
from tests.api.conftest import client_of
from tests.api.test_permissions import guarded, token_for

__all__ = ["guarded"]

KEY = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
HOOK = {
    "name": "hook",
    "kind": "webhook",
    "url": "https://hooks.example/x",
    "secret_env": "HOOK_KEY",
}


@pytest.fixture
def channels(monkeypatch):
    """A channel in the settings, before those are read."""
    monkeypatch.setenv("TREADLE_NEWS", json.dumps([HOOK]))


async def with_worker(app, url, *items):
    """Look as a worker does, until this is cancelled."""
    channel = app.state.settings.news[0].channel
    one = follower(app.state.journal, FixedInbox(*items), channel, WebhookCarrier(url, KEY))
    while True:
        await one.look()
        await asyncio.sleep(0.05)


async def test_a_test_says_what_became_of_it(channels, down_app, down_client):
    async with sink() as receiver:
        worker = asyncio.create_task(with_worker(down_app, receiver.url))
        good = await down_client.post("/v1/news/channels/hook/test", json={})
        receiver.answers = ["401 Unauthorized"]
        bad = await down_client.post("/v1/news/channels/hook/test", json={})
        worker.cancel()
    assert good.json() == {"channel": "hook", "state": "sent", "reason": ""}
    assert bad.json()["state"] == "given_up"
    assert bad.json()["reason"] == "the receiver answered 401"
    assert len(receiver.requests) == 2
    listed = (await down_client.get("/v1/news")).json()["channels"]
    assert [each["channel"]["name"] for each in listed] == ["hook"]
    assert "hooks.example" not in json.dumps(listed)


async def test_without_a_worker_a_test_is_taken_back(channels, down_app, down_client, monkeypatch):
    monkeypatch.setattr(trying, "PATIENCE_SECONDS", 0.1)
    answer = (await down_client.post("/v1/news/channels/hook/test", json={})).json()
    assert answer["state"] == "withdrawn"
    assert "no worker took it" in answer["reason"]
    [record] = (await down_app.state.journal.news.of("hook")).values()
    assert record.state is DeliveryState.WITHDRAWN


async def test_a_digest_lists_what_waits_once_for_a_command(channels, down_app, down_client):
    for _ in range(2):
        answer = await down_client.post("/v1/news/digest", json={"command_id": "c1"})
    assert answer.json() == {"channels": ["hook"]}
    async with sink() as receiver:
        channel = down_app.state.settings.news[0].channel.model_copy(update={"digest": "08:30"})
        carrier = WebhookCarrier(receiver.url, KEY)
        inbox = FixedInbox(item("a"), item("b"))
        one = follower(down_app.state.journal, inbox, channel, carrier)
        await one.look()
        await one.look()
    [(_, _, body)] = receiver.requests
    assert json.loads(body)["data"]["headline"] == "2 items wait for you"


async def test_a_channel_that_is_none_is_refused_with_those_that_are(channels, down_client):
    answer = await down_client.post("/v1/news/channels/slack/test", json={})
    assert answer.status_code == 404
    assert "channels: hook" in answer.json()["detail"]


async def test_channels_are_for_admins(guarded, settings):
    app, _ = guarded
    author = await token_for(app, "author")
    async with client_of(app, settings) as client:
        answer = await client.get("/v1/news", headers=author)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({**HOOK, "url": "http://hooks.example/x"}, "https://"),
        ({**HOOK, "url": "https://me:pw@hooks.example/x"}, "without a password"),
        ({**HOOK, "url": "ftp://hooks.example"}, "https://"),
        ({**HOOK, "secret_env": None}, "signing key"),
        ({"name": "x", "kind": "apprise"}, "apprise needs"),
        ({**HOOK, "kinds": ["gates"]}, "gate"),
        ({**HOOK, "quiet": "22-7"}, "22:00-07:00"),
        ({**HOOK, "time_zone": "Mars/Olympus"}, "Europe/Berlin"),
        ({**HOOK, "name": "Über"}, "small letters"),
        ({**HOOK, "colour": "red"}, "colour"),
    ],
)
def test_a_wrong_table_is_refused_by_name(monkeypatch, tmp_path, table, words):
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("TREADLE_NEWS", json.dumps([table]))
    with pytest.raises(SettingsError, match=words):
        load_settings()


def test_two_channels_of_a_name_are_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("TREADLE_NEWS", json.dumps([HOOK, HOOK]))
    with pytest.raises(SettingsError, match="two channels"):
        load_settings()


def test_a_child_gets_the_channels_of_a_file(monkeypatch, tmp_path):
    from settings import environment_of

    (tmp_path / "config.toml").write_text(
        '[[news]]\nname = "hook"\nkind = "webhook"\nurl = "http://127.0.0.1:9/"\nsecret_env = "X"\n'
        'kinds = ["gate"]\nquiet = "22:00-07:00"\n'
    )
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path))
    settings = load_settings()
    for name, value in environment_of(settings).items():
        monkeypatch.setenv(name, value)
    assert load_settings().news == settings.news


async def test_what_nobody_got_is_counted_and_tests_are_not(channels, down_app, down_client):
    channel = down_app.state.settings.news[0].channel
    async with sink() as receiver:
        receiver.answers = ["401 Unauthorized"]
        carrier = WebhookCarrier(receiver.url, KEY)
        one = follower(down_app.state.journal, FixedInbox(item("a")), channel, carrier)
        await one.look()
        lost = (await down_client.get("/v1/news")).json()["channels"]
        worker = asyncio.create_task(with_worker(down_app, receiver.url))
        receiver.answers = ["401 Unauthorized"]
        await down_client.post("/v1/news/channels/hook/test", json={})
        worker.cancel()
    after = (await down_client.get("/v1/news")).json()["channels"]
    assert [each["given_up"] for each in (*lost, *after)] == [1, 1]
