"""Files for messages: kept once, typed by content, and named by the message."""

import base64

import pytest

from domain.core.attachments import LIMIT_BYTES
from tests.api.opening import opened_thread
from tests.api.test_commands import REPOSITORY

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
