"""Pull requests over GitHub's API, as its published description has it."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from adapters.forge.github import GitHub
from adapters.forge.tokens import FixedToken
from domain.forges.errors import ForgeBusyError, ForgeError
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import PullRequestDraft
from tests.forge import described_double as doubles
from tests.forge.described_double import TOKEN, Double

WORK = ForgeProject(host="github.com", owner="octo", name="work")
DRAFT = PullRequestDraft(
    project=WORK, head="treadle/greet", base="main", title="Add a greeting", body="It greets."
)


@pytest.fixture
def github() -> Iterator[Double]:
    with doubles.running() as double:
        yield double
    assert double.wrong == []


def forge_of(double: Double, token: str | None = TOKEN) -> GitHub:
    return GitHub(double.url, FixedToken(token, "GITHUB_TOKEN"))


async def test_a_pull_request_is_opened_once_and_found_again(github: Double):
    first = await forge_of(github).open_pull_request(DRAFT)
    second = await forge_of(github).open_pull_request(DRAFT)

    assert (first.number, first.is_new) == (1, True)
    assert first.url == "https://github.com/octo/work/pull/1"
    assert (second.number, second.url, second.is_new) == (1, first.url, False)
    assert [p["title"] for p in github.pulls] == ["Add a greeting"]
    assert github.pulls[0]["body"] == "It greets."


async def test_one_that_somebody_else_opens_meanwhile_is_taken(github: Double):
    github.is_racing = True

    found = await forge_of(github).open_pull_request(DRAFT)

    assert (found.number, found.is_new) == (1, False)


async def test_a_wrong_token_is_reported_by_the_name_of_its_variable(github: Double):
    with pytest.raises(ForgeError, match=r"GITHUB_TOKEN is wrong or has expired: Bad cred") as told:
        await forge_of(github, "wrong-token").open_pull_request(DRAFT)

    assert "wrong-token" not in told.value.message
    assert not told.value.is_retryable


@pytest.mark.parametrize(
    ("status", "answer", "words"),
    [
        (403, doubles.error("Resource not accessible by personal access token"), "must be allowed"),
        (404, doubles.error("Not Found"), "octo/work is not there"),
        (422, b'{"message": "Validation Failed", "errors": ["No commits between"]}', "No commits"),
        (301, doubles.error("Moved Permanently"), "has moved"),
        (410, b"<html>", "takes no pull requests: it says no more"),
        (418, b"[]", "answered 418"),
        (200, b"<html>login</html>", "is it a GitHub"),
        (200, b'[{"number": "x"}]', "is it a GitHub"),
        (200, b"[" + b" " * (5 << 20) + b"]", "too large"),
    ],
)
async def test_what_no_repetition_fixes_is_reported_in_words(
    github: Double, status: int, answer: bytes, words: str
):
    github.next_answers = [(status, {}, answer)]

    with pytest.raises(ForgeError, match=words) as told:
        await forge_of(github).open_pull_request(DRAFT)

    assert not told.value.is_retryable


@pytest.mark.parametrize(
    ("status", "headers", "wait"),
    [
        (429, {"Retry-After": "7"}, timedelta(seconds=7)),
        (403, {"Retry-After": "90"}, timedelta(seconds=90)),
        (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}, timedelta(seconds=1)),
        (429, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9" * 12}, timedelta(hours=1)),
        (429, {}, timedelta(minutes=1)),
        (502, {}, None),
        (503, {"Retry-After": "3"}, timedelta(seconds=3)),
    ],
)
async def test_a_forge_that_wants_to_be_left_alone_says_for_how_long(
    github: Double, status: int, headers: dict[str, str], wait: timedelta | None
):
    github.next_answers = [(status, headers, doubles.error("later"))]

    with pytest.raises(ForgeBusyError, match="later") as told:
        await forge_of(github).open_pull_request(DRAFT)

    assert told.value.is_retryable
    assert told.value.wait == wait


async def test_a_forge_that_is_not_there_is_asked_again():
    with pytest.raises(ForgeBusyError, match="does not answer"):
        await GitHub("http://127.0.0.1:9", FixedToken(TOKEN, "T")).open_pull_request(DRAFT)
