"""What GitHub answers and refuses, as its published description has it."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from pydantic import TypeAdapter

from adapters.forge import github_shapes as shapes
from adapters.forge.github import GitHub
from adapters.forge.tokens import FixedToken
from domain.forges.errors import ForgeBusyError, ForgeError
from domain.forges.projects import ForgeKind
from tests.forge import description
from tests.forge.adapters import draft_of
from tests.forge.double import TOKEN, Double, forge_double
from tests.forge.routing import Answered

_R = "/repos/{owner}/{repo}"
READ: list[tuple[str, str, Any]] = [
    (f"GET {_R}/pulls", "200", list[shapes.Opened]),
    (f"POST {_R}/pulls", "201", shapes.Pull),
    (f"GET {_R}/pulls/{{pull_number}}", "200", shapes.Pull),
    (f"PUT {_R}/pulls/{{pull_number}}/merge", "200", shapes.Merged),
    (f"GET {_R}/pulls/{{pull_number}}/reviews", "200", list[shapes.ReviewShape]),
    (f"POST {_R}/pulls/{{pull_number}}/comments/{{comment_id}}/replies", "201", shapes.Comment),
    (f"GET {_R}/commits/{{ref}}/check-runs", "200", shapes.Runs),
    (f"GET {_R}/commits/{{ref}}/status", "200", shapes.Statuses),
    (f"GET {_R}/git/ref/{{ref}}", "200", shapes.Ref),
    (f"GET {_R}/issues/{{issue_number}}/comments", "200", list[shapes.Comment]),
    (f"POST {_R}/issues/{{issue_number}}/comments", "201", shapes.Comment),
]


@pytest.mark.parametrize(("line", "status", "shape"), READ, ids=[each[0] for each in READ])
def test_the_published_example_of_each_answer_is_read(line: str, status: str, shape: Any):
    method, path = line.split(" ")
    operation = description.described()["paths"][path][method.lower()]
    content = description.plain(description.json_of(operation["responses"][status]))
    examples = [each["value"] for each in content["examples"].values()]

    assert examples
    for example in examples:
        read = TypeAdapter(shape).validate_json(json.dumps(example))
        assert read


@pytest.fixture
def github() -> Iterator[Double]:
    with forge_double(ForgeKind.GITHUB) as double:
        yield double
    assert double.wrong == []


def forge_of(double: Double, token: str | None = TOKEN) -> GitHub:
    return GitHub(double.url, FixedToken(token, "GITHUB_TOKEN"))


def error(message: str) -> str:
    return json.dumps({"message": message, "documentation_url": "https://docs.github.com"})


async def test_one_that_somebody_else_opens_meanwhile_is_taken(github: Double):
    draft = draft_of(github)
    pull = github.open_pull(github.path, draft.head)
    github.next_answers.append(Answered(200, []))
    found = await forge_of(github).open_pull_request(draft)

    assert (found.number, found.is_new) == (pull.number, False)
    assert [each.split(" ")[0] for each in github.requests] == ["GET", "POST", "GET"]


async def test_a_wrong_token_is_reported_by_the_name_of_its_variable(github: Double):
    with pytest.raises(ForgeError, match=r"GITHUB_TOKEN is wrong or has expired: Bad cred") as told:
        await forge_of(github, "wrong-token").open_pull_request(draft_of(github))

    assert "wrong-token" not in told.value.message
    assert not told.value.is_retryable


@pytest.mark.parametrize(
    ("status", "answer", "words"),
    [
        (403, error("Resource not accessible by personal access token"), "must be allowed"),
        (404, error("Not Found"), "octo/work is not there"),
        (422, '{"message": "Validation Failed", "errors": ["No commits between"]}', "No commits"),
        (301, error("Moved Permanently"), "has moved"),
        (410, "<html>", "takes no pull requests: it says no more"),
        (418, "[]", "answered 418"),
        (200, "<html>login</html>", "is it a GitHu"),
        (200, '[{"number": "x"}]', "is it a GitHu"),
        (200, "[" + " " * (5 << 20) + "]", "too large"),
    ],
)
async def test_what_no_repetition_fixes_is_reported_in_words(
    github: Double, status: int, answer: str, words: str
):
    github.next_answers = [Answered(status, answer)]

    with pytest.raises(ForgeError, match=words) as told:
        await forge_of(github).open_pull_request(draft_of(github))

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
    github.next_answers = [Answered(status, error("later"), headers)]

    with pytest.raises(ForgeBusyError, match="later") as told:
        await forge_of(github).open_pull_request(draft_of(github))

    assert told.value.is_retryable
    assert told.value.wait == wait


async def test_a_forge_that_is_not_there_is_asked_again(github: Double):
    draft = draft_of(github)
    with pytest.raises(ForgeBusyError, match="does not answer"):
        await GitHub("http://127.0.0.1:9", FixedToken(TOKEN, "T")).open_pull_request(draft)
