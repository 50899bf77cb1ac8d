"""What is sent to GitHub, against what GitHub publishes of its REST API."""

import re
from typing import Any

from domain.forges.projects import ForgeKind
from domain.forges.pull_requests import CheckState, CommitStatus
from tests.forge import description
from tests.forge.adapters import opened
from tests.forge.double import Double, forge_double
from tests.forge.routing import Asked

NAMED = {"/git/ref/heads/{}": "/git/ref/{}", "/git/refs/heads/{}": "/git/refs/{}"}
OTHER = ("/graphql", "/blobs/{}")
"""What REST's description does not have."""


def bare(path: str) -> str:
    """Return a path whose parameters have no names."""
    plain = re.sub(r"\{\w+\}", "{}", path)
    for ours, theirs in NAMED.items():
        plain = plain.replace(ours, theirs)
    return plain


def wrong_in(route: str, asked: Asked) -> list[str]:
    """Return what the description does not know of a request."""
    method, path = route.split(" ")
    if bare(path) in OTHER:
        return []
    known = {bare(each): of for each, of in description.described()["paths"].items()}
    operation: dict[str, Any] = description.plain(known[bare(path)][method.lower()])
    queries = {p["name"] for p in operation.get("parameters", ()) if p["in"] == "query"}
    wrong = [f"{route}: no parameter {name}" for name in asked.query if name not in queries]
    if asked.raw:
        schema = description.json_of(operation["requestBody"])["schema"]
        wrong += [f"{route}: {each}" for each in description.problems(schema, asked.body)]
    return wrong


async def everything(double: Double) -> None:
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
    status = CommitStatus(context="treadle", state=CheckState.PASSED, url="https://host.example")
    await it.forges.set_status(it.of.project, it.pull.commit, status)
    await it.forges.merge(it.merge_request(title="Greet"))
    await it.forges.close(it.of)
    await it.forges.delete_branch(it.of.project, "treadle/greet", it.pull.commit)


async def test_every_request_is_one_that_github_describes():
    with forge_double(ForgeKind.GITHUB) as double:
        await everything(double)

    assert len({route for route, _ in double.understood}) >= 16
    assert [each for route, asked in double.understood for each in wrong_in(route, asked)] == []
