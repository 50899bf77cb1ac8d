"""Who looks at a thread now: told to whoever else does, and forgotten soon after."""

from api.core.viewers import LOOKING_SECONDS, Viewers
from tests.api.conftest import client_of
from tests.api.test_permissions import NAMES, guarded, token_for

__all__ = ["guarded"]

PATH = f"/v1/viewers/{NAMES['thread']}"


def test_a_page_that_says_nothing_more_is_forgotten():
    clock = [0.0]
    viewers = Viewers(lambda: clock[0])
    assert viewers.look("thread-a", "ann") == ()
    assert viewers.look("thread-b", "cem") == ()
    clock[0] = LOOKING_SECONDS / 2
    assert viewers.look("thread-a", "ben") == ("ann",)
    assert viewers.look("thread-a", "ben") == ("ann",)
    clock[0] = LOOKING_SECONDS
    assert viewers.look("thread-a", "dora") == ("ben",)


async def test_people_see_who_else_looks_at_a_thread_and_it_is_not_audited(guarded, settings):
    app, _ = guarded
    people = {name: await token_for(app, name) for name in ("viewer", "author", "admin")}
    async with client_of(app, settings) as client:
        first = await client.post(PATH, json={}, headers=people["viewer"])
        second = await client.post(PATH, json={}, headers=people["author"])
        audit = await client.get("/v1/audit", headers=people["admin"])
    assert first.json() == {"viewers": []}
    assert [each["person"] for each in second.json()["viewers"]] == ["viewer"]
    assert audit.status_code == 200
    assert "viewers" not in audit.text


async def test_who_may_not_see_a_thread_is_neither_told_nor_shown(guarded, settings, tmp_path):
    app, _ = guarded
    stranger = await token_for(app, "none")
    viewer = await token_for(app, "viewer")
    async with client_of(app, settings) as client:
        refused = await client.post(PATH, json={}, headers=stranger)
        seen = await client.post(PATH, json={}, headers=viewer)
    assert refused.status_code in {403, 404}
    assert seen.json() == {"viewers": []}
