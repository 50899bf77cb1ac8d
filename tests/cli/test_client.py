import socket

import pytest

from cli.core.client import Client, path_of
from cli.core.errors import RefusedError, UnreachableError
from cli.core.streams import EventWatcher
from settings import Settings
from tests.cli.conftest import Api

STREAM = "GET /v1/threads/thread-a/events/stream"


def event(position: int) -> str:
    return f"id: {position}\ndata: {{}}\n\n"


def test_every_request_brings_the_token(api: Api, settings: Settings):
    api.answers["GET /v1/threads"] = (200, {"threads": []})
    Client(settings).get("/v1/threads")
    assert api.got[0][1]["Authorization"] == "Bearer secret"


def test_what_is_not_said_is_not_sent(api: Api, settings: Settings):
    api.answers["POST /v1/threads"] = (201, {"thread_id": "thread-a"})
    Client(settings).post("/v1/threads", {"goal": "x", "agent": None})
    said = api.got[0][2]
    assert {k: v for k, v in said.items() if k != "command_id"} == {"goal": "x"}


def test_a_problem_document_becomes_a_sentence_with_its_hint(api: Api, settings: Settings):
    problem = {
        "type": "treadle:conflict",
        "title": "Conflict",
        "detail": "it has ended",
        "hint": "x",
    }
    api.answers["POST /v1/threads"] = (409, problem)
    with pytest.raises(RefusedError, match="it has ended\nx") as refused:
        Client(settings).post("/v1/threads", {})
    assert refused.value.problem["type"] == "treadle:conflict"
    assert refused.value.code == 1


def test_an_answer_that_is_no_problem_document_is_quoted(api: Api, settings: Settings):
    api.answers["GET /v1/threads"] = (500, "<html>bad gateway")
    with pytest.raises(RefusedError, match="bad gateway"):
        Client(settings).get("/v1/threads")


def test_no_engine_is_reported_with_what_to_do(settings: Settings):
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        nobody = settings.model_copy(update={"api_port": reserved.getsockname()[1]})
        with pytest.raises(UnreachableError, match="treadle up"):
            Client(nobody).get("/v1/threads")


def test_ids_are_quoted_in_paths():
    assert path_of("threads", "a/../b?c") == "/v1/threads/a%2F..%2Fb%3Fc"
    assert path_of("threads", "..", "a") == "/v1/threads/%2E%2E/a"


def test_a_part_of_dots_is_asked_for_as_it_is(api: Api, settings: Settings) -> None:
    with pytest.raises(RefusedError, match="%2E%2E"):
        Client(settings).get(path_of("threads", "..", "a"))


def test_a_lost_stream_is_taken_up_after_the_last_event(api: Api, settings: Settings):
    api.streams = [[event(7), event(8)], [event(9)]]
    bell = EventWatcher(Client(settings), "thread-a", after=6)
    assert api.streamed.acquire(timeout=60)
    assert api.streamed.acquire(timeout=60)
    bell.close()
    asked = [headers["Last-Event-ID"] for line, headers, _ in api.got if line == STREAM]
    assert asked[:2] == ["6", "8"]
    assert bell.wait(5)


def test_who_stops_listening_ends_the_connection_at_once(api: Api, settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        quiet = settings.model_copy(update={"api_port": server.getsockname()[1]})
        bell = EventWatcher(Client(quiet), "thread-a", after=6)
        connection, _ = server.accept()
        with connection:
            connection.settimeout(60)
            assert b"events/stream" in connection.recv(65536)
            head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
            connection.sendall(f"{head}{event(7)}".encode())
            assert bell.wait(60)
            bell.close()
            assert connection.recv(1) == b""
