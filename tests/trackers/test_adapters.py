"""Issues of each forge, against its double: one set of tests for all adapters."""

import traceback
from collections.abc import Iterator
from typing import Any

import pytest

from adapters.forge.tokens import FixedToken
from adapters.trackers.github import GitHubIssues
from adapters.trackers.gitlab import GitLabIssues
from adapters.trackers.jira import JiraIssues
from adapters.trackers.linear import LinearIssues
from domain.forges.errors import ForgeAccessError, ForgeBusyError, ForgeError, ForgeGoneError
from domain.forges.issues import IssueId, IssueQuery, TrackerKind
from domain.forges.ports import Tracker
from domain.forges.projects import ForgeKind
from domain.trackers.source import TrackerSource
from tests.forge.double import TOKEN, Double, forge_double
from tests.forge.moods import Mood, Moods
from tests.forge.routing import Answered
from tests.trackers import doubles
from tests.trackers.doubles import TrackerDouble, tracker_double
from tests.trackers.jira_double import JiraDouble
from tests.trackers.linear_double import LinearDouble

WANTED = frozenset({"treadle"})


KINDS = {
    ForgeKind.GITHUB: GitHubIssues,
    ForgeKind.GITLAB: GitLabIssues,
    TrackerKind.LINEAR: LinearIssues,
    TrackerKind.JIRA: JiraIssues,
}
OWN = {TrackerKind.LINEAR: LinearDouble, TrackerKind.JIRA: JiraDouble}
Doubled = Double | TrackerDouble


@pytest.fixture(params=list(KINDS))
def double(request: pytest.FixtureRequest) -> Iterator[Doubled]:
    made = tracker_double(OWN[request.param]) if request.param in OWN else None
    with made or forge_double(request.param) as double:
        yield double


def made_for(double: Doubled, path: str = "", token: str = "") -> Tracker:
    usual = TOKEN if isinstance(double, Double) else doubles.TOKEN
    return KINDS[double.kind](
        path or double.path, double.url, FixedToken(token or usual, "FORGE_TOKEN")
    )


def key_of(double: Doubled, made: Any) -> str:
    return f"{double.path}#{made.number}" if isinstance(double, Double) else double.key_of(made)


def ref_of(double: Doubled, made: Any) -> IssueId:
    return IssueId(tracker=double.kind.value, id=str(made.id), key=key_of(double, made))


@pytest.fixture
def tracker(double: Doubled) -> Tracker:
    return made_for(double)


async def test_labelled_issues_are_found_and_looked_at_again_cheaply(
    double: Doubled, tracker: Tracker
) -> None:
    made = double.open_issue(double.path, "links", "fix them", labels="treadle,bug")
    double.open_issue(double.path, "other")
    query = IssueQuery(project=double.path, labels=WANTED)
    first = await tracker.changed_issues(query, "", {})
    [found] = first.issues or ()
    assert (found.title, found.body, found.labels) == ("links", "fix them", {"treadle", "bug"})
    assert (found.ref.id, found.ref.key) == (str(made.id), key_of(double, made))
    assert found.author_is_member
    second = await tracker.changed_issues(query, first.cursor, first.tags)
    if isinstance(double, Double):
        assert [each.ref for each in second.issues or ()] == [found.ref]
    third = await tracker.changed_issues(query, second.cursor, second.tags)
    assert third.issues is None
    assert third.cursor == first.cursor
    if isinstance(double, Double):
        assert double.not_modified == 1
    double.close_by_hand(made)
    assert not (await tracker.issue(found.ref)).is_open
    assert double.wrong == []


async def test_who_labelled_it_is_known(double: Doubled, tracker: Tracker) -> None:
    made = double.open_issue(double.path, "links", login="mallory", labels="treadle")
    [found] = (await tracker.changed_issues(IssueQuery(project=double.path), "", {})).issues or ()
    assert not found.author_is_member
    by = await tracker.labelled_by(found.ref, "treadle")
    assert by is not None
    assert by.id == found.author.id
    double.label(made)
    double.label(made, "Treadle", login="ben")
    by = await tracker.labelled_by(found.ref, "treadle")
    assert by is not None
    assert by.login == "ben"


async def test_a_comment_is_written_once_for_its_key(double: Doubled, tracker: Tracker) -> None:
    made = double.open_issue(double.path, "links", labels="treadle")
    [found] = (await tracker.changed_issues(IssueQuery(project=double.path), "", {})).issues or ()
    one = await tracker.comment(found.ref, "hello", "key")
    assert await tracker.comment(found.ref, "hello", "key") == one
    copied = double.comment_as("mallory", made, made.comments[0].body)
    assert await tracker.comment(found.ref, "other words", "key") == one
    assert [words.author.login for words in made.comments] == ["treadle-bot", "mallory"]
    behind = await tracker.comments(found.ref, one)
    assert [each.id for each in behind] == [str(copied.id)]
    assert behind[0].author.login == "mallory"


async def test_all_pages_are_read_and_what_changes_comes_again(
    double: Doubled, tracker: Tracker
) -> None:
    made = [double.open_issue(double.path, f"number {n}", labels="treadle") for n in range(5)]
    query = IssueQuery(project=double.path, labels=WANTED)
    first = await tracker.changed_issues(query, "", {})
    assert [each.ref.id for each in first.issues or ()] == [str(each.id) for each in made]
    double.label(made[1], "treadle", "bug")
    second = await tracker.changed_issues(query, first.cursor, first.tags)
    assert str(made[1].id) in {each.ref.id for each in second.issues or ()}


QUERIES = {
    ForgeKind.GITHUB: "links is:issue",
    ForgeKind.GITLAB: "search=links",
    TrackerKind.JIRA: 'summary ~ "links"',
}


async def test_a_query_finds_issues_with_the_label_and_looks_again_cheaply(
    double: Doubled, tracker: Tracker
) -> None:
    query = IssueQuery(project=double.path, labels=WANTED, text=QUERIES.get(double.kind, "links"))
    if double.kind not in QUERIES:
        with pytest.raises(ForgeError, match="no query language"):
            await tracker.changed_issues(query, "", {})
        return
    made = double.open_issue(double.path, "links", labels="treadle")
    double.open_issue(double.path, "other words", labels="treadle")
    double.open_issue(double.path, "links elsewhere", labels="bug")
    first = await tracker.changed_issues(query, "", {})
    assert [each.ref.id for each in first.issues or ()] == [str(made.id)]
    second = await tracker.changed_issues(query, first.cursor, first.tags)
    third = await tracker.changed_issues(query, second.cursor, second.tags)
    assert third.issues is None
    assert not isinstance(double, Double) or double.not_modified == 1
    double.label(made, "treadle", "more")
    again = double.open_issue(double.path, "links again", labels="treadle")
    fourth = await tracker.changed_issues(query, third.cursor, third.tags)
    assert str(again.id) in {each.ref.id for each in fourth.issues or ()}
    assert double.wrong == []


async def test_assigned_issues_are_found_by_login_and_by_id(
    double: Doubled, tracker: Tracker
) -> None:
    made = double.open_issue(double.path, "links")
    double.open_issue(double.path, "other")
    double.assign(made, "ann")
    [who] = (await tracker.issue(ref_of(double, made))).assignees
    names = [f"id:{who.id}"] + (["ann"] if isinstance(double, Double) else [])
    for name in names:
        source = TrackerSource(
            name="work",
            kind=double.kind.value,
            repository="/repo",
            project=double.path,
            assignee=name,
        )
        found = (await tracker.changed_issues(source.issues, "", {})).issues or ()
        wanted = [each.ref.id for each in found if not source.reason_against(each)]
        assert wanted == [str(made.id)]
    assert double.wrong == []


async def test_an_issue_is_closed_and_that_twice_is_fine(double: Doubled, tracker: Tracker) -> None:
    double.open_issue(double.path, "links", labels="treadle")
    [found] = (await tracker.changed_issues(IssueQuery(project=double.path), "", {})).issues or ()
    await tracker.close(found.ref)
    await tracker.close(found.ref)
    assert not (await tracker.issue(found.ref)).is_open
    assert double.wrong == []


async def test_a_locked_issue_refuses_comments_for_good_and_is_still_read(
    double: Doubled, tracker: Tracker
) -> None:
    made = double.open_issue(double.path, "links", labels="treadle")
    made.is_locked = True
    ref = ref_of(double, made)
    for _ in range(2):
        with pytest.raises(ForgeAccessError) as refused:
            await tracker.comment(ref, "hello", "key")
        assert not refused.value.is_retryable
    assert (await tracker.issue(ref)).is_open
    assert made.comments == []
    assert double.wrong == []


async def test_refusals_say_what_to_do(double: Doubled, tracker: Tracker) -> None:
    query = IssueQuery(project=double.path)
    wrong = made_for(double, token="other")
    with pytest.raises(ForgeAccessError, match="FORGE_TOKEN"):
        await wrong.changed_issues(query, "", {})
    gone = made_for(double, "octo/none" if isinstance(double, Double) else "NONE")
    with pytest.raises(ForgeGoneError, match=r"project|team"):
        await gone.changed_issues(query, "", {})
    double.next_answers.append(Answered(429, {}, {"Retry-After": "7"}))
    with pytest.raises(ForgeBusyError) as busy:
        await tracker.changed_issues(query, "", {})
    assert busy.value.wait is not None
    assert busy.value.wait.total_seconds() == 7


@pytest.mark.parametrize(
    "token", ["two\nlines-of-token", "ünïcode-token", "wrong-token-of-a-person"]
)
@pytest.mark.parametrize("mood", [Mood.DROPPED, Mood.FAILS, Mood.LIMITED, Mood.FINE])
async def test_no_token_is_in_an_error(double: Doubled, token: str, mood: Mood) -> None:
    if isinstance(double, Double):
        double.moods = Moods(rate=0, planned=[mood])
    ref = ref_of(double, double.open_issue(double.path, "links"))
    with pytest.raises(ForgeError) as told:
        await made_for(double, token=token).issue(ref)

    words = "".join(traceback.format_exception(told.value)) + repr(told.value)
    assert not any(part in words for part in token.split())
