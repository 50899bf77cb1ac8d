"""What is asked of GitHub's GraphQL, and what the double answers, against the schema that GitHub publishes (npm: @octokit/graphql-schema)."""

from functools import cache

import pytest
from graphql import GraphQLSchema, build_schema, parse, validate

from adapters.forge import github_queries
from domain.forges.projects import ForgeKind
from domain.forges.pull_requests import MergeTiming
from tests.agents.installation import packages
from tests.forge.adapters import opened
from tests.forge.description import FOLDER
from tests.forge.double import Double, forge_double
from tests.graphql_answers import problems

QUERIES = {name: text for name, text in vars(github_queries).items() if name.isupper()}
ASKED = {name: text for name, text in QUERIES.items() if not name.startswith("_")}


@cache
def schema() -> GraphQLSchema:
    folder = packages(FOLDER) / "@octokit" / "graphql-schema"
    return build_schema((folder / "schema.graphql").read_text(), assume_valid=True)


@pytest.mark.parametrize("name", ASKED)
def test_every_query_is_one_that_github_knows(name: str):
    assert [error.message for error in validate(schema(), parse(ASKED[name]))] == []


def test_a_field_that_github_does_not_have_is_found():
    wrong = github_queries.VIEWER.replace("login", "name_of_login")

    assert len(validate(schema(), parse(wrong))) == 1


async def everything(double: Double) -> None:
    """Do all that asks GraphQL, with and without a merge queue."""
    it = await opened(double)
    thread = double.review_as("ann", it.pull, "commented", "Why?", path="greet.py", line=3)
    assert thread is not None
    double.edit_as(thread.comments[0], "Why so?")
    for number in range(150):
        double.reply_as("bob", thread, f"Reason {number}")
    [seen] = (await it.view()).threads
    await it.forges.reply(it.of, seen.id, "Fixed", "key")
    await it.forges.resolve(it.of, seen.id)
    for has_queue in (False, True):
        # the queue is asked only where GitHub finds nothing to wait for
        it.pull.project.has_queue = has_queue
        double.set_check(it.pull.commit, "test", "passed" if has_queue else "pending")
        await it.forges.merge(it.merge_request(timing=MergeTiming.WHEN_READY))
        await it.forges.cancel_merge(it.of)


async def test_every_variable_and_every_answer_of_the_double_is_one_that_github_knows():
    with forge_double(ForgeKind.GITHUB) as double:
        await everything(double)

    said = [(a.body, got.content) for route, a, got in double.understood if "/graphql" in route]
    assert {asked["query"] for asked, _ in said} >= set(ASKED.values()) - {github_queries.VIEWER}
    wrong = (problems(schema(), asked, got, "PullRequestReviewThread") for asked, got in said)
    assert [each for found in wrong for each in found] == []
