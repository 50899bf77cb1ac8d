"""What an engine tells that is newer than the program: it is passed over, and the rest is told."""

from typing import Any, cast

import pytest

from cli.acp import engine
from cli.acp.engine import Engine, Look
from cli.acp.newer import NewerEngineError
from cli.core.client import Client
from domain.conversations.events import AgentNotice
from domain.core.ids import SessionId, ThreadId
from domain.reading.event_kinds import UnknownBody, read_event
from domain.reading.views import SessionView
from tests.cli.acp.engine_stand_in import VIEW

THREAD = ThreadId("thread-a-1a2b3c")


def row(position: int, **body: object) -> dict[str, Any]:
    at = "2026-11-30T00:00:00Z"
    event = {"id": f"e{position}", "stream": THREAD, "at": at, "body": body}
    return {"position": position, "event": event}


NOTICE = {"kind": "agent_notice", "turn_id": "turn-1", "message": "Hello"}
NEWER = {"kind": "of_tomorrow", "words": "unheard of"}
CHANGED = {"kind": "task_ended", "end": "of_tomorrow"}


async def test_events_of_a_newer_engine_do_not_end_the_stream(monkeypatch):
    rows = [row(1, **NEWER), row(2, **CHANGED), row(3, **NOTICE)]
    monkeypatch.setattr(engine, "followed", lambda *_, **__: iter(rows))
    told = []
    async for event in Engine(cast(Client, None)).follow(THREAD, 0):
        told.append(event)
        if len(told) == len(rows):
            break
    assert [each.position for each in told] == [1, 2, 3]
    assert [type(each.event.body) for each in told] == [UnknownBody, UnknownBody, AgentNotice]


def test_of_an_unknown_event_the_envelope_and_the_kind_are_known():
    event = read_event(row(7, **NEWER)).event
    assert (event.id, event.stream, event.body.kind) == ("e7", THREAD, "of_tomorrow")


class Answering:
    """A client that a thread is read with."""

    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told

    def get(self, _path: str) -> dict[str, Any]:
        return self._told


async def seen(told: dict[str, Any]) -> Look:
    return await Engine(cast(Client, Answering(told))).look(THREAD)


async def test_of_a_thread_of_a_newer_engine_what_is_known_is_read():
    session = SessionView(session_id=SessionId(f"{THREAD}/session-1"), role="chat", agent="a")
    told = VIEW.model_copy(update={"sessions": (session,) * 4}).model_dump(mode="json")
    told["sessions"][0]["merge"]["number"] = "of_tomorrow"
    told["sessions"][1]["questions"] = [{"kind": "of_tomorrow"}, {}]
    told["sessions"][2] |= {"agent": {}, "turns": "of_tomorrow"}
    told["landing"]["stage"] = "of_tomorrow"
    told["learnings"] = "of_tomorrow"
    told["of_tomorrow"] = 1

    read = await seen(told)

    assert read == (VIEW.model_copy(update={"sessions": (session,) * 3}), False)
    assert await seen(VIEW.model_dump(mode="json")) == (VIEW, True)


async def test_a_thread_of_which_nothing_can_be_read_says_to_update():
    with pytest.raises(NewerEngineError, match="update"):
        await seen(VIEW.model_dump(mode="json") | {"plan_status": "of_tomorrow"})
