"""What a hint of a webhook concerns."""

import pytest

from domain.forges.hints import ForgeHint, watch_of
from domain.forges.issues import IssueId
from domain.forges.projects import ForgeProject

PROJECT = ForgeProject(host="git.example.org", owner="Team/Tools", name="App")
ISSUE = IssueId(tracker="github", id="9", key="#9")


@pytest.mark.parametrize(
    ("hint", "concerned", "issues"),
    [
        (ForgeHint(hint_id="a", project=PROJECT), True, True),
        (ForgeHint(hint_id="a", project=PROJECT, pull_request=5), True, False),
        (ForgeHint(hint_id="a", project=PROJECT, pull_request=6), False, False),
        (ForgeHint(hint_id="a", project=PROJECT, commit="c1"), True, False),
        (ForgeHint(hint_id="a", project=PROJECT, commit="c2"), False, False),
        (ForgeHint(hint_id="a", project=PROJECT, issue=ISSUE), False, True),
    ],
)
def test_a_hint_concerns_what_it_names_or_all_of_the_project(hint, concerned, issues) -> None:
    assert hint.concerns_pull_request(5, frozenset({"c1"})) is concerned
    assert hint.concerns_issues is issues


def test_a_commit_concerns_a_pull_request_whose_head_is_not_known_yet() -> None:
    assert ForgeHint(hint_id="a", project=PROJECT, commit="c2").concerns_pull_request(5)


def test_a_project_is_watched_without_regard_to_case() -> None:
    assert watch_of(PROJECT) == "git.example.org/team/tools/app"
    assert ForgeHint(hint_id="a", tracker="linear").watched == "linear"
