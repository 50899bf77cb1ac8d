import pytest

from domain.agents.agents import Prompt
from domain.conversations.events import AgentUpdate, MessageQueued
from tests.api.conftest import event, headline

SESSION = "thread-a/session-1"


def message(words):
    return MessageQueued(message_id="m", prompt=Prompt(fields={"text": words}), by="ann")


@pytest.fixture
async def client(down_client, down_app):
    said = [event(n, SESSION, message(f"why does button {n} flicker")) for n in range(3)]
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Blue!"}}
    said.append(event(3, "thread-b/session-1", AgentUpdate(turn_id="t", update=update)))
    lines = [headline(name, title=name, project="/code/shop") for name in ("thread-a", "thread-b")]
    await down_app.state.journal.append(said, lines)
    return down_client


async def search(client, **asked):
    return await client.get("/v1/search", params=asked)


async def test_conversations_are_searched_page_by_page_with_temporal_away(client):
    first = (await search(client, q="button flicker", limit="2")).json()
    rest = (await search(client, q="button flicker", limit="2", after=first["next"])).json()

    texts = ["".join(p["text"] for p in find["excerpt"]) for find in first["finds"] + rest["finds"]]
    assert texts == [f"why does button {n} flicker" for n in (2, 1, 0)]
    assert rest["next"] is None
    assert {find["top"] for find in first["finds"]} == {"thread-a"}
    marked = [p["text"] for p in first["finds"][0]["excerpt"] if p["is_match"]]
    assert marked == ["button", "flicker"]


async def test_a_search_can_be_of_one_thread_or_project(client):
    (find,) = (await search(client, q="blue", thread="thread-b", project="shop")).json()["finds"]
    assert (find["speaker"], find["title"]) == ("agent", "thread-b")
    assert (await search(client, q="blue", thread="thread-a")).json()["finds"] == []


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ({"q": ' "" - '}, "empty_search"),
        ({"q": "x" * 201}, "too_long"),
        ({}, "missing_field"),
        ({"q": "x", "before": "1"}, "unknown_parameter"),
    ],
)
async def test_what_is_no_search_is_refused(client, asked, kind):
    answer = await search(client, **asked)
    assert (answer.status_code, answer.json()["type"]) == (422, f"treadle:{kind}")
