"""What is sent to GitHub and Gitea, and what their doubles answer, against what both publish."""

import re
from typing import Any

import pytest

from domain.forges.projects import ForgeKind
from domain.forges.pull_requests import CheckState, CommitStatus, MergeTiming
from tests.forge import description, gitea_description
from tests.forge.adapters import Opened, draft_of, opened
from tests.forge.double import Double, forge_double
from tests.forge.routing import Answered, Asked
from tests.forge.skins.gitea import Gitea

NAMED = {"/git/ref/heads/{}": "/git/ref/{}", "/git/refs/heads/{}": "/git/refs/{}"}
OTHER = ("/graphql", "/blobs/{}")
"""What REST's description does not have."""
UNDESCRIBED = {("POST /repos/{owner}/{repo}/pulls/{number}/merge", 201)}
"""What Gitea answers all the same: a merge that is scheduled."""
FORMER = {"Do", "MergeTitleField"}
"""What Gitea before 1.27, and Forgejo, call what is sent under its new name too."""


def bare(path: str) -> str:
    """Return a path whose parameters have no names."""
    plain = re.sub(r"\{\w+\}", "{}", path)
    for ours, theirs in NAMED.items():
        plain = plain.replace(ours, theirs)
    return plain


def operation_of(route: str) -> dict[str, Any]:
    """Return what GitHub describes of a route."""
    method, path = route.split(" ")
    known = {bare(each): of for each, of in description.described()["paths"].items()}
    return description.plain(known[bare(path)][method.lower()])


def wrong_in(route: str, asked: Asked) -> list[str]:
    """Return what the description does not know of a request."""
    if bare(route.split(" ")[1]) in OTHER:
        return []
    operation = operation_of(route)
    queries = {p["name"] for p in operation.get("parameters", ()) if p["in"] == "query"}
    wrong = [f"{route}: no parameter {name}" for name in asked.query if name not in queries]
    if asked.raw:
        schema = description.json_of(operation["requestBody"])["schema"]
        wrong += [f"{route}: {each}" for each in description.problems(schema, asked.body)]
    return wrong


async def everything(double: Double) -> Opened:
    """Do all that the adapter can do."""
    it = await opened(double)
    double.review_as("ann", it.pull, "commented", "Why?", path="greet.py", line=3)
    double.set_check(it.pull.commit, "test", "failed", log="assert 1 == 2")
    view = await it.view()
    await it.forges.check_log(it.of, view.checks[0].id, 100)
    await it.forges.reply(it.of, view.threads[0].id, "Fixed", "key")
    await it.forges.comment(it.of, "One", "key")
    await it.forges.comment(it.of, "Two", "key")
    await it.forges.edit(it.of, body="New", base="main")
    await it.forges.body(it.of)
    status = CommitStatus(context="treadle", state=CheckState.PASSED, url="https://host.example")
    await it.forges.set_status(it.of.project, it.pull.commit, status)
    await it.forges.merge(it.merge_request(title="Greet"))
    await it.forges.close(it.of)
    await it.forges.delete_branch(it.of.project, "treadle/greet", it.pull.commit)
    return it


async def test_every_request_is_one_that_github_describes():
    with forge_double(ForgeKind.GITHUB) as double:
        await everything(double)

    assert len({route for route, _, _ in double.understood}) >= 16
    assert [each for route, asked, _ in double.understood for each in wrong_in(route, asked)] == []


def wrong_answer_of_github(route: str, answered: Answered) -> list[str]:
    """Return what GitHub does not describe of an answer; that it has less is what a double is."""
    if bare(route.split(" ")[1]) in OTHER or not isinstance(answered.content, dict | list):
        return []
    answers = operation_of(route)["responses"]
    if str(answered.status) not in answers:
        return [f"{route}: no answer {answered.status}"]
    schema = lenient(description.json_of(answers[str(answered.status)])["schema"])
    return [f"{route}: {each}" for each in description.problems(schema, answered.content)]


def lenient(schema: Any) -> Any:
    """Return a schema that requires nothing, and knows all names where it has some."""
    if isinstance(schema, list):
        return [lenient(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: lenient(each) for name, each in schema.items() if name != "required"}
    if isinstance(made.get("properties"), dict) and "additionalProperties" not in made:
        made["additionalProperties"] = False
    return made


async def test_every_answer_of_the_double_is_one_that_github_describes():
    with forge_double(ForgeKind.GITHUB) as double:
        await everything(double)

    wrong = [
        each for route, _, got in double.understood for each in wrong_answer_of_github(route, got)
    ]
    assert wrong == []


def wrong_of_gitea(route: str, asked: Asked, answered: Answered) -> list[str]:
    """Return what Gitea does not describe of a request and its answer."""
    method, path = route.split(" ")
    known = gitea_description.operations()[f"{method} {gitea_description.bare(path)}"]
    wrong = [f"no query {name}" for name in asked.query if name not in known.queries]
    if asked.raw:
        body = {name: said for name, said in asked.body.items() if name not in FORMER}
        wrong += gitea_description.problems(known.content, body)
    shape = known.answers.get(str(answered.status))
    if shape is None and (route, answered.status) not in UNDESCRIBED:
        wrong.append(f"no answer {answered.status}")
    if answered.content is not None:
        wrong += gitea_description.problems(shape or "", answered.content)
    return [f"{route}: {each}" for each in wrong]


@pytest.mark.parametrize("has_replies", [True, False])
async def test_everything_said_with_gitea_is_described(has_replies: bool):
    with forge_double(ForgeKind.GITEA) as double:
        assert isinstance(double.skin, Gitea)
        double.skin.has_replies = has_replies
        it = await everything(double)
        await it.forges.resolve(it.of, f"line:{it.pull.threads[0].comments[0].id}")
        other = Opened(double, it.forges, await another(it))
        double.set_check(other.pull.commit, "test", "pending")
        await it.forges.merge(other.merge_request(timing=MergeTiming.WHEN_READY))
        await it.forges.cancel_merge(other.of)
        await it.forges.close(other.of)

    assert len({route for route, _, _ in double.understood}) >= 20
    assert [each for said in double.understood for each in wrong_of_gitea(*said)] == []


async def another(it: Opened) -> int:
    return (await it.forges.open_pull_request(draft_of(it.double, "treadle/other"))).number
