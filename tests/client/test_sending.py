"""Requests that are sent again, and what they fail with."""

import json
import os
from collections.abc import Iterator

import httpx
import pytest

from tests.client.stand_in import client_of, problem
from treadle_client import errors, models, problems
from treadle_client.addresses import Address
from treadle_client.calls import Call
from treadle_client.sending import Sender

BODY = models.ThreadBody(repository="/app", goal="Add a flag")
OPENED = {"thread_id": "thread-a", "message": "opened"}
TOKEN = models.TokenBody(name="ci", days=1)


class Recorder:
    """Answers in turn, and keeps what was asked."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.requests: list[httpx.Request] = []
        self._answers: Iterator[httpx.Response | Exception] = iter(answers)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def ids(self) -> list[str]:
        return [
            json.loads(request.content)["command_id"]
            for request in self.requests
            if request.content
        ]


def accepted() -> httpx.Response:
    return httpx.Response(202, json={}, headers={"Location": "/v1/commands/c?workflow_id=w"})


def test_a_command_gets_an_id_and_is_sent_again_under_it():
    api = Recorder(
        httpx.ReadError("broken"), problem(503, "not_confirmed"), httpx.Response(201, json=OPENED)
    )
    assert client_of(api).threads.open(BODY).thread_id == "thread-a"
    assert len(set(api.ids)) == 1
    assert len(api.ids) == 3
    assert len(api.ids[0]) == 32


def test_a_command_with_an_id_keeps_it():
    api = Recorder(httpx.Response(201, json=OPENED))
    client_of(api).threads.open(BODY.model_copy(update={"command_id": "mine"}))
    assert api.ids == ["mine"]


def test_two_commands_have_two_ids():
    api = Recorder(httpx.Response(201, json=OPENED), httpx.Response(201, json=OPENED))
    client = client_of(api)
    client.threads.open(BODY)
    client.threads.open(BODY)
    assert len(set(api.ids)) == 2


def test_what_would_be_done_twice_is_not_sent_twice():
    api = Recorder(httpx.ReadError("broken"))
    with pytest.raises(errors.UnreachableError):
        client_of(api).people.create_token(TOKEN)
    assert len(api.requests) == 1


def test_what_was_not_sent_is_sent_again():
    unsent = httpx.ConnectError("refused")
    unsent.__cause__ = ConnectionRefusedError()
    api = Recorder(unsent, problem(403, "not_allowed"))
    with pytest.raises(errors.ForbiddenError):
        client_of(api).people.create_token(TOKEN)


def test_a_command_that_waits_for_a_worker_is_asked_for_and_answered():
    taken = httpx.Response(200, json={"message": "done"})
    api = Recorder(accepted(), accepted(), taken, httpx.Response(201, json=OPENED))
    assert client_of(api).threads.open(BODY).thread_id == "thread-a"
    assert [request.url.path for request in api.requests] == [
        "/v1/threads",
        "/v1/commands/c",
        "/v1/commands/c",
        "/v1/threads",
    ]
    assert api.requests[1].url.params["workflow_id"] == "w"


def test_a_command_that_no_worker_takes_says_that_it_is_accepted():
    with pytest.raises(errors.NotTakenError):
        client_of(lambda _request: accepted(), patience=0.3).threads.open(BODY)


def test_a_limit_is_waited_for_as_it_says():
    busy = problem(429, "too_many_requests")
    busy.headers["Retry-After"] = "0"
    api = Recorder(busy, httpx.Response(200, json=[]))
    assert client_of(api).questions.list("thread-a") == []
    assert len(api.requests) == 2


def test_a_limit_that_lasts_longer_than_the_patience_is_said_at_once():
    busy = problem(429, "too_many_requests")
    busy.headers["Retry-After"] = "3600"
    api = Recorder(busy)
    with pytest.raises(errors.TooManyError):
        client_of(api, patience=2).questions.list("thread-a")
    assert len(api.requests) == 1


@pytest.mark.parametrize(
    ("status", "name", "kind"),
    [
        (409, "not_what_was_shown", problems.NotWhatWasShown),
        (404, "not_found", errors.NotFoundError),
        (422, "unknown_field", errors.InvalidError),
        (409, "a_newer_one", errors.ConflictError),
        (418, "teapot", errors.ApiError),
    ],
)
def test_a_refusal_is_an_error_of_its_type_or_else_of_its_status(status, name, kind):
    with pytest.raises(kind) as caught:
        client_of(lambda _: problem(status, name, field="goal", hint="try")).threads.open(BODY)
    assert (caught.value.type, caught.value.status, caught.value.field) == (name, status, "goal")
    assert str(caught.value) == "no (try)"


def test_an_error_of_a_proxy_is_one_too():
    with pytest.raises(errors.ApiError, match="nginx"):
        client_of(lambda _: httpx.Response(500, text="nginx")).threads.list()


def test_an_answer_that_is_another_says_so():
    with pytest.raises(errors.UnreadableAnswerError, match="GET /v1/threads"):
        client_of(lambda _: httpx.Response(200, json=[])).threads.list()


def test_a_redirect_is_no_answer():
    away = httpx.Response(302, headers={"Location": "https://sso.example/"})
    with pytest.raises(errors.UnreachableError, match="sso"):
        client_of(lambda _: away).threads.list()


@pytest.mark.parametrize("name", ["a/b", "..", "a?b=c", "ü #%"])
def test_a_part_of_a_path_stays_one_part(name):
    api = Recorder(problem(404, "not_found"))
    with pytest.raises(errors.NotFoundError):
        client_of(api).threads.get(name)
    path = api.requests[0].url.raw_path.decode()
    assert path.count("/") == 3
    assert "?" not in path


def test_an_empty_part_of_a_path_is_not_sent():
    api = Recorder()
    with pytest.raises(errors.TreadleError, match="thread is empty"):
        client_of(api).threads.get("")


class Connected:
    """HTTP clients as they are made, each with what was sent by it."""

    def __init__(self) -> None:
        self.sent: list[list[httpx.Request]] = []

    def begin(self) -> httpx.Client:
        mine: list[httpx.Request] = []
        self.sent.append(mine)

        def answer(request: httpx.Request) -> httpx.Response:
            mine.append(request)
            return httpx.Response(200, text="text")

        return httpx.Client(base_url="http://e", transport=httpx.MockTransport(answer))


def test_a_process_that_was_forked_sends_by_connections_of_its_own(monkeypatch):
    connected = Connected()
    sender = Sender(Address("http://e", "t"), connected.begin, patience=5)
    ask = Call("GET", "/v1/texts/a")
    sender.text(ask)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    for _ in range(2):
        sender.text(ask)
    assert [len(sent) for sent in connected.sent] == [1, 2]
