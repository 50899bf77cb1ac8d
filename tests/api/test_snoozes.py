"""Snoozes over REST: one's own inbox only, until the time or until something else is asked."""

from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest

from tests.api.conftest import client_of
from tests.api.test_inbox import a_waiting_thread, inbox
from tests.api.test_mentions import THREAD, said
from tests.api.test_permissions import guarded, token_for

__all__ = ["guarded"]


def path(item_id, verb="snooze"):
    return f"/v1/inbox/{quote(item_id, safe='')}/{verb}"


@pytest.fixture
async def waiting(down_app, down_client):
    """The id of a plan that waits."""
    await a_waiting_thread(down_app.state.journal)
    [item] = (await inbox(down_client))["items"]
    return item["item_id"]


async def test_what_is_snoozed_is_there_and_not_mine_until_its_end(waiting, down_client):
    answer = await down_client.post(path(waiting), json={"minutes": 60})
    assert answer.status_code == 200, answer.text
    [asleep] = (await inbox(down_client))["items"]
    mine = (await down_client.get("/v1/inbox?mine=true")).json()["items"]
    back = await down_client.post(path(waiting, "unsnooze"), json={})
    [awake] = (await inbox(down_client))["items"]
    again = await down_client.post(path(waiting, "unsnooze"), json={})
    assert asleep["snoozed_until"] is not None
    assert asleep["is_mine"] is False
    assert asleep["requests"] == awake["requests"]
    assert mine == []
    assert back.json()["message"] == "back in the inbox"
    assert again.json()["message"] == "it was not snoozed"
    assert (awake["snoozed_until"], awake["is_mine"]) == (None, True)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"minutes": 5, "until": "2040-01-01T00:00:00Z"},
        {"minutes": 0},
        {"minutes": "5"},
        {"until": "2020-01-01T00:00:00Z"},
        {"until": "2031-01-01T00:00:00"},
        {"until": "9999-01-01T00:00:00Z"},
        {"until": "tomorrow"},
    ],
)
async def test_a_time_that_is_none_is_refused(waiting, down_client, body):
    answer = await down_client.post(path(waiting), json=body)
    assert answer.status_code in {400, 422}, answer.text
    assert (await inbox(down_client))["items"][0]["snoozed_until"] is None


async def test_what_does_not_wait_cannot_be_snoozed(down_client):
    answer = await down_client.post(path("thread-z#plan"), json={"minutes": 5})
    assert answer.status_code == 404
    assert "not in your inbox" in answer.json()["detail"]


async def test_a_snooze_is_of_one_person(guarded, settings):
    app, _ = guarded
    await app.state.journal.append([said(1, "@viewer and @approver, look")])
    people = {name: await token_for(app, name) for name in ("viewer", "approver")}
    item_id = f"{THREAD}#mention"
    until = (datetime.now(UTC) + timedelta(days=2)).isoformat()
    async with client_of(app, settings) as client:
        done = await client.post(path(item_id), json={"until": until}, headers=people["viewer"])
        assert done.status_code == 200, done.text
        found = {
            name: [
                item["snoozed_until"] is not None
                for item in (await client.get("/v1/inbox", headers=headers)).json()["items"]
                if item["item_id"] == item_id
            ]
            for name, headers in people.items()
        }
    assert found == {"viewer": [True], "approver": [False]}
