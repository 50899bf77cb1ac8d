"""Addresses of remotes, and the words of pull requests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.ids import TaskId
from domain.forges.issues import IssueLink
from domain.forges.projects import ForgeProject, project_of
from domain.forges.pull_requests import MAX_BODY, MAX_TITLE, PullRequestDraft
from domain.plans.plan import Plan
from domain.threads.publishing.publication import draft_text, issue_words, without_secrets


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/octo/work.git",
        "https://github.com/octo/work",
        "https://x-access-token:ghp_1@github.com/octo/work.git/",
        "git@github.com:octo/work.git",
        "ssh://git@github.com/octo/work.git",
        "ssh://git@github.com:22/octo/work",
        "git://GitHub.com/octo/work.git",
    ],
)
def test_every_way_to_write_an_address_names_the_same_project(address: str):
    assert project_of(address) == ForgeProject(host="github.com", owner="octo", name="work")


@pytest.mark.parametrize(
    "address",
    [
        *("/srv/work.git", "../work", "file:///srv/x/work", "https://github.com/work", "C:\\x", ""),
        *("https://github.com/a/../c", "git@github.com:../work", "https://[x/a/b", "a b"),
    ],
)
def test_what_is_on_no_forge_names_no_project(address: str):
    assert project_of(address) is None


@pytest.mark.parametrize(
    "address", ["https://gitlab.example/team/tools/work.git", "git@gitlab.example:team/tools/work"]
)
def test_a_nested_group_is_the_owner(address: str):
    assert project_of(address) == ForgeProject(
        host="gitlab.example", owner="team/tools", name="work"
    )


@given(st.text())
def test_no_address_breaks_the_reading_and_a_project_has_all_its_names(address: str):
    found = project_of(address)
    assert found is None or (found.host and found.owner and found.name)


def test_a_port_of_a_web_address_stays_part_of_its_host():
    found = project_of("https://git.corp.example:8443/octo/work.git")
    assert found is not None
    assert found.host == "git.corp.example:8443"


def test_a_token_in_an_address_is_taken_off():
    assert without_secrets("to https://ann:ghp_1@github.com/o/r failed") == (
        "to https://github.com/o/r failed"
    )


def test_a_pull_request_is_opened_by_hand_at_the_comparison():
    draft = PullRequestDraft(
        project=ForgeProject(host="github.com", owner="o", name="r"),
        head="treadle/greet",
        base="main",
        title="x",
    )
    assert draft.compare_url == "https://github.com/o/r/compare/main...treadle/greet?expand=1"


def test_the_text_has_goal_summary_and_tasks():
    title, body = draft_text(
        "Add a greeting\nin every language",
        Plan(summary="Two steps."),
        [(TaskId("task-1"), "Write it"), (TaskId("task-2"), "Test\nit")],
    )

    assert title == "Add a greeting"
    assert body.startswith("in every language\n\nTwo steps.\n\n## Tasks\n\n- task-1: Write it\n")
    assert "- task-2: Test it" in body


@given(st.text(max_size=500), st.text(max_size=500))
def test_the_text_is_never_empty_and_never_too_long(goal: str, summary: str):
    title, body = draft_text(goal, Plan(summary=summary * 200), [(TaskId("t"), goal * 200)])

    assert 0 < len(title) <= MAX_TITLE
    assert 0 < len(body) <= MAX_BODY


@pytest.mark.parametrize(
    ("url", "link"),
    [
        (
            "https://github.com/acme/app/issues/1",
            "[acme/app#1](<https://github.com/acme/app/issues/1>)",
        ),
        ("https://forge.example/a>b", "acme/app#1"),
        ("", "acme/app#1"),
    ],
)
def test_a_pull_request_for_an_issue_has_its_title_and_links_it(url: str, link: str):
    words = issue_words(IssueLink(key="acme/app#1", url=url, title="The links are broken"))
    title, body = draft_text(words, None, [])

    assert title == "The links are broken"
    assert body.startswith(f"For the issue {link}.\n\n")


def test_only_an_issue_with_a_title_is_named():
    assert issue_words(IssueLink(key="acme/app#1", url="https://forge.example/1")) == ""
