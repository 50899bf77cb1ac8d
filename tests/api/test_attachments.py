"""Files for messages: kept once, typed by content, and named by the message."""

import base64
from datetime import UTC, datetime

import pytest

from api.core.attached import Uploads
from domain.core.attachments import LIMIT_BYTES
from domain.core.event import Event, Headline
from domain.verification.pictures import Picture
from tests.api.conftest import client_of
from tests.api.opening import opened_thread
from tests.api.test_commands import REPOSITORY
from tests.api.test_permissions import NAMES, guarded, token_for
from tests.domain.receipt_lab import stepped

__all__ = ["guarded"]

PNG = b"\x89PNG\r\n\x1a\n123"


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


async def keep(client, content: bytes, name: str = "shot.txt"):
    body = {"name": name, "content": encoded(content), "command_id": f"keep-{name}"}
    return await client.post("/v1/attachments", json=body)


async def test_a_file_is_kept_once_and_typed_by_its_content(client):
    answers = [await keep(client, PNG, name) for name in ("shot.txt", "again.png")]

    kept, again = (answer.json() for answer in answers)
    assert [answer.status_code for answer in answers] == [201, 201]
    assert (kept["name"], kept["mime_type"], kept["size_bytes"]) == ("shot.txt", "image/png", 11)
    assert kept["content_ref"] == again["content_ref"]


async def test_a_message_takes_what_was_kept(client):
    thread = opened_thread(await client.post("/v1/threads", json=REPOSITORY))
    kept = (await keep(client, PNG)).json()

    answer = await client.post(
        f"/v1/threads/{thread}/messages", json={"text": "Look", "attachments": [kept]}
    )

    assert answer.status_code == 200, answer.text


async def test_the_largest_file_fits_and_a_larger_one_does_not(client):
    assert (await keep(client, b"x" * LIMIT_BYTES)).status_code == 201
    assert (await keep(client, b"x" * (LIMIT_BYTES + 1))).status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        {"name": "a", "content": ""},
        {"name": "a", "content": "not base64!"},
        {"name": "a", "content": "é"},
        {"name": "../a", "content": "eA=="},
        {"name": "a/b", "content": "eA=="},
        {"name": "", "content": "eA=="},
        {"name": "a"},
    ],
)
async def test_what_is_no_file_is_refused(client, body):
    answer = await client.post("/v1/attachments", json=body)
    assert answer.status_code in {400, 422}


@pytest.mark.parametrize("wrong", [{"content_ref": "x"}, {"name": "../x"}, {"size_bytes": -1}])
async def test_a_message_with_an_odd_attachment_is_refused(client, wrong):
    thread = opened_thread(await client.post("/v1/threads", json=REPOSITORY))
    kept = (await keep(client, PNG)).json()

    answer = await client.post(
        f"/v1/threads/{thread}/messages", json={"text": "Look", "attachments": [kept | wrong]}
    )

    assert answer.status_code == 422


async def test_what_is_attached_is_a_file_of_one_s_own_or_of_one_s_projects(guarded, settings):
    """Else whoever learned the reference of a text had an agent of theirs read it out."""
    app, repo = guarded
    journal, other = app.state.journal, "thread-other-4d5e6f"
    reference = await journal.put_text(encoded(PNG))
    picture = Picture(name="a.png", mime_type="image/png", content_ref=reference)
    line = Headline(stream=other, kind="thread", title="t", project="/elsewhere", status="open")
    body = stepped(pictures=(picture,))
    first = Event(id=f"{other}:1", stream=f"{other}/t1", at=datetime.now(UTC), body=body)
    await journal.append([first], [line])
    message = {"text": "Look", "attachments": [{"name": "a.png", "content_ref": reference}]}
    goal = {"goal": "Look", "repository": str(repo), "agent": "scripted"}
    path = f"/v1/threads/{NAMES['thread']}/messages"

    async with client_of(app, settings) as client:
        author, admin = [await token_for(app, who) for who in ("author", "admin")]
        hidden = await client.post(path, headers=author, json=message)
        opened = await client.post(
            "/v1/threads", headers=author, json=goal | {"attachments": message["attachments"]}
        )
        by_admin = await client.post(path, headers=admin, json=message)
        file = {"name": "mine.png", "content": encoded(PNG)}
        kept = await client.post("/v1/attachments", headers=author, json=file)
        uploaded = await client.post(path, headers=author, json=message)

    assert (hidden.status_code, opened.status_code, kept.status_code) == (404, 404, 201)
    assert "upload it" in hidden.json()["detail"]
    # Temporal is away: these were let through
    assert (by_admin.status_code, uploaded.status_code) == (503, 503)


async def test_what_was_uploaded_and_never_sent_is_attached_after_a_restart(guarded, settings):
    app, _ = guarded
    author = await token_for(app, "author")
    async with client_of(app, settings) as client:
        file = {"name": "mine.png", "content": encoded(PNG)}
        kept = (await client.post("/v1/attachments", headers=author, json=file)).json()
        app.state.uploads = Uploads()
        message = {"text": "Look", "attachments": [kept]}
        path = f"/v1/threads/{NAMES['thread']}/messages"
        sent = await client.post(path, headers=author, json=message)
    assert sent.status_code == 503, sent.text
