"""Following a stream: taken up where it broke, given up when the engine stays away."""

from itertools import islice
from pathlib import Path

import pytest

from cli.core import streams
from cli.core.client import Client
from cli.core.errors import RefusedError, UnreachableError
from cli.core.streams import followed
from settings import Settings
from tests.cli.conftest import Api
from tests.free_ports import free_ports

PATH = "/v1/threads/thread-a/tasks/one/terminals/1/events/stream"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "RETRY_SECONDS", 0.01)


def event(position: int) -> str:
    return f'id: {position}\ndata: {{"position": {position}}}\n\n'


def test_a_broken_stream_goes_on_after_the_last_event(api: Api, settings: Settings):
    api.streams = [[event(7), event(8)], [], [": ping\n\n", event(9)]]

    rows = islice(followed(Client(settings), PATH, 3), 3)

    assert [row["position"] for row in rows] == [7, 8, 9]
    assert [head["Last-Event-ID"] for _, head, _ in api.got] == ["3", "8", "8"]


def test_a_stream_that_is_gone_is_not_asked_for_again(settings: Settings):
    with pytest.raises(RefusedError, match="nothing at"):
        next(followed(Client(settings), PATH.removesuffix("/events/stream")))


@pytest.mark.parametrize("status", [429, 503])
def test_an_engine_that_has_no_room_or_starts_is_asked_again(
    api: Api, settings: Settings, status: int
):
    path = PATH.removesuffix("/events/stream")
    api.answers[f"GET {path}"] = (status, {"title": "Later", "status": status})

    with pytest.raises(RefusedError, match="Later"):
        next(followed(Client(settings), path, patience=0))
    api.then[f"GET {path}"] = api.answers.clear
    with pytest.raises(RefusedError, match="nothing at"):
        next(followed(Client(settings), path))


def test_an_engine_that_stays_away_is_given_up(tmp_path: Path):
    (tmp_path / "token").write_text("secret\n")
    away = Client(Settings(data_dir=tmp_path, api_port=free_ports(1)[0]))

    with pytest.raises(UnreachableError):
        next(followed(away, PATH, patience=0.05))
