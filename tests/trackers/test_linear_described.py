"""What is asked of Linear, and what its double answers, against what Linear publishes."""

import pytest
from graphql import parse, validate

from adapters.forge.tokens import FixedToken
from adapters.trackers import linear_queries
from adapters.trackers.linear import LinearIssues
from domain.forges.issues import IssueQuery
from tests.graphql_answers import problems
from tests.trackers.doubles import TOKEN, tracker_double
from tests.trackers.linear_description import schema
from tests.trackers.linear_double import LinearDouble

QUERIES = {name: text for name, text in vars(linear_queries).items() if name.isupper()}
ASKED = {name: text for name, text in QUERIES.items() if not name.startswith("_")}


@pytest.mark.parametrize("name", ASKED)
def test_every_query_is_one_that_linear_knows(name: str):
    assert [error.message for error in validate(schema(), parse(ASKED[name]))] == []


def test_a_field_that_linear_does_not_have_is_found():
    wrong = linear_queries.COMMENTS.replace("editedAt", "editedWhen")

    assert len(validate(schema(), parse(wrong))) == 1


async def everything(double: LinearDouble) -> None:
    """Do all that the adapter can do."""
    linear = LinearIssues(double.path, double.url, FixedToken(TOKEN, "LINEAR_TOKEN"))
    made = double.open_issue(double.path, "links", "fix them", labels="treadle")
    query = IssueQuery(project=double.path, labels=frozenset({"treadle"}))
    first = await linear.changed_issues(query, "", {})
    [found] = first.issues or ()
    double.comment_as("ann", made, "Which?")
    await linear.changed_issues(query, first.cursor, first.tags)
    await linear.issue(found.ref)
    await linear.labelled_by(found.ref, "treadle")
    await linear.comments(found.ref, "")
    await linear.comment(found.ref, "In the queue", "key")
    await linear.comment(found.ref, "Done", "key")
    await linear.close(found.ref)


async def test_every_variable_and_every_answer_of_the_double_is_one_that_linear_knows():
    with tracker_double(LinearDouble) as double:
        assert isinstance(double, LinearDouble)
        await everything(double)

    assert {asked["query"] for asked, _ in double.said} >= set(ASKED.values())
    assert [each for asked, got in double.said for each in problems(schema(), asked, got)] == []
