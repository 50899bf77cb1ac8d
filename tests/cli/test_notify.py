"""`treadle notify`, and snoozes on the command line."""

from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from cli.app import app
from domain.reading.inbox.item import Inbox, InboxItem, InboxKind
from settings import Settings
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD

CHANNEL = {
    "channel": {
        "name": "hook",
        "kind": "webhook",
        "content": "title",
        "kinds": ["gate"],
        "projects": [],
        "people": [],
        "quiet": "22:00-07:00",
        "digest": "",
        "zone": "",
    },
    "waiting": 2,
    "newest": "waiting",
    "tried_at": "2026-01-01T00:00:00Z",
    "reason": "the receiver answered 500",
}


@pytest.fixture
def treadle(api: Api, settings: Settings):
    del settings
    api.answers["GET /v1/news"] = (200, {"channels": [CHANNEL]})
    return lambda *arguments: CliRunner().invoke(app, [*arguments])


def item(name, **more):
    return InboxItem(
        item_id=name,
        kind=InboxKind.ESCALATION,
        thread_id=THREAD,
        workflow_id=THREAD,
        title="Shop",
        subject="failed",
        since=datetime(2026, 1, 1, tzinfo=UTC),
        **more,
    )


def waits(api, *items):
    found = Inbox(items=items).model_dump(mode="json")
    api.answers["GET /v1/inbox"] = (200, found)


def test_channels_are_listed_with_their_last_failure(treadle):
    done = treadle("notify", "list", "--json")
    assert done.exit_code == 0
    assert "the receiver answered 500" in done.stdout
    assert "hook" in treadle("notify", "list").stdout


def test_messages_that_reached_nobody_are_listed(api: Api, treadle):
    api.answers["GET /v1/news"] = (200, {"channels": [{**CHANNEL, "given_up": 2}]})
    said = " ".join(treadle("notify", "list").stdout.split())
    assert "reached" in said
    assert "nobody" in said


def test_a_test_that_fails_says_why_and_ends_with_one(api: Api, treadle):
    failed = {"channel": "hook", "state": "given_up", "reason": "the receiver answered 401"}
    api.answers["POST /v1/news/channels/hook/test"] = (200, failed)
    done = treadle("notify", "test", "hook")
    assert done.exit_code == 1
    assert "hook: not sent: the receiver answered 401" in done.output


def test_without_a_name_each_channel_is_tested(api: Api, treadle):
    sent = {"channel": "hook", "state": "sent", "reason": ""}
    api.answers["POST /v1/news/channels/hook/test"] = (200, sent)
    done = treadle("notify", "test")
    assert (done.exit_code, done.output.strip()) == (0, "hook: sent")


def test_without_a_channel_the_command_says_how_to_get_one(api: Api, treadle):
    api.answers["GET /v1/news"] = (200, {"channels": []})
    done = treadle("notify", "test")
    assert done.exit_code != 0
    assert "[[news]]" in str(done.exception or done.output)


def test_an_item_is_snoozed_by_its_thread(api: Api, treadle):
    name = f"{THREAD}#escalation"
    waits(api, item(name))
    path = f"POST /v1/inbox/{THREAD}%23escalation/snooze"
    api.answers[path] = (200, {"message": "snoozed", "data": {}})
    done = treadle("inbox", "snooze", THREAD, "--until", "2h")
    assert done.exit_code == 0, done.output
    sent, _, body = api.got[-1]
    assert sent == path
    until = datetime.fromisoformat(body["until"])
    assert 7100 < (until - datetime.now(UTC)).total_seconds() <= 7200


@pytest.mark.parametrize(
    ("until", "words"), [("sometime", "is no time"), ("2020-01-01", "is over")]
)
def test_a_time_that_is_none_is_refused(api: Api, treadle, until, words):
    waits(api, item(f"{THREAD}#a"))
    done = treadle("inbox", "snooze", THREAD, "--until", until)
    assert done.exit_code == 2
    assert words in done.output
    assert not any(sent.startswith("POST") for sent, _, _ in api.got)


def test_what_is_snoozed_is_counted_apart(api: Api, treadle):
    until = datetime(2040, 1, 1, tzinfo=UTC)
    waits(api, item(f"{THREAD}#a"), item(f"{THREAD}#b", snoozed_until=until, is_mine=False))
    awake = treadle("inbox")
    asleep = treadle("inbox", "--snoozed")
    assert "1 item is waiting for you" in awake.stdout
    assert "1 snoozed" in awake.output
    assert "1 item snoozed:" in asleep.output
    assert "unsnooze" in asleep.output


def test_several_items_of_a_thread_are_named(api: Api, treadle):
    waits(api, item(f"{THREAD}#a"), item(f"{THREAD}#b"))
    done = treadle("inbox", "snooze", THREAD, "--until", "2h")
    assert done.exit_code != 0
    assert f"{THREAD}#b" in str(done.exception or done.output)
