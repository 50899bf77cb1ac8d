"""What people may read while they may: long texts of their projects, and streams until a role is lost."""

import asyncio
from datetime import UTC, datetime

import pytest
from httpx_sse import aconnect_sse

from api.core import permitted
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.event import Event, Headline
from domain.core.workspaces import Snapshot
from domain.tasks.events import GateOpened
from tests.api.conftest import client_of, event
from tests.api.serving import serving
from tests.api.test_permissions import NAMES, guarded, token_for, write_people

__all__ = ["guarded"]


async def test_a_long_text_is_read_only_where_an_event_of_one_s_project_names_it(guarded, settings):
    app, _ = guarded
    journal = app.state.journal
    reference = await journal.put_text("the diff of somebody")
    named = GateOpened(
        request=ApprovalRequest(
            request_id="gate-1", subject=Subject.GATE, title="t", content_hash="c" * 64
        ),
        snapshot=Snapshot(commit="c" * 40, tree="t", base="b", diff_ref=reference),
    )
    other = "thread-other-4d5e6f"
    line = Headline(stream=other, kind="thread", title="t", project="/elsewhere", status="open")
    first = Event(id=f"{other}:1", stream=f"{other}/t1", at=datetime.now(UTC), body=named)
    await journal.append([first], [line])
    headers = await token_for(app, "viewer")
    path = f"/v1/texts/{reference}"
    async with client_of(app, settings) as client:
        hidden = await client.get(path, headers=headers)
        owner = await client.get(path)
        own = first.model_copy(update={"id": "x:2", "stream": f"{NAMES['thread']}/t1"})
        await journal.append([own])
        seen = await client.get(path, headers=headers)
    assert (hidden.status_code, owner.status_code, seen.status_code) == (404, 200, 200)


@pytest.mark.parametrize("loss", ["the role", "the token"])
@pytest.mark.parametrize("path", ["/v1/threads/{}/events/stream", "/v1/stream?topics=thread:{}"])
async def test_an_open_stream_ends_when_its_reader_may_read_no_more(
    settings, tmp_path, monkeypatch, loss, path
):
    monkeypatch.setattr(permitted, "CHECK_SECONDS", 0.0)
    thread = NAMES["thread"]
    async with serving(settings) as (journal, client, server):
        file = write_people(tmp_path, "/srv/shop")
        line = Headline(stream=thread, kind="thread", title="t", project="/srv/shop", status="open")
        await journal.append([event(1, thread)], [line])
        headers = await token_for(server._app, "viewer")
        async with aconnect_sse(client, "GET", path.format(thread), headers=headers) as source:
            events = source.aiter_sse()
            async with asyncio.timeout(60):
                await anext(events)
                if loss == "the role":
                    file.write_text(file.read_text().replace('"viewer"', '"none"'))
                else:
                    for token in await journal.people.tokens.every():
                        await journal.people.tokens.revoke(token.token_id, datetime.now(UTC))
                await journal.append([event(2, thread)], [])
                left = [each async for each in events]
    assert not any("notice 2" in each.data for each in left)
