"""What is refused in `[[trackers]]`, in a sentence that says what to do."""

import pytest
from pydantic import ValidationError

from domain.trackers.source import TrackerSource
from settings.trackers import TrackerSettings, TrackerTable
from tests.trackers.paper import ANN, STRANGER, PaperTracker

GOOD = {
    "name": "work",
    "kind": "github",
    "project": "acme/app",
    "label": "treadle",
    "repository": "/repo",
}


def test_a_tracker_is_read_without_its_token() -> None:
    table = TrackerTable.model_validate({**GOOD, "approvers": {"id:11": "ann", "ben": "ben"}})
    assert table.root == "https://api.github.com"
    assert table.source.person_of(ANN) == "ann"
    assert table.source.person_of(STRANGER) == ""
    [warning] = table.source.warnings
    assert "'ben' by login" in warning
    own = TrackerTable.model_validate({**GOOD, "host": "git.example.org"})
    assert own.root == "https://git.example.org/api/v3"
    lab = TrackerTable.model_validate({**GOOD, "kind": "gitlab", "project": "acme/team/app"})
    assert (lab.root, lab.source.host) == ("https://gitlab.com/api/v4", "gitlab.com")

    linear = TrackerTable.model_validate({**GOOD, "kind": "linear", "project": "ENG"})
    assert (linear.root, linear.server) == ("https://api.linear.app", "linear.app")
    site = {"kind": "jira", "project": "ENG", "host": "acme.atlassian.net", "query": "type = Bug"}
    jira = TrackerTable.model_validate({**GOOD, **site, "approvers": {"id:5b10": "ann"}})
    asked = {"label": "", "query": 'is:open "in the editor" in:title -label:wontfix'}
    assert TrackerTable.model_validate({**GOOD, **asked}).source.issues.text == asked["query"]
    of_lab = {"kind": "gitlab", "query": "search=a%20crash&in=title&not[milestone]=2.0"}
    TrackerTable.model_validate({**GOOD, **of_lab})
    assert jira.root == "https://acme.atlassian.net/rest/api/3"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            {"kind": "gitea"},
            "kind gitea are not supported yet: choose github, gitlab, linear, jira",
        ),
        ({"kind": "jira", "project": "ENG"}, "say where Jira is"),
        ({"kind": "linear"}, "by its key, like ENG"),
        (
            {"kind": "linear", "project": "ENG", "assignee": "ben"},
            "'ben' names an account of linear",
        ),
        ({"label": ""}, "give a label, an assignee or a query"),
        ({"query": "is:open repo:acme/other"}, "cannot have 'repo:acme/other'"),
        ({"query": "crash OR sort:created-asc"}, "cannot have 'OR'"),
        ({"query": "is:pr crash"}, "cannot have 'is:pr'"),
        ({"kind": "gitlab", "query": "is:open"}, "like search=crash&milestone=2.0"),
        ({"kind": "gitlab", "query": "search=x&state=opened"}, "cannot have 'state'"),
        ({"kind": "gitlab", "query": "search=x&search=y"}, "names each parameter once"),
        ({"kind": "linear", "project": "ENG", "query": "x"}, "linear has no query language"),
        ({"project": "acme"}, "OWNER/NAME"),
        ({"name": "My Tracker"}, "pattern"),
        ({"token": "x"}, "Extra inputs"),
    ],
)
def test_what_cannot_be_used_is_refused(wrong: dict[str, str], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        TrackerTable.model_validate({**GOOD, **wrong})


def test_two_of_one_name_are_refused() -> None:
    table = TrackerTable.model_validate(GOOD)
    with pytest.raises(ValidationError, match="two trackers are named 'work'"):
        TrackerSettings(trackers=(table, table))


def test_an_account_by_id_is_none_by_login() -> None:
    """Whoever takes a login over is not who had it, and an id is never a login."""
    source = TrackerSource(**{**GOOD, "allowed": ("id:11",)})  # type: ignore[arg-type]
    issue = PaperTracker().open("1", author=ANN.model_copy(update={"login": "renamed"}))
    assert source.takes_from(issue, None)
    taken_over = PaperTracker().open("1", author=STRANGER.model_copy(update={"login": "id:11"}))
    assert not source.takes_from(taken_over, None)
