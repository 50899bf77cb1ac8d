"""Issues of each forge, against its double: one set of tests for all adapters."""

import traceback
from collections.abc import Iterator

import pytest

from adapters.trackers.github import GitHubIssues
from adapters.trackers.gitlab import GitLabIssues
from domain.forges.errors import ForgeAccessError, ForgeBusyError, ForgeError, ForgeGoneError
from domain.forges.issues import IssueId, IssueQuery
from domain.forges.ports import Tracker
from domain.forges.projects import ForgeKind
from tests.forge.double import TOKEN, Double, forge_double
from tests.forge.moods import Mood, Moods
from tests.forge.routing import Answered

WANTED = frozenset({"treadle"})


KINDS = {ForgeKind.GITHUB: GitHubIssues, ForgeKind.GITLAB: GitLabIssues}


@pytest.fixture(params=list(KINDS))
def double(request: pytest.FixtureRequest) -> Iterator[Double]:
    with forge_double(request.param) as double:
        yield double


def made_for(double: Double, path: str = "", token: str = TOKEN) -> Tracker:
    return KINDS[double.kind](path or double.path, double.url, token, "FORGE_TOKEN")


@pytest.fixture
def tracker(double: Double) -> Tracker:
    return made_for(double)


async def test_labelled_issues_are_found_and_looked_at_again_cheaply(
    double: Double, tracker: Tracker
) -> None:
    made = double.open_issue(double.path, "links", "fix them", labels="treadle,bug")
    double.open_issue(double.path, "other")
    query = IssueQuery(project=double.path, labels=WANTED)
    first = await tracker.changed_issues(query, "", {})
    [found] = first.issues or ()
    assert (found.title, found.body, found.labels) == ("links", "fix them", {"treadle", "bug"})
    assert (found.ref.id, found.ref.key) == (str(made.id), f"{double.path}#{made.number}")
    assert found.author_is_member
    second = await tracker.changed_issues(query, first.cursor, first.tags)
    assert [each.ref for each in second.issues or ()] == [found.ref]
    third = await tracker.changed_issues(query, second.cursor, second.tags)
    assert third.issues is None
    assert double.not_modified == 1
    double.close_by_hand(made)
    assert not (await tracker.issue(found.ref)).is_open
    assert double.wrong == []


async def test_who_labelled_it_is_known(double: Double, tracker: Tracker) -> None:
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


async def test_a_comment_is_written_once_for_its_key(double: Double, tracker: Tracker) -> None:
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


async def test_refusals_say_what_to_do(double: Double, tracker: Tracker) -> None:
    query = IssueQuery(project=double.path)
    wrong = made_for(double, token="other")
    with pytest.raises(ForgeAccessError, match="FORGE_TOKEN"):
        await wrong.changed_issues(query, "", {})
    gone = made_for(double, "octo/none")
    with pytest.raises(ForgeGoneError, match="project"):
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
async def test_no_token_is_in_an_error(double: Double, token: str, mood: Mood) -> None:
    double.moods = Moods(rate=0, planned=[mood])
    issue = double.open_issue(double.path, "links")
    key = f"{double.path}#{issue.number}"
    ref = IssueId(tracker=double.kind.value, id=str(issue.id), key=key)
    with pytest.raises(ForgeError) as told:
        await made_for(double, token=token).issue(ref)

    words = "".join(traceback.format_exception(told.value)) + repr(told.value)
    assert not any(part in words for part in token.split())
