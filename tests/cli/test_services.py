"""`treadle services`: how they stand, by whose side, and what they printed."""

import pytest

from cli.core.errors import CommandError
from tests.cli.test_commands import THREAD, treadle
from tests.cli.test_parts_of_names import running

assert treadle
assert running

PATH = f"/v1/threads/{THREAD}/tasks/report/services"
RUN = {
    "number": 3,
    "user": "person",
    "state": "healthy",
    "port": 20001,
    "url": "http://127.0.0.1:20001",
    "note": "",
    "stream": f"{THREAD}/report/service-3",
    "opened_at": "2026-01-01T00:00:00Z",
    "ended_at": None,
}
FAILED = {
    **RUN,
    "number": 2,
    "user": "agent",
    "state": "failed",
    "url": "",
    "note": "exited with code 7",
}
WEB = {"name": "web", "command": "serve", "port": "web", "users": [], "depends_on": []}
LIST = {
    "services": [
        {**WEB, "runs": [FAILED, RUN]},
        {**WEB, "name": "worker", "command": "work", "runs": [{**RUN, "port": None, "url": ""}]},
        {**WEB, "name": "db", "command": "data", "runs": []},
    ]
}


@pytest.fixture
def served(api, running):
    for line in (f"GET {PATH}", f"POST {PATH}/start", f"POST {PATH}/stop"):
        api.answers[line] = (200, LIST)
    return running


def test_each_is_listed_with_its_users_its_state_and_where_it_answers(served):
    lines = served("services", "list", THREAD, "rep").stdout.splitlines()

    assert [line.split() for line in lines] == [
        *(["web", "failed", "for", "agent", "exited", "with", "code", "7"],),
        ["healthy", "for", "person", "http://127.0.0.1:20001", "serve"],
        ["worker", "running", "for", "person", "work"],
        ["db", "not", "started", "data"],
    ]


@pytest.mark.parametrize("verb", ["start", "stop"])
def test_those_that_are_named_are_started_and_stopped(api, served, verb: str):
    served("services", verb, THREAD, "rep", "--service", "web", "--service", "db")
    line, _, body = api.got[-1]

    assert line == f"POST {PATH}/{verb}"
    assert body["names"] == ["web", "db"]


@pytest.mark.parametrize(("more", "number"), [((), 3), (("--for", "agent"), 2)])
def test_the_log_is_that_of_the_newest_start(api, served, more: tuple[str, ...], number: int):
    terminal = {"id": f"service-{number}", "label": "web", "command": "serve"}
    view = {"terminal": terminal, "text": "listening\n", "position": 10, "skipped": 0}
    api.answers[f"GET {PATH}/{number}/output"] = (200, view)

    assert "listening" in served("services", "logs", THREAD, "rep", "web", *more).stdout


def test_one_that_was_not_started_has_no_log(served):
    error = served("services", "logs", THREAD, "rep", "db").exception

    assert isinstance(error, CommandError)
    assert str(error) == "'db' was not started yet; services: web, worker, db"
