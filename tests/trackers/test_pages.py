"""Lists of issues that change while they are read: none is passed over."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from adapters.forge.tokens import FixedToken
from adapters.trackers.github import GitHubIssues
from domain.forges.errors import ForgeBusyError
from domain.forges.issues import IssueQuery
from domain.forges.ports import Tracker
from domain.forges.projects import ForgeKind
from tests.forge.double import TOKEN, Double, forge_double
from tests.forge.routing import Asked
from tests.forge.skins.github import GitHub
from tests.forge.world import Ticket, now
from tests.trackers.test_adapters import KINDS

SEARCH = "number is:issue"


@pytest.fixture(params=[ForgeKind.GITHUB, ForgeKind.GITLAB])
def double(request: pytest.FixtureRequest) -> Iterator[Double]:
    with forge_double(request.param) as double:
        yield double


@pytest.fixture
def github() -> Iterator[Double]:
    with forge_double(ForgeKind.GITHUB) as double:
        yield double


def opened(double: Double, number: int, seconds_apart: int = 1) -> list[Ticket]:
    """Open issues that changed one after the other, an hour ago."""
    made = [double.open_issue(double.path, f"number {n}") for n in range(number)]
    for n, each in enumerate(made):
        each.updated_at = now() - timedelta(hours=1) + timedelta(seconds=n * seconds_apart)
    return made


async def all_of(tracker: Tracker, query: IssueQuery) -> set[str]:
    """Return the issues of a look that goes on as the workflow's does."""
    cursor, tags, found = "", dict[str, str](), set[str]()
    for _ in range(20):
        page = await tracker.changed_issues(query, cursor, tags)
        cursor, tags = page.cursor, page.tags
        found |= {each.ref.id for each in page.issues or ()}
        if not page.has_more:
            return found
    raise AssertionError("it has no end")


@pytest.mark.parametrize("seconds_apart", [0, 1])
@pytest.mark.parametrize("text", ["", SEARCH])
async def test_an_issue_that_changes_between_two_pages_hides_no_other(
    double: Double, text: str, seconds_apart: int
) -> None:
    made = opened(double, 230, seconds_apart)
    touched = iter(made[:1] if seconds_apart else ())

    def touch(_route: str, asked: Asked) -> None:
        if asked.path.endswith("/issues"):
            for each in touched:
                each.updated_at = now()

    double.before_answer = touch
    if text and double.kind is ForgeKind.GITLAB:
        text = "search=number"
    tracker = KINDS[double.kind](double.path, double.url, FixedToken(TOKEN, "FORGE_TOKEN"))
    found = await all_of(tracker, IssueQuery(project=double.path, text=text))
    assert found == {str(each.id) for each in made}


async def test_an_issue_that_the_search_takes_up_late_is_found(github: Double) -> None:
    assert isinstance(github.skin, GitHub)
    tracker = GitHubIssues(github.path, github.url, FixedToken(TOKEN, "FORGE_TOKEN"))
    query = IssueQuery(project=github.path, text=SEARCH)
    late, early = opened(github, 2, 60)
    github.skin.unindexed = frozenset({late.id})
    first = await tracker.changed_issues(query, "", {})
    assert [each.ref.id for each in first.issues or ()] == [str(early.id)]
    github.skin.unindexed = frozenset()
    second = await tracker.changed_issues(query, first.cursor, first.tags)
    assert [each.ref.id for each in second.issues or ()] == [str(late.id)]
    third = await tracker.changed_issues(query, second.cursor, second.tags)
    assert third.issues is None


async def test_a_search_that_gave_up_is_asked_again(github: Double) -> None:
    assert isinstance(github.skin, GitHub)
    tracker = GitHubIssues(github.path, github.url, FixedToken(TOKEN, "FORGE_TOKEN"))
    github.skin.is_search_incomplete = True
    with pytest.raises(ForgeBusyError, match="gave up"):
        await tracker.changed_issues(IssueQuery(project=github.path, text=SEARCH), "", {})


async def test_a_pull_request_that_the_search_finds_is_passed_over(github: Double) -> None:
    opened(github, 1)
    tracker = GitHubIssues(github.path, github.url, FixedToken(TOKEN, "FORGE_TOKEN"))
    reported = GitHub.reported

    def pulled(skin: GitHub, issue: Ticket) -> dict[str, object]:
        return {**reported(skin, issue), "pull_request": {}}

    query = IssueQuery(project=github.path, text=SEARCH)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GitHub, "reported", pulled)
        assert (await tracker.changed_issues(query, "", {})).issues is None
    assert (await tracker.changed_issues(query, "", {})).issues
