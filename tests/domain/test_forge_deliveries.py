"""What deliveries of forges make us look at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.forges.deliveries import events_of, hint_of
from tests.webhooks.senders import COMMIT, GITEA, GITHUB, GITLAB

HELLO = "github.com/codertocat/hello-world"


@pytest.mark.parametrize(
    ("event", "watched", "number", "is_of_commit"),
    [
        ("pull_request", HELLO, 2, False),
        ("pull_request_review", HELLO, 2, False),
        ("pull_request_review_comment", HELLO, 2, False),
        ("pull_request_review_thread", "github.com/octo-org/octo-repo", 1, False),
        ("check_run", HELLO, None, True),
        ("check_suite", HELLO, None, True),
        ("status", HELLO, None, True),
        ("workflow_run", HELLO, None, True),
    ],
)
def test_an_event_of_github_is_about_its_pull_request_or_commit(
    event, watched, number, is_of_commit
) -> None:
    hint = hint_of("github", event, GITHUB[event], "d1")

    assert hint is not None
    assert (hint.watched, hint.hint_id) == (watched, "d1")
    assert bool(hint.commit) is is_of_commit
    if number is not None:
        assert hint.pull_request == GITHUB[event]["pull_request"]["number"]


@pytest.mark.parametrize("event", ["issues", "issue_comment"])
def test_an_issue_of_github_is_known_by_its_id(event) -> None:
    hint = hint_of("github", event, GITHUB[event], "d1")

    assert hint is not None
    assert hint.issue is not None
    assert hint.issue.id == str(GITHUB[event]["issue"]["id"])
    assert hint.concerns_issues


def test_a_comment_on_a_pull_request_is_not_one_on_an_issue() -> None:
    payload = {**GITHUB["issue_comment"]}
    payload["issue"] = {**payload["issue"], "number": 9, "pull_request": {"url": "x"}}
    hint = hint_of("github", "issue_comment", payload, "d1")

    assert hint is not None
    assert (hint.pull_request, hint.issue) == (9, None)


def test_a_push_to_a_branch_concerns_pull_requests_and_no_issues() -> None:
    push = {**GITHUB["push"], "ref": "refs/heads/main"}
    hint = hint_of("github", "push", push, "d1")

    assert hint is not None
    assert hint.concerns_pull_request(5)
    assert not hint.concerns_issues


@pytest.mark.parametrize("event", ["ping", "installation", "star", "../pull_request", ""])
def test_other_events_are_ignored(event) -> None:
    assert hint_of("github", event, GITHUB.get(event, GITHUB["pull_request"]), "d1") is None


@pytest.mark.parametrize(
    ("event", "number", "issue", "commit"),
    [
        ("pull_request", 7, None, ""),
        ("pull_request_comment", 7, None, ""),
        ("issues", None, "33", ""),
        ("status", None, None, COMMIT),
    ],
)
def test_events_of_gitea(event, number, issue, commit) -> None:
    hint = hint_of("gitea", event, GITEA[event], "d1")

    assert hint is not None
    assert hint.watched == "git.example.org:3000/team/app"
    assert (hint.pull_request, hint.issue and hint.issue.id, hint.commit) == (number, issue, commit)


@pytest.mark.parametrize(
    ("event", "number", "issue", "commit"),
    [
        ("Merge Request Hook", 4, None, ""),
        ("Note Hook", 4, None, ""),
        ("Issue Hook", None, "301", ""),
        ("Pipeline Hook", None, None, COMMIT),
    ],
)
def test_events_of_gitlab_in_nested_groups(event, number, issue, commit) -> None:
    hint = hint_of("gitlab", event, GITLAB[event], "d1")

    assert hint is not None
    assert hint.watched == "gitlab.example.org/group/sub/app"
    assert (hint.pull_request, hint.issue and hint.issue.id, hint.commit) == (number, issue, commit)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.sampled_from(["github", "gitea", "gitlab"]), st.data())
def test_no_payload_breaks_the_reading(kind, data) -> None:
    event = data.draw(st.sampled_from(sorted(events_of(kind))))
    names = ("repository", "project", "pull_request", "issue", "object_attributes", "merge_request")
    payload = data.draw(st.fixed_dictionaries({}, optional=dict.fromkeys(names, JSON)) | JSON)
    if isinstance(payload, dict) and data.draw(st.booleans()):
        payload["repository"] = {"html_url": data.draw(st.text(max_size=40))}
    hint_of(kind, event, payload, "d1")


@pytest.mark.parametrize("number", [True, -1, 0, 2**70, "7", 7.5, None, [7]])
def test_what_is_no_number_of_a_pull_request_is_ignored(number) -> None:
    payload = {**GITEA["pull_request"], "pull_request": {"number": number}}
    assert hint_of("gitea", "pull_request", payload, "d1") is None


@pytest.mark.parametrize(
    "page", ["", "file:///etc/passwd", "nowhere", 5, None, "https://x/" + "a" * 3000]
)
def test_a_project_without_an_address_of_a_forge_is_ignored(page) -> None:
    payload = {**GITEA["pull_request"], "repository": {"html_url": page}}
    assert hint_of("gitea", "pull_request", payload, "d1") is None
