"""`treadle schedule` and `treadle workflow`: what is asked of the API, and what people see."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError

SCHEDULE = {
    "name": "links",
    "kind": "thread",
    "title": "look at [bold]\x1b[31m",
    "project": "/code/app",
    "cron": "0 6 * * 1-5",
    "timezone": "Europe/Berlin",
    "overlap": "skip",
    "next_at": ["2026-11-23T05:00:00Z", "2026-11-24T05:00:00Z"],
    "runs": 2,
    "missed": 1,
    "last_at": "2026-11-20T05:00:00Z",
    "last_result": "thread-x goes into the queue",
}
WORKFLOW = {
    "name": "both",
    "scope": "repo",
    "path": "/code/app/.treadle/workflow-templates/both.yaml",
    "template": {
        "description": "Two things",
        "parameters": {"what": {"description": "What it is about"}, "how": {"default": "well"}},
        "goals": [
            {"id": "one", "goal": "look at ${what}"},
            {"id": "two", "goal": "build it", "base": "one", "agent": "codex"},
        ],
    },
}
BROKEN = {
    "name": "broken",
    "scope": "user",
    "path": "/home/me/broken.yaml",
    "problems": [{"type": "empty", "message": "line 1, column 1: goals: give at least one goal"}],
}


@pytest.fixture
def treadle(api, settings):
    """Run a command against an API that has one schedule and two workflow templates."""
    api.answers |= {
        "GET /v1/schedules": (200, {"schedules": [SCHEDULE]}),
        "GET /v1/schedules/links": (200, SCHEDULE),
        "POST /v1/schedules": (201, SCHEDULE),
        "POST /v1/schedules/links/run": (202, {"entry_id": "thread-x", "message": "off it goes"}),
        "GET /v1/workflow-templates": (200, {"workflow_templates": [WORKFLOW, BROKEN]}),
        "GET /v1/workflow-templates/both": (200, WORKFLOW),
        "POST /v1/workflow-templates/both/start": (
            202,
            {"entries": [{"goal": "one", "entry_id": "thread-1", "after": []}]},
        ),
    }

    def run(*arguments):
        result = CliRunner().invoke(app, list(arguments))
        assert isinstance(result.exception, None | CommandError), result
        return result

    return run


def test_a_schedule_is_shown_with_its_times_by_its_own_clock(treadle):
    said = treadle("schedule", "show", "links").stdout
    assert "Mon 2026-11-23 06:00 +0100" in said
    assert "2 runs, last Fri 2026-11-20 06:00 +0100, 1 missed" in said
    assert "thread-x goes into the queue" in said
    assert "[bold]" in said
    assert "\x1b[31m" not in said


def test_what_has_no_next_time_says_why(treadle, api):
    paused = {**SCHEDULE, "is_paused": True, "next_at": []}
    api.answers["GET /v1/schedules"] = (200, {"schedules": [paused]})
    assert "paused" in treadle("schedule", "list").stdout
    api.answers["GET /v1/schedules"] = (200, {"schedules": []})
    assert "No schedules yet." in treadle("schedule", "list").stdout


def test_a_goal_or_a_flow_is_scheduled_and_not_both(treadle, api, tmp_path):
    options = ("--repo", str(tmp_path), "--cron", "@daily")
    treadle("schedule", "add", "links", "look", *options, "--priority", "2")
    places = ("--host", "build-1", "--label", "gpu")
    treadle("schedule", "add", "links", "--flow", "review", *options, "--agent", "codex", *places)
    goal, flow = (body for path, _, body in api.got if path == "POST /v1/schedules")
    assert goal["item"] == {
        "kind": "thread",
        "goal": "look",
        "repository": str(tmp_path),
        "priority": 2,
    }
    assert flow["item"] == {
        "kind": "flow",
        "flow": "review",
        "working_folder": str(tmp_path),
        "agent": "codex",
        "priority": 3,
        "host": "build-1",
        "labels": ["gpu"],
    }
    for wrong in (("look", "--flow", "review"), ()):
        assert treadle("schedule", "add", "links", *wrong, *options).exit_code == 1


def test_workflow_templates_are_listed_with_what_is_wrong(treadle):
    said = treadle("workflow", "list").stdout
    assert "Two things" in said
    assert "line 1, column 1: goals: give at least one goal" in said


def test_a_workflow_template_says_its_parameters_and_what_waits_for_what(treadle):
    said = treadle("workflow", "show", "both").stdout
    for words in ("--set what=", "required", "default 'well'", "agent codex"):
        assert words in said
    assert "after one, starts from the branch of one" in said


def test_a_workflow_template_is_started_with_its_parameters(treadle, api, tmp_path):
    start = ("workflow", "start", "both", "--repo", str(tmp_path))
    said = treadle(*start, "--set", "what=a=b", "--agent", "codex").stdout
    assert "thread-1" in said
    body = next(body for path, _, body in api.got if path.endswith("/start"))
    assert (body["parameters"], body["agent"]) == ({"what": "a=b"}, "codex")
    for wrong in (("--set", "what"), ("--set", "a=1", "--set", "a=2")):
        assert treadle(*start, *wrong).exit_code == 1
