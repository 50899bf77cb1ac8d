"""Messages that wait come back at a terminal, and files are found as messages name them."""

import json

import pytest
from typer.testing import CliRunner

from cli.app import app
from tests.cli.test_commands import THREAD, VIEW

URL = f"/v1/threads/{THREAD}"
SAID = {"message_id": "m1", "session_id": f"{THREAD}/session-2", "text": "use tabs\nplease"}
TASKS = {"message_id": "m2", "session_id": f"{THREAD}/api/session-1", "task_id": "api", "text": "x"}


@pytest.fixture
def treadle(api, settings):
    del settings
    headline = {"stream": THREAD, "kind": "thread", "status": "chat"}
    api.answers["GET /v1/threads"] = (200, {"threads": [headline]})
    api.answers[f"GET {URL}"] = (200, VIEW.model_dump(mode="json"))
    api.answers[f"GET {URL}/messages"] = (200, [SAID, TASKS])
    api.answers[f"POST {URL}/sessions/2/withdraw"] = (200, SAID)
    api.answers[f"POST {URL}/tasks/api/withdraw"] = (200, TASKS)
    return lambda *arguments, **more: CliRunner().invoke(app, arguments, **more)


def posted(api):
    return [(what, body) for what, _, body in api.got if what.startswith("POST")]


def test_the_newest_of_those_that_are_meant_is_withdrawn_and_printed(api, treadle):
    result = treadle("withdraw", "1a2b3c", "--session", "2")

    assert (result.exit_code, result.stdout) == (0, "use tabs\nplease\n")
    [(what, body)] = posted(api)
    assert (what, body["message_id"]) == (f"POST {URL}/sessions/2/withdraw", "m1")


def test_a_task_s_message_is_withdrawn_from_its_task(api, treadle):
    assert treadle("withdraw", "1a2b3c", "--task", "api").stdout == "x\n"
    assert [what for what, _ in posted(api)] == [f"POST {URL}/tasks/api/withdraw"]


def test_those_that_wait_are_listed_with_whom_they_are_for_and_stay(api, treadle):
    result = treadle("withdraw", "1a2b3c", "--list")

    assert result.stdout == "m1  to session-2: use tabs\nm2  to api: x\n"
    assert posted(api) == []


def test_where_none_is_meant_nothing_is_withdrawn(api, treadle):
    assert "no such message is queued" in str(treadle("withdraw", "1a2b3c", "-m", "gone").exception)
    assert posted(api) == []


def test_an_edited_message_goes_where_the_first_one_went(api, treadle, tmp_path):
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "use spaces" > "$1"\n')
    editor.chmod(0o755)
    api.answers[f"POST {URL}/messages"] = (200, {"message": "queued", "data": {}})

    treadle("withdraw", "1a2b3c", "-s", "2", "--edit", env={"EDITOR": str(editor), "VISUAL": ""})

    what, body = posted(api)[-1]
    assert (what, body["text"]) == (f"POST {URL}/messages", "use spaces")
    assert body["session_id"] == SAID["session_id"]


def test_a_message_that_is_not_written_again_is_printed(api, treadle):
    result = treadle("withdraw", "1a2b3c", "-s", "2", "--edit", env={"EDITOR": "true"})

    assert "not sent again" in str(result.exception)
    assert result.stdout == "use tabs\nplease\n"
    assert len(posted(api)) == 1


def test_files_are_printed_as_a_message_names_them(api, treadle):
    found = {"paths": ["src/app.py", "a b.md"], "total": 5}
    api.answers[f"GET {URL}/tasks/api/files"] = (200, found)

    result = treadle("files", "1a2b3c", "a", "--task", "api")

    assert result.stdout == '@src/app.py\n@"a b.md"\n'
    assert "and 3 more" in result.stderr
    asked = treadle("files", "1a2b3c", "a", "--task", "api", "--json")
    assert json.loads(asked.stdout)["total"] == 5
