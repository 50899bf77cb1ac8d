"""What an engine tells that is newer than the program: it is passed over, and the rest is told."""

from typing import Any, cast

from cli.acp import engine
from cli.acp.engine import Engine
from cli.core.client import Client
from domain.conversations.events import AgentNotice
from domain.core.ids import ThreadId
from domain.reading.event_kinds import UnknownBody, read_event

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
