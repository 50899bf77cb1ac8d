"""Webhooks at the door: signed ones are taken once, and nothing else is."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks.webhooks import Webhook

from settings.webhooks import WebhooksTable
from tests.webhooks.conftest import KINDS, OpenDoor
from tests.webhooks.senders import GITHUB, PROOFS, body_of, secret_of_kind, sender, signed


async def post(door, kind, headers, body):
    return await door.client.post(f"/hooks/{kind}", content=body, headers=headers)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_signed_delivery_makes_watchers_look(door, kind):
    headers, body = signed(kind)
    answer = await post(door, kind, headers, body)

    assert (answer.status_code, answer.json()) == (202, {"outcome": "looked"})
    [hint] = await door.hints()
    assert hint.watched
    [kept] = await door.deliveries.newest()
    assert (kept.sender, kept.outcome.value, kept.delivery_id) == (kind, "looked", hint.hint_id)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_delivery_that_comes_twice_is_taken_once(door, kind):
    headers, body = signed(kind)
    first, second = [await post(door, kind, headers, body) for _ in range(2)]

    assert first.json() == {"outcome": "looked"}
    assert (second.status_code, second.json()) == (202, {"outcome": "duplicate"})
    assert await door.taken() == {(kind, "looked"): 1, (kind, "duplicate"): 1}
    assert len(await door.hints()) == 1
    assert len(await door.deliveries.newest()) == 1


@pytest.mark.parametrize("kind", ["github", "gitea", "gitlab"])
async def test_a_replay_under_another_id_is_known_by_its_body(door, kind):
    headers, body = signed(kind)
    await post(door, kind, headers, body)
    again, _ = signed(kind)  # another delivery id, the same body
    answer = await post(door, kind, again, body)

    assert again != headers
    assert answer.json() == {"outcome": "duplicate"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("change", ["none", "wrong", "other secret", "other body"])
async def test_what_is_not_signed_by_the_sender_is_refused(door, kind, change):
    headers, body = signed(
        kind, secret=secret_of_kind(kind, "b") if change == "other secret" else None
    )
    if change == "none":
        del headers[PROOFS[kind]]
    if change == "wrong":
        headers[PROOFS[kind]] = "sha256=" + "0" * 64
    if change == "other body":
        if kind == "gitlab":
            pytest.skip("its token signs nothing")
        body = body.replace(b"t", b"T", 1)
    answer = await post(door, kind, headers, body)

    assert answer.status_code == 401
    assert secret_of_kind(kind) not in answer.text
    assert await door.hints() == []
    assert await door.deliveries.newest() == ()
    assert await door.refused() == {(kind, "bad_signature"): 1}


@pytest.mark.parametrize("minutes", [-6, 6])
async def test_a_signed_time_that_is_not_now_is_refused(door, minutes):
    _, body = body_of("standard")
    at = datetime.now(UTC) + timedelta(minutes=minutes)
    proof = Webhook(secret_of_kind("standard")).sign("msg_1", at, body.decode())
    times = {"webhook-id": "msg_1", "webhook-timestamp": str(int(at.timestamp()))}
    headers = {"content-type": "application/json", **times, "webhook-signature": proof}
    answer = await post(door, "standard", headers, body)

    assert answer.status_code == 401
    assert answer.json()["type"] == "treadle:out_of_time"
    assert await door.refused() == {("standard", "out_of_time"): 1}


async def test_deliveries_in_another_order_are_all_taken(door):
    events = ["check_run", "pull_request_review", "pull_request", "status"]
    for event in reversed(events):
        headers, body = signed("github", json.dumps(GITHUB[event]).encode(), event=event)
        assert (await post(door, "github", headers, body)).json() == {"outcome": "looked"}

    assert len(await door.deliveries.newest()) == len(events)


@pytest.mark.parametrize("event", ["ping", "installation", "star"])
async def test_an_event_that_concerns_nobody_is_ignored(door, event):
    body = json.dumps(GITHUB.get(event, {"a": 1})).encode()
    headers, _ = signed("github", body, event=event)
    answer = await post(door, "github", headers, body)

    assert (answer.status_code, answer.json()) == (202, {"outcome": "ignored"})
    assert await door.hints() == []


async def test_gitlabs_signing_token_is_that_of_standard_webhooks(journal, tmp_path):
    secret = secret_of_kind("standard")
    table = WebhooksTable(listen="127.0.0.1:1", senders=(sender("gitlab", tmp_path, secret),))
    door = OpenDoor(journal, table)
    headers, body = signed("gitlab", secret=secret)
    changed = body.replace(b"opened", b"closed")

    assert "webhook-signature" in headers
    assert (await post(door, "gitlab", headers, changed)).status_code == 401
    assert (await post(door, "gitlab", headers, body)).json() == {"outcome": "looked"}


@pytest.mark.parametrize("kind", KINDS)
async def test_while_a_secret_is_replaced_both_are_good(journal, tmp_path, kind):
    secrets = [secret_of_kind(kind, mark) for mark in "xy"]
    table = WebhooksTable(listen="127.0.0.1:1", senders=(sender(kind, tmp_path, *secrets),))
    door = OpenDoor(journal, table)
    answers = [await post(door, kind, *signed(kind, secret=secret)) for secret in secrets]
    gone = sender(kind, tmp_path, secrets[1])
    late = await post(door, kind, *signed(kind, secret=secrets[0]))

    assert gone.secret_file is not None
    assert [answer.status_code for answer in answers] == [202, 202]
    assert late.status_code == 401, "a removed secret is refused without a restart"


async def test_ten_megabytes_are_refused_before_they_are_read(door):
    headers, _ = signed("github")
    sent = 0

    async def pieces():
        nonlocal sent
        for _ in range(160):
            sent += 65_536
            yield b"x" * 65_536

    told = await post(door, "github", headers, b"x" * 10_485_760)
    chunked = await post(door, "github", headers, pieces())

    assert [told.status_code, chunked.status_code] == [413, 413]
    assert await door.refused() == {("github", "too_large"): 2}


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_another_method_is_refused(door, method):
    answer = await door.client.request(method, "/hooks/github")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


PATHS = [
    "/v1/health",
    "/v1/threads",
    "/v1/webhooks",
    "/",
    "/open/x",
    "/docs",
    "/hooks",
    "/hooks/../v1/threads",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_nothing_else_is_reached_there(door, path, method):
    assert (await door.client.request(method, path)).status_code in {404, 405}


async def test_health_says_that_it_listens_and_no_more(door):
    answer = await door.client.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_unknown_senders_share_one_count(door):
    for name in ("a", "b", "c/d", "%00"):
        assert (await door.client.post(f"/hooks/{name}", content=b"{}")).status_code == 404
    assert await door.refused() == {("", "unknown_sender"): 4}


async def test_who_guesses_too_often_is_refused_and_others_are_not(door):
    headers, body = signed("github", secret=secret_of_kind("github", "b"))
    proxied = [{**headers, "x-forwarded-for": "203.0.113.5"}] * 61
    door.client._transport.client = ("10.0.0.1", 5)
    statuses = [(await post(door, "github", each, body)).status_code for each in proxied]
    fine = await post(
        door,
        "github",
        {**signed("github")[0], "x-forwarded-for": "203.0.113.9"},
        body_of("github")[1],
    )

    assert statuses == [401] * 60 + [429]
    assert fine.status_code == 202


async def test_more_than_a_sender_may_send_is_refused_for_a_while(journal, table):
    door = OpenDoor(journal, table.model_copy(update={"per_minute": 2}))
    answers = [await post(door, "standard", *signed("standard")) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert answers[2].headers["retry-after"] == "60"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:8420", ""])
async def test_another_host_changes_nothing(door, host):
    headers, body = signed("github")
    assert (await post(door, "github", {**headers, "host": host}, body)).status_code == 202
    assert (await post(door, "github", {"host": host}, body)).status_code == 401


async def test_a_form_is_refused_in_words(door):
    headers, body = signed("github")
    answer = await post(
        door, "github", {**headers, "content-type": "application/x-www-form-urlencoded"}, body
    )
    assert answer.status_code == 415
    assert "application/json" in answer.json()["detail"]


async def test_a_standard_delivery_starts_a_template_under_its_own_id(journal, tmp_path):
    given = {"template": "release", "repository": "/srv/app"}
    table = WebhooksTable(listen="127.0.0.1:1", senders=(sender("standard", tmp_path, **given),))
    door = OpenDoor(journal, table)
    body = json.dumps({"type": "release.published", "data": {"version": "1.2"}}).encode()
    headers, _ = signed("standard", body)
    answers = [(await post(door, "standard", headers, body)).json()["outcome"] for _ in range(2)]

    assert answers == ["started", "duplicate"]
    [(name, command, parameters)] = door.started
    assert (name, parameters) == ("standard", {"version": "1.2"})
    assert command == f"webhook-standard-{headers['webhook-id']}"


@pytest.mark.parametrize(
    "payload",
    [
        [],
        1,
        None,
        {},
        {"type": ""},
        {"type": 5},
        {"type": "a", "data": {"x": 1}},
        {"type": "a", "approve": "yes"},
    ],
)
async def test_a_standard_delivery_of_another_shape_is_refused(door, payload):
    body = json.dumps(payload).encode()
    answer = await post(door, "standard", *signed("standard", body))
    assert answer.status_code == 400
    assert await door.refused() == {("standard", "bad_body"): 1}
