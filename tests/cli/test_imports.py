"""`treadle import` of a session that is a thread already: its message is not lost."""

from typing import Any

import pytest

from cli.core.client import Client
from cli.imports import imports
from domain.agents.past_sessions import PastSession
from domain.core.ids import imported_thread_id
from domain.plans.status import PlanStatus
from domain.reading.views import ThreadView
from domain.threads.progress import Progress
from settings import Settings
from tests.cli.conftest import Api

THREAD = imported_thread_id("mine", "s-1")
SESSION = PastSession(session_id="s-1", title="Hello")
VIEW = ThreadView(
    thread_id=THREAD,
    goal="Go on",
    status="chatting",
    repository="/code/app",
    branch="treadle/go-on",
    agent="mine",
    template="default",
    plan_status=PlanStatus.IDLE,
    progress=Progress(done=0, total=0),
)


class Files:
    folder = "/code/app"

    def __init__(self, settings: Settings) -> None:
        self.client = Client(settings)


def go_on(settings: Settings, text: str) -> None:
    files: Any = Files(settings)
    body = {"agent": "mine", "model": None, "host": "", "goal": text or "Where are we?"}
    imports._go_on(files, body, SESSION, text, is_left=True, as_json=True)


@pytest.fixture
def imported(api: Api) -> Api:
    api.answers[f"GET /v1/threads/{THREAD}"] = (200, VIEW.model_dump(mode="json"))
    sent = {"message": "Queued.", "data": {"session_id": f"{THREAD}/session-1"}}
    api.answers[f"POST /v1/threads/{THREAD}/messages"] = (200, sent)
    return api


def posts(api: Api) -> list[tuple[str, str]]:
    return [
        (line, body.get("text") or body["goal"])
        for line, _, body in api.got
        if line.startswith("POST")
    ]


def test_again_its_message_is_sent_to_the_thread(
    imported: Api, settings: Settings, capsys: pytest.CaptureFixture[str]
):
    go_on(settings, "And again")
    assert posts(imported) == [(f"POST /v1/threads/{THREAD}/messages", "And again")]
    assert THREAD in capsys.readouterr().out


def test_the_first_time_it_opens_the_thread(api: Api, settings: Settings):
    api.answers["POST /v1/threads"] = (202, {"thread_id": THREAD, "message": "Opened."})
    go_on(settings, "Go on")
    assert posts(api) == [("POST /v1/threads", "Go on")]


def test_again_without_a_message_says_which_thread_it_is_and_nothing_there(
    imported: Api, settings: Settings, capsys: pytest.CaptureFixture[str]
):
    go_on(settings, "")
    assert posts(imported) == []
    assert THREAD in capsys.readouterr().out
