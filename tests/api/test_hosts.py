"""Hosts by REST: how they stand, and what people decide about them."""

from api.core.silent_hosts import SilentHosts
from domain.core.command import Answer
from domain.core.event import Headline
from domain.hosts.host import HostFacts
from domain.hosts.placement import HostWish
from tests.api.conftest import client_of
from tests.api.test_permissions import NAMES, guarded, token_for

__all__ = ["guarded"]


async def test_hosts_are_listed_with_what_each_has(down_client, down_app):
    hosts = down_app.state.journal.hosts
    assert (await down_client.get("/v1/hosts")).json() == {"hosts": []}
    await hosts.register(HostFacts(host="ab12", name="alpha", labels=("gpu",), slots=3))
    await down_app.state.journal.presence.beat("ab12")
    await hosts.place("thread-a", HostWish())

    (found,) = (await down_client.get("/v1/hosts")).json()["hosts"]

    assert (found["name"], found["labels"], found["slots"]) == ("alpha", ["gpu"], 3)
    assert (found["state"], found["silent"], found["threads"]) == ("up", False, ["thread-a"])
    await down_app.state.journal.presence.end("ab12")
    (found,) = (await down_client.get("/v1/hosts")).json()["hosts"]
    assert found["silent"]


async def test_what_is_decided_about_a_host_is_kept(down_client, down_app):
    await down_app.state.journal.hosts.register(HostFacts(host="ab12", name="alpha"))
    for decision, state in {"cordon": "cordoned", "uncordon": "up", "drain": "draining"}.items():
        answer = await down_client.post(f"/v1/hosts/alpha/{decision}", json={})
        assert answer.json()["state"] == state
    lost = (await down_client.post("/v1/hosts/ab12/lost", json={})).json()
    assert (lost["state"], lost["generation"]) == ("lost", 2)

    refused = await down_client.post("/v1/hosts/alpha/cordon", json={})
    assert refused.status_code == 409
    unknown = await down_client.post("/v1/hosts/beta/cordon", json={})
    assert (unknown.status_code, unknown.json()["type"]) == (404, "treadle:unknown_host")


async def test_an_answer_says_that_the_host_of_a_thread_is_gone(down_app, settings):
    hosts = down_app.state.journal.hosts
    await hosts.register(HostFacts(host="ab12", name="alpha"))
    await hosts.note("thread-a", "ab12")
    silent = SilentHosts(down_app.state.journal, settings)
    said = await silent.added_to(Answer(message="aborting left"), "thread-a/left")
    assert said.message.startswith("aborting left; host alpha has no worker: what needs it waits")
    await down_app.state.journal.presence.beat("ab12")
    assert (await silent.added_to(Answer(message="aborting"), "thread-a")).message == "aborting"
    assert (await silent.added_to(Answer(message="aborting"), "thread-b")).message == "aborting"


async def test_people_see_of_hosts_only_what_is_of_their_projects(guarded, settings):
    app, repo = guarded
    journal = app.state.journal
    await journal.hosts.register(HostFacts(host="ab12", name="alpha"))
    other = Headline(stream="thread-other", kind="thread", title="t", project="/x", status="open")
    await journal.append([], [other])
    for stream in (NAMES["thread"], "thread-other", "thread-unopened"):
        await journal.hosts.note(stream, "ab12")
    theirs, stranger = await token_for(app, "viewer"), await token_for(app, "none")
    async with client_of(app, settings) as client:
        (seen,) = (await client.get("/v1/hosts", headers=theirs)).json()["hosts"]
        (whole,) = (await client.get("/v1/hosts")).json()["hosts"]
        refused = await client.get("/v1/hosts", headers=stranger)
    assert seen["threads"] == [NAMES["thread"]]
    assert seen["repositories"] == [str(repo.resolve())]
    assert len(whole["threads"]) == 3
    assert refused.status_code == 403


async def test_what_each_host_does_now_is_listed_by_project(guarded, settings):
    app, _ = guarded
    journal = app.state.journal
    await journal.hosts.register(HostFacts(host="ab12", name="alpha"))
    other = Headline(
        stream="thread-other", kind="thread", title="t", project="/x", status="running"
    )
    task = Headline(stream="thread-other/t1", kind="task", status="working")
    for line in (other, task):
        await journal.append([], [line])
    for stream in (NAMES["thread"], "thread-other"):
        await journal.hosts.note(stream, "ab12")
    theirs = await token_for(app, "viewer")
    async with client_of(app, settings) as client:
        whole = (await client.get("/v1/hosts/alpha/work")).json()
        seen = (await client.get("/v1/hosts/ab12/work", headers=theirs)).json()
        turns = [
            (await client.get("/v1/hosts", **of)).json()["hosts"][0]["turns"]
            for of in ({}, {"headers": theirs})
        ]
        unknown = await client.get("/v1/hosts/beta/work")
    assert [line["stream"] for line in whole["lines"]] == ["thread-other", NAMES["thread"]]
    assert [line["stream"] for line in seen["lines"]] == [NAMES["thread"]]
    assert (whole["total"], seen["total"], turns) == (2, 1, [1, 0])
    assert (unknown.status_code, unknown.json()["type"]) == (404, "treadle:unknown_host")
