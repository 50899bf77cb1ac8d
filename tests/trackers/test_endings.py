"""When the work on an issue is over, and what is shown of where it comes from."""

import pytest

from domain.forges.pull_requests import PullRequest
from domain.threads.landing.calls import Landing, LandingStage
from domain.threads.publishing.publication import FinishedPullRequest, Publication
from domain.threads.state import ThreadState
from domain.trackers.endings import ending_of, merged_words
from domain.trackers.goal import link_of
from tests.trackers.paper import PaperTracker

MERGED = FinishedPullRequest(number=7, is_merged=True, merge_commit="e" * 40)
CLOSED = FinishedPullRequest(number=7)
LANDED = Landing(stage=LandingStage.MERGED, target="main")


def thread(
    finished: FinishedPullRequest | None = None, newest: int = 0, landing: Landing | None = None
) -> ThreadState:
    url = f"https://github.com/acme/app/pull/{newest}"
    found = PullRequest(number=newest, url=url) if newest else None
    publication = Publication(finished=finished, pull_request=found)
    return ThreadState(publication=publication, landing=landing or Landing())


@pytest.mark.parametrize(
    ("state", "status", "outcome"),
    [
        (thread(), "running", ""),
        (thread(), "completed", ""),
        (thread(), "cancelled", "cancelled"),
        (thread(newest=7), "completed", ""),
        (thread(MERGED, 7), "completed", "merged as #7"),
        (thread(MERGED, 7), "running", ""),
        (thread(MERGED, 8), "completed", ""),
        (thread(CLOSED, 7), "completed", "the pull request #7 was closed without being merged"),
        (thread(landing=LANDED), "completed", "merged into main"),
    ],
)
def test_completed_work_is_over_with_its_pull_request(
    state: ThreadState, status: str, outcome: str
) -> None:
    ending = ending_of(state, status)
    assert (ending.outcome, ending.is_over) == (outcome, bool(outcome))


def test_work_that_was_archived_is_over() -> None:
    assert ending_of(thread(), "completed", is_archived=True).outcome == "completed, and archived"


def test_what_was_merged_is_told_with_its_commit() -> None:
    url = "https://gitlab.example/o/my_app/-/merge_requests/7"
    assert merged_words(url, MERGED).endswith(f": {url}")
    assert "\\_" in merged_words("https://a.example/_b_ c", MERGED)
    assert merged_words("", MERGED) == "Merged as `eeeeeeeeeeee`: \\#7"


def test_only_a_web_address_becomes_a_link() -> None:
    issue = PaperTracker().open("1")
    assert link_of(issue).model_dump() == {
        "key": "acme/app#1",
        "url": issue.url,
        "title": issue.title,
    }
    planted = issue.model_copy(update={"url": "javascript:alert(1)"})
    assert link_of(planted).url == ""
