"""`treadle tracker`: what is asked of the API, and what people see."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError

VIEW = {
    "source": {
        "name": "work",
        "kind": "github",
        "host": "github.com",
        "project": "acme/app",
        "label": "treadle",
        "assignee": "",
        "query": "",
    },
    "status": "failing",
    "problem": "the token in X is wrong",
    "paused_by": "",
    "warnings": ["work names 'ben' by login"],
    "issues": [
        {
            "ref": {"tracker": "github", "id": "7", "key": "acme/app#7"},
            "title": "look at [bold]\x1b[31m",
            "stage": "queued",
            "standing": "working",
            "entry_id": "thread-issue-1",
            "status": "waiting",
            "reason": "",
            "problem": "refused there: the plan (the issue\x1b[31m is locked)",
        }
    ],
}


@pytest.fixture
def treadle(api, settings):
    """Run a command against an API that has one tracker."""
    api.answers |= {
        "GET /v1/trackers": (200, {"trackers": [VIEW]}),
        "GET /v1/trackers/work": (200, VIEW),
        "POST /v1/trackers/work/look": (202, {"message": "it is looked at now"}),
        "POST /v1/trackers/work/pause": (200, {"message": "paused"}),
        "POST /v1/trackers/work/resume": (200, {"message": "resumed"}),
        "POST /v1/trackers/work/keep": (200, {"message": "its work goes on"}),
    }

    def run(*arguments):
        result = CliRunner().invoke(app, list(arguments))
        assert isinstance(result.exception, None | CommandError), result
        return result

    return run


def test_trackers_are_listed_with_what_is_wrong(treadle):
    result = treadle("tracker", "list")
    said = result.stdout + result.stderr
    assert "acme/app" in said
    assert "label treadle" in said
    assert "failing: the token in X is wrong" in " ".join(said.split())
    assert "work names 'ben' by login" in said


def test_a_tracker_is_shown_with_its_issues_as_text(treadle):
    result = treadle("tracker", "show", "work")
    said = result.stdout + result.stderr
    assert "acme/app#7" in said
    assert "thread-issue-1" in said
    assert "working" in said
    assert "queued" not in said
    assert "[bold]" in said
    assert "acme/app#7: refused there: the plan (the issue" in " ".join(said.split())
    assert "\x1b[31m" not in said


def test_where_none_is_configured_it_says_how(treadle, api):
    api.answers["GET /v1/trackers"] = (200, {"trackers": []})
    result = treadle("tracker", "list")
    assert "docs/how-to/trackers.md" in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("what", "words"), [("look", "looked at now"), ("pause", "paused"), ("resume", "resumed")]
)
def test_it_is_told_what_to_do(treadle, what, words):
    result = treadle("tracker", what, "work")
    assert f"work: {words}" in (result.stdout + result.stderr).replace("it is ", "")


def test_work_that_is_not_wanted_any_more_is_kept(treadle):
    result = treadle("tracker", "keep", "work", "thread-issue-1")
    assert "its work goes on" in result.stdout + result.stderr
