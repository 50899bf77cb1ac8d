"""Push over REST: each person subscribes, tries and removes their own browsers only."""

import pytest

from tests.adapters.push_lab import BrowserKeys
from tests.api.conftest import client_of
from tests.api.test_permissions import guarded, token_for

__all__ = ["guarded"]

ENDPOINT = "https://fcm.googleapis.com/fcm/send/secret-of-the-service"


def body(endpoint=ENDPOINT, **more):
    keys = BrowserKeys()
    return {"endpoint": endpoint, "p256dh": keys.p256dh, "auth": keys.auth, **more}


async def test_a_browser_has_one_subscription_however_often_it_is_sent(down_client):
    first = await down_client.post("/v1/push", json=body(browser="Firefox on Linux"))
    rules = {"quiet": "22:00-07:00", "kinds": ["gate"], "zone": "Europe/Berlin"}
    again = await down_client.post("/v1/push", json=body(browser="Firefox on Linux", rules=rules))
    page = await down_client.get("/v1/push")
    assert first.status_code == 200, first.text
    assert again.json()["subscription_id"] == first.json()["subscription_id"]
    [browser] = page.json()["browsers"]
    assert browser["rules"]["quiet"] == "22:00-07:00"
    assert browser["rules"]["kinds"] == ["gate"]
    assert len(page.json()["public_key"]) == 87
    assert "secret-of-the-service" not in page.text + first.text


async def test_one_with_a_new_address_keeps_its_name_and_its_rules(down_client):
    rules = {"quiet": "22:00-07:00", "content": "kind", "zone": "Europe/Berlin"}
    mine = body(browser="Firefox on Linux", rules=rules)
    first = (await down_client.post("/v1/push", json=mine)).json()
    renewed = body(f"{ENDPOINT}-2", replaces=ENDPOINT)
    for _ in range(2):
        second = (await down_client.post("/v1/push", json=renewed)).json()
    [found] = (await down_client.get("/v1/push")).json()["browsers"]
    assert found == second
    assert found["subscription_id"] != first["subscription_id"]
    assert (found["browser"], found["rules"]) == ("Firefox on Linux", first["rules"])


async def test_one_that_replaces_nothing_known_says_nothing_by_rules_that_nobody_chose(down_client):
    answer = await down_client.post("/v1/push", json=body(f"{ENDPOINT}-2", replaces=ENDPOINT))
    assert answer.status_code == 404
    assert "Settings" in answer.text
    assert (await down_client.get("/v1/push")).json()["browsers"] == []


async def test_one_that_is_removed_is_gone(down_client):
    made = (await down_client.post("/v1/push", json=body())).json()["subscription_id"]
    gone = await down_client.post(f"/v1/push/{made}/remove", json={})
    again = await down_client.post(f"/v1/push/{made}/remove", json={})
    assert (gone.json()["message"], again.json()["message"]) == ("removed", "it was not subscribed")
    assert (await down_client.get("/v1/push")).json()["browsers"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "https://169.254.169.254/latest"},
        {"endpoint": "http://127.0.0.1:8420/v1/threads"},
        {"endpoint": ""},
        {"p256dh": "no key"},
        {"auth": 5},
        {"browser": "x" * 81},
        {"replaces": "x" * 2049},
        {"rules": {"quiet": "25:00-07:00"}},
        {"rules": {"zone": "Mars/Olympus"}},
        {"rules": {"kinds": ["no-kind"]}},
        {"rules": {"digest": "noon"}},
    ],
)
async def test_what_is_no_subscription_is_refused_by_its_words(down_client, wrong):
    answer = await down_client.post("/v1/push", json={**body(), **wrong})
    assert answer.status_code in {400, 422}, answer.text
    assert (await down_client.get("/v1/push")).json()["browsers"] == []


async def test_a_test_of_a_browser_that_is_not_yours_is_not_found(down_client):
    answer = await down_client.post("/v1/push/nope/test", json={})
    assert answer.status_code == 404
    assert "Settings" in answer.text


async def test_nobody_sees_tries_or_removes_the_browser_of_another(guarded, settings):
    app, _ = guarded
    people = {name: await token_for(app, name) for name in ("viewer", "approver")}
    async with client_of(app, settings) as client:
        mine = await client.post("/v1/push", json=body(), headers=people["viewer"])
        path = f"/v1/push/{mine.json()['subscription_id']}"
        tried = await client.post(f"{path}/test", json={}, headers=people["approver"])
        await client.post(f"{path}/remove", json={}, headers=people["approver"])
        found = {
            name: len((await client.get("/v1/push", headers=headers)).json()["browsers"])
            for name, headers in people.items()
        }
    assert mine.status_code == 200, mine.text
    assert tried.status_code == 404
    assert found == {"viewer": 1, "approver": 0}
