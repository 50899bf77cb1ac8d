import json

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError
from domain.core.event import Headline
from settings import Settings
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD, VIEW

LINE = Headline(stream=THREAD, kind="thread", title="Add a \x1b[31mflag", project="/code/app")


@pytest.fixture
def treadle(api: Api, settings: Settings):
    del settings
    api.answers["GET /v1/threads"] = (200, {"threads": [LINE.model_dump(mode="json")]})
    api.answers["GET /v1/flow-runs"] = (200, {"runs": []})
    api.answers[f"GET /v1/threads/{THREAD}"] = (200, VIEW.model_dump(mode="json"))
    return lambda *arguments, **more: CliRunner().invoke(app, arguments, **more)


def test_threads_are_looked_for_by_the_api(api: Api, treadle):
    shown = treadle("threads", "--search", "a flag", "--status", "waiting", "--archived").stdout
    assert "app" in shown
    assert "\x1b[31m" not in shown
    asked = api.got[-1][0]
    for part in ("q=a+flag", "status=waiting", "archived=true"):
        assert part in asked


def test_planning_without_a_plan_waits_for_you_in_the_list(api: Api, treadle):
    told = {"status": "failed", "waiting_for": "a new attempt at planning: 3 turns without a plan"}
    other = {"status": "failed", "waiting_for": "failed tasks"}
    lines = [LINE.model_copy(update=each).model_dump(mode="json") for each in (told, other)]
    api.answers["GET /v1/threads"] = (200, {"threads": lines})
    first, second = treadle("threads").stdout.splitlines()[1:3]
    assert "waiting for you" in first
    assert "failed" not in first
    assert "failed" in second


def test_threads_to_choose_from_have_the_status_of_the_list(api: Api, treadle):
    told = {"status": "failed", "waiting_for": "a new attempt at planning: 3 turns without a plan"}
    lines = [
        LINE.model_copy(update=told | {"stream": f"{THREAD}{end}"}).model_dump(mode="json")
        for end in "xy"
    ]
    api.answers["GET /v1/threads"] = (200, {"threads": lines})
    for arguments in (("show",), ("show", THREAD[:-1])):
        with pytest.raises(CommandError, match=f"{THREAD}x  waiting for you"):
            raise treadle(*arguments).exception


def test_a_search_that_finds_nothing_says_where_else_to_look(api: Api, treadle):
    api.answers["GET /v1/threads"] = (200, {"threads": []})
    assert "--archived" in treadle("threads", "--search", "flag").stdout
    assert "treadle run GOAL" in treadle("threads").stdout
    assert "No archived threads" in treadle("threads", "--archived").stdout


def test_flows_that_wait_for_a_person_are_named_beside_the_threads(api: Api, treadle):
    api.answers["GET /v1/flow-runs"] = (200, {"runs": [{"run_id": "flow-publish-1"}]})
    assert "treadle flow status flow-publish-1" in treadle("threads").stderr
    assert api.got[-1][0].endswith("status=waiting")
    assert "flow-publish-1" not in treadle("threads", "--search", "flag").stderr


def test_a_goal_of_many_lines_takes_few_in_the_list(api: Api, treadle):
    long = LINE.model_copy(update={"title": "Find out all\n" * 50})
    api.answers["GET /v1/threads"] = (200, {"threads": [long.model_dump(mode="json")]})
    assert treadle("threads").stdout.count("\n") < 12


def test_who_takes_a_flow_for_a_thread_is_told_where_it_is(api: Api, treadle):
    api.answers["GET /v1/threads"] = (200, {"threads": []})
    with pytest.raises(CommandError, match="treadle flow status flow-publish-1"):
        raise treadle("show", "flow-publish-1").exception


def test_a_thread_gets_a_topic_and_is_put_away(api: Api, treadle):
    for verb in ("rename", "archive", "unarchive"):
        api.answers[f"POST /v1/threads/{THREAD}/{verb}"] = (200, {"message": f"done {verb}"})
    assert "done rename" in treadle("rename", "1a2b3c", "The flag").stderr
    assert api.got[-1][2]["topic"] == "The flag"
    assert treadle("archive", "1a2b3c").exit_code == 0
    assert treadle("unarchive", "1a2b3c").exit_code == 0


def test_a_thread_is_removed_only_after_a_yes(api: Api, treadle):
    api.answers[f"DELETE /v1/threads/{THREAD}"] = (200, {"message": "removed", "is_over": True})
    assert treadle("delete", THREAD).exit_code == 2
    assert not [line for line, _, _ in api.got if line.startswith("DELETE")]
    result = treadle("delete", THREAD, "--yes", "--force", "--json")
    assert json.loads(result.stdout)["is_over"]
    assert api.got[-1][2]["is_forced"] is True


def test_only_a_chat_s_changes_can_be_kept(api: Api, treadle):
    with pytest.raises(CommandError, match="no chat session"):
        raise treadle("merge-session", THREAD).exception


def test_an_archived_thread_is_found_by_a_part_of_its_id(api: Api, treadle):
    treadle("show", "zzz")
    asked = [line for line, _, _ in api.got]
    assert any("archived=true" in line for line in asked)


def test_a_chat_is_opened_and_spoken_to_by_its_number(api: Api, treadle):
    opened = {"message": "opened", "data": {"session_id": f"{THREAD}/session-3"}}
    api.answers[f"POST /v1/threads/{THREAD}/sessions"] = (201, opened)
    api.answers[f"POST /v1/threads/{THREAD}/messages"] = (202, {"message": "queued"})
    assert "--session 3" in treadle("open-session", THREAD, "--agent", "codex", "--shared").stderr
    body = api.got[-1][2]
    assert (body["agent"], body["has_own_worktree"]) == ("codex", False)
    assert treadle("say", THREAD, "hi", "--session", "3", "--no-wait").exit_code == 0
    assert api.got[-1][2]["session_id"] == f"{THREAD}/session-3"


def test_the_diff_of_a_whole_thread_and_of_one_session_is_reported(api: Api, treadle):
    api.answers[f"GET /v1/threads/{THREAD}/changes/diff"] = (200, "+a line\n")
    assert treadle("diff", THREAD).stdout == "+a line\n"
    assert json.loads(treadle("diff", THREAD, "--session", "2", "--json").stdout)["session"] == 2
    assert api.got[-1][0].endswith("/changes/diff?session=2")
    assert treadle("diff", THREAD, "store", "--session", "2").exit_code == 2
    assert treadle("diff", THREAD, "--since-review").exit_code == 2
