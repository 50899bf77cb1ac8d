"""Mentions over REST: in one's own inbox until one has seen them, and only of what one may see."""

from domain.agents.agents import Prompt
from domain.conversations.events import MessageQueued
from domain.core.event import Headline
from tests.api.conftest import client_of, event
from tests.api.test_permissions import NAMES, guarded, token_for

__all__ = ["guarded"]

THREAD = NAMES["thread"]


def said(number, text, stream=f"{THREAD}/session-1", by="author"):
    prompt = Prompt(fields={"text": text}, by=by)
    return event(number, stream, MessageQueued(message_id=f"m{number}", prompt=prompt, by=by))


async def mentions(client, headers):
    items = (await client.get("/v1/inbox", headers=headers)).json()["items"]
    return [(item["thread_id"], item["subject"]) for item in items if item["kind"] == "mention"]


async def test_a_mention_is_in_the_inbox_of_who_is_meant_until_they_have_seen_it(guarded, settings):
    app, _ = guarded
    await app.state.journal.append([said(1, "@viewer and @approver, look; `@admin` is code")])
    people = {name: await token_for(app, name) for name in ("viewer", "approver", "admin")}
    async with client_of(app, settings) as client:
        before = {name: await mentions(client, people[name]) for name in people}
        path = f"/v1/threads/{THREAD}/mentions/seen"
        first = await client.post(path, json={}, headers=people["viewer"])
        again = await client.post(path, json={}, headers=people["viewer"])
        after = {name: await mentions(client, people[name]) for name in people}
        await app.state.journal.append([said(1, "@viewer"), said(2, "@viewer once more")])
        anew = await mentions(client, people["viewer"])
    one = [(THREAD, "author mentioned you in t")]
    assert before == {"viewer": one, "approver": one, "admin": []}
    assert [each.json()["message"] for each in (first, again)] == [
        "seen",
        "nothing new mentions you there",
    ]
    assert after == {"viewer": [], "approver": one, "admin": []}
    assert anew == one


async def test_who_may_not_see_a_thread_gets_no_mention_and_no_title(guarded, settings, tmp_path):
    app, _ = guarded
    elsewhere = Headline(
        stream="thread-b", kind="thread", title="secret", project=str(tmp_path), status="open"
    )
    await app.state.journal.append([said(1, "@viewer", "thread-b/session-1")], [elsewhere])
    viewer, admin = await token_for(app, "viewer"), await token_for(app, "admin")
    async with client_of(app, settings) as client:
        answer = await client.get("/v1/inbox", headers=viewer)
        refused = await client.post("/v1/threads/thread-b/mentions/seen", json={}, headers=viewer)
        none = await mentions(client, admin)
    assert "secret" not in answer.text
    assert answer.json()["items"] == []
    assert refused.status_code in {403, 404}
    assert "secret" not in refused.text
    assert none == []


async def test_a_removed_thread_mentions_nobody(guarded, settings):
    app, _ = guarded
    await app.state.journal.append([said(1, "@viewer")])
    await app.state.journal.forget(THREAD)
    assert await app.state.journal.people.mentions.unseen_of("viewer") == ()
