import io
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.approvals import approvals
from cli.core.client import Client
from cli.threads import slash
from domain.core.ids import SessionId
from domain.reading.views import SessionView
from settings import Settings
from tests.cli.conftest import Api
from tests.cli.test_commands import REQUEST, THREAD, VIEW

SESSION = f"{THREAD}/session-1"
SENT = {"message": "queued", "data": {"session_id": SESSION, "message_id": "mine"}}


def row(position: int, stream: str, **body: Any) -> dict[str, Any]:
    at = datetime(2026, 11, 21, tzinfo=UTC).isoformat()
    event = {"id": f"e{position}", "stream": stream, "at": at, "body": body}
    return {"position": position, "event": event}


def chunk(position: int, **body: Any) -> str:
    return f"id: {position}\ndata: {json.dumps(row(position, SESSION, **body))}\n\n"


def turn(first: int, turn_id: str, message_id: str, text: str) -> list[str]:
    content = {"type": "text", "text": f"streamed {text}"}
    said = {"sessionUpdate": "agent_message_chunk", "content": content}
    started = {"number": 1, "prompt_name": "message", "message_id": message_id}
    return [
        chunk(first, kind="turn_started", session_id=SESSION, turn_id=turn_id, **started),
        chunk(first + 1, kind="agent_update", turn_id=turn_id, update=said),
        chunk(
            first + 2,
            kind="turn_ended",
            session_id=SESSION,
            result={"turn_id": turn_id, "text": text},
        ),
    ]


@pytest.fixture
def treadle(api: Api, settings: Settings):
    del settings
    shown = VIEW.model_dump(mode="json")
    headline = {"stream": THREAD, "kind": "thread", "status": "chat"}
    api.answers["GET /v1/threads"] = (200, {"threads": [headline]})
    api.answers[f"GET /v1/threads/{THREAD}"] = (200, shown)
    api.answers[f"POST /v1/threads/{THREAD}/messages"] = (200, SENT)
    return lambda *arguments: CliRunner().invoke(app, arguments)


def test_what_is_said_is_answered(api: Api, treadle):
    api.streams = [[*turn(1, "t1", "other", "not this"), *turn(4, "t2", "mine", "It is blue.")]]
    result = treadle("say", "1a2b3c", "What colour?")
    assert result.exit_code == 0
    assert result.stdout == "It is blue.\n"
    assert f"treadle say {THREAD} TEXT" in result.stderr
    assert f"? {REQUEST.title}: treadle approve {THREAD}" in " ".join(result.stderr.split())


def test_a_reply_goes_to_the_session_that_answered_where_there_are_several(api: Api, treadle):
    sessions = tuple(
        SessionView(session_id=SessionId(f"{THREAD}/session-{number}"), role="chat", agent="a")
        for number in (1, 2)
    )
    several = VIEW.model_copy(update={"sessions": sessions})
    api.answers[f"GET /v1/threads/{THREAD}"] = (200, several.model_dump(mode="json"))
    api.streams = [turn(1, "t1", "mine", "It is blue.")]
    result = treadle("say", "1a2b3c", "-s", "1", "What colour?")
    assert f"treadle say {THREAD} TEXT -s 1" in result.stderr


def test_a_command_that_nobody_offers_is_not_sent_unnoticed(api: Api, treadle, monkeypatch):
    offers = [{"session_id": SESSION, "version": "1", "options": [], "commands": ["review"]}]
    api.answers[f"GET /v1/threads/{THREAD}/offers"] = (200, offers)
    told = "/nonsense is not a known command (/plan, /review)"
    for text, is_told in (("/nonsense x", True), ("/review it", False), ("/etc/hosts?", False)):
        result = treadle("say", "1a2b3c", text, "--no-wait")
        assert (told in " ".join(result.stderr.split())) is is_told
        assert api.got[-1][2]["text"] == text

    monkeypatch.setattr(slash, "is_watched", lambda: True)
    sent = len(api.got)
    result = treadle("say", "1a2b3c", "/nonsense x", "--no-wait")
    assert result.exit_code == 1
    assert "Send it to the agent as text?" in result.stderr
    assert not [line for line, _, _ in api.got[sent:] if line.startswith("POST")]


def test_an_answer_without_a_last_word_is_what_was_streamed(api: Api, treadle):
    api.streams = [turn(1, "t1", "mine", "")]
    assert json.loads(treadle("say", "1a2b3c", "x", "--json").stdout)["answer"] == "streamed "


def test_a_message_can_only_be_queued(treadle):
    result = treadle("say", "1a2b3c", "x", "--no-wait")
    assert (result.exit_code, result.stderr.strip()) == (0, "queued")


def test_a_session_that_closes_does_not_keep_anyone_waiting(api: Api, treadle):
    api.streams = [[chunk(1, kind="conversation_closed")]]
    assert "was closed before" in str(treadle("say", "1a2b3c", "x").exception)


def test_a_chat_is_opened_with_its_answer(api: Api, treadle):
    api.answers["POST /v1/threads"] = (201, {"thread_id": THREAD})
    api.answers[f"GET /v1/threads/{THREAD}/events"] = (200, {"events": [], "after": 0})
    api.streams = [turn(1, "t1", "first", "Hello, you.")]
    result = treadle("run", "hello")
    assert result.exit_code == 0
    assert result.stdout == "Hello, you.\n"


def test_an_answer_to_what_was_decided_elsewhere_is_not_sent(
    api: Api,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    outcome = {"request_id": REQUEST.request_id, "choice": "reject", "by": "ann", "feedback": "no"}
    body = {"revision": 1, "outcome": {**outcome, "content_hash": REQUEST.content_hash}}
    decided = {"events": [row(9, THREAD, kind="plan_decided", **body)], "after": 9}
    gone = VIEW.model_copy(update={"requests": ()})
    api.answers[f"GET /v1/threads/{THREAD}"] = (200, gone.model_dump(mode="json"))
    api.answers[f"GET /v1/threads/{THREAD}/events"] = (200, decided)
    monkeypatch.setattr("sys.stdin", io.StringIO("r\nno\n"))
    assert approvals.ask(Client(settings), VIEW, VIEW.requests[0])
    assert "rejected by ann: no" in capsys.readouterr().err
    assert not [line for line, _, _ in api.got if line.startswith("POST")]
