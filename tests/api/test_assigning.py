"""One person's inbox: threads that are assigned, and `mine`."""

from domain.core.event import Headline
from domain.core.lifecycle.events import ThreadAssigned
from tests.api.conftest import client_of, event
from tests.api.test_permissions import NAMES, guarded, token_for
from tests.api.test_reading import planned

__all__ = ["guarded"]


async def waiting(journal, stream, repo, *more):
    opened, proposed = (each.body for each in planned())
    facts = opened.facts.model_copy(update={"root": str(repo.resolve())})
    bodies = (opened.model_copy(update={"facts": facts}), proposed)
    line = Headline(
        stream=stream, kind="thread", title="t", project=str(repo.resolve()), status="waiting"
    )
    events = [event(n, stream, body) for n, body in enumerate((*bodies, *more))]
    await journal.append(events, [line])


async def test_an_inbox_is_filtered_to_what_is_ones_own(guarded, settings):
    app, repo = guarded
    journal = app.state.journal
    await waiting(journal, "thread-a", repo, ThreadAssigned(person="approver", by="admin"))
    await waiting(journal, "thread-b", repo, ThreadAssigned(person="admin", by="admin"))
    admin = await token_for(app, "admin")
    async with client_of(app, settings) as client:
        every = (await client.get("/v1/inbox", headers=admin)).json()["items"]
        mine = (await client.get("/v1/inbox?mine=true", headers=admin)).json()["items"]
    assert {item["thread_id"] for item in every} == {"thread-a", "thread-b"}
    assert [(item["thread_id"], item["assignee"]) for item in mine] == [("thread-b", "admin")]
    assert {item["thread_id"]: item["is_mine"] for item in every} == {
        "thread-a": False,
        "thread-b": True,
    }


async def test_what_ones_role_does_not_decide_is_not_ones_own(guarded, settings):
    app, repo = guarded
    await waiting(app.state.journal, "thread-a", repo)
    found = {}
    async with client_of(app, settings) as client:
        for person in ("viewer", "author", "approver"):
            items = (await client.get("/v1/inbox", headers=await token_for(app, person))).json()
            found[person] = [item["is_mine"] for item in items["items"]]
    assert found == {"viewer": [False], "author": [False], "approver": [True]}


async def test_where_there_is_one_person_everything_is_theirs(down_app, settings, tmp_path):
    await waiting(
        down_app.state.journal, "thread-a", tmp_path, ThreadAssigned(person="ben", by="ben")
    )
    async with client_of(down_app, settings) as client:
        mine = (await client.get("/v1/inbox?mine=true")).json()["items"]
    assert [(item["thread_id"], item["is_mine"]) for item in mine] == [("thread-a", True)]


async def test_a_thread_is_assigned_to_somebody_whom_the_directory_names(guarded, settings):
    app, _ = guarded
    viewer, author = await token_for(app, "viewer"), await token_for(app, "author")
    path = f"/v1/threads/{NAMES['thread']}/assign"
    async with client_of(app, settings) as client:
        refused = await client.post(path, json={"person": "author"}, headers=viewer)
        unknown = await client.post(path, json={"person": "stranger"}, headers=author)
    assert refused.status_code == 403
    assert unknown.status_code == 422
    assert "people.toml names no 'stranger'" in unknown.json()["detail"]
