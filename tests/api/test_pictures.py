"""Pictures that steps kept: served as pictures and as nothing else, where one may see them."""

import base64
from datetime import UTC, datetime

import pytest

from domain.core.event import Event, Headline
from domain.verification.pictures import Picture
from tests.api.conftest import client_of
from tests.api.test_permissions import NAMES, guarded, token_for
from tests.domain.receipt_lab import stepped

__all__ = ["guarded"]

PNG = b"\x89PNG\r\n\x1a\npixels"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


async def keep(journal, content: bytes) -> str:
    return await journal.put_text(base64.b64encode(content).decode())


async def test_a_picture_is_served_as_one(down_client, down_app):
    reference = await keep(down_app.state.journal, PNG)

    answer = await down_client.get(f"/v1/pictures/{reference}")

    assert (answer.status_code, answer.content) == (200, PNG)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"


@pytest.mark.parametrize("content", [SVG, b"<html>", b"GIF89a;", b""])
async def test_what_is_no_picture_is_not_served(down_client, down_app, content):
    reference = await keep(down_app.state.journal, content)

    assert (await down_client.get(f"/v1/pictures/{reference}")).status_code == 404


@pytest.mark.parametrize("text", ["a diff", "iVBORw0KGgo", "é"])
async def test_a_text_that_is_no_picture_is_not_served(down_client, down_app, text):
    reference = await down_app.state.journal.put_text(text)

    assert (await down_client.get(f"/v1/pictures/{reference}")).status_code == 404


@pytest.mark.parametrize("reference", ["0" * 64, "x", "..%2f..%2fetc%2fpasswd", "A" * 64])
async def test_a_reference_that_nothing_has_is_not_found(down_client, reference):
    assert (await down_client.get(f"/v1/pictures/{reference}")).status_code == 404


async def test_a_picture_is_seen_only_where_an_event_of_one_s_project_names_it(guarded, settings):
    app, _ = guarded
    journal = app.state.journal
    reference = await keep(journal, PNG)
    picture = Picture(name="a.png", mime_type="image/png", content_ref=reference)
    other = "thread-other-4d5e6f"
    line = Headline(stream=other, kind="thread", title="t", project="/elsewhere", status="open")
    body = stepped(pictures=(picture,))
    first = Event(id=f"{other}:1", stream=f"{other}/t1", at=datetime.now(UTC), body=body)
    await journal.append([first], [line])
    headers, path = await token_for(app, "viewer"), f"/v1/pictures/{reference}"
    async with client_of(app, settings) as client:
        hidden = await client.get(path, headers=headers)
        own = first.model_copy(update={"id": "x:2", "stream": f"{NAMES['thread']}/t1"})
        await journal.append([own])
        seen = await client.get(path, headers=headers)
    assert (hidden.status_code, seen.status_code) == (404, 200)
