"""What was terminated in Temporal is renamed, archived and deleted like what ended by itself, over REST."""

from typing import Any

import httpx
import pytest

from domain.core.ids import SessionId
from domain.core.workspaces import Claim
from domain.threads import patches
from tests.domain.flow_world import FlowText
from tests.workflows.test_flows import Talk, begin
from tests.workflows.test_main_job import ONE
from tests.workflows.test_refusals_over_rest import Person, person
from tests.workflows.test_terminated import swept, terminate

assert person  # the fixture


async def ended(person: Person, stream: str) -> None:
    """Terminate a workflow, and let a worker clean up after it."""
    house = person.house
    await terminate(house, stream)
    await swept(house.sweep, stream)


@pytest.fixture
async def thread(person: Person) -> str:
    """A thread that was terminated at its task's gate."""
    house = person.house
    opened = await house.open(patches=patches.ALL)
    person.thread = opened.id
    await house.approve(opened.id, await house.proposed(opened.id, ONE))
    await house.seen(f"{opened.id}/task-1", "gate_opened")
    await ended(person, opened.id)
    return opened.id


async def delete(person: Person, path: str) -> dict[str, Any]:
    answer = await person.http.request("DELETE", path, json={})
    assert answer.status_code == httpx.codes.OK, answer.json()
    return answer.json()


async def listed(person: Person, kind: str, *, is_archived: bool) -> list[tuple[str, str]]:
    """Return the ids and titles of what lists have."""
    query = {"archived": str(is_archived).lower()}
    page = (await person.http.get(f"/v1/{kind}", params=query)).json()
    rows = page["threads" if kind == "threads" else "runs"]
    return [(row["stream"], row["title"]) for row in rows]


async def test_it_is_renamed_and_archived_and_back(person: Person, thread: str):
    for path, body, message in (
        ("rename", {"topic": "Old  things"}, "renamed to 'Old things'"),
        ("archive", {}, "archived"),
        ("archive", {}, "archived"),
    ):
        assert (await person.says(path, **body)).json()["message"] == message
    assert await listed(person, "threads", is_archived=True) == [(thread, "Old things")]
    view = (await person.http.get(f"/v1/threads/{thread}")).json()
    assert (view["status"], view["topic"]) == ("terminated", "Old things")

    await person.says("unarchive")
    assert await listed(person, "threads", is_archived=False) == [(thread, "Old things")]


async def test_the_same_command_again_is_journaled_once(person: Person, thread: str):
    for _ in range(2):
        await person.says("rename", topic="Old", command_id="c-1")
    assert (await person.says("rename", topic=" ")).status_code == 422
    kinds = [event.body.kind for event in person.house.journal.events if event.stream == thread]
    assert kinds.count("thread_renamed") == 1


async def test_it_is_deleted_with_all_that_it_holds(person: Person, thread: str):
    house = person.house
    house.lifecycle.stays = ("treadle/x",)
    answer = await delete(person, f"/v1/threads/{thread}")
    assert answer == {
        "message": "deleted; kept branches with unmerged work: treadle/x",
        "is_over": True,
    }
    (removal,) = house.lifecycle.removals
    assert (removal.thread_id, removal.is_forced) == (thread, False)
    planner, coordinator = f"{thread}/session-1", f"{thread}/session-2"
    assert removal.sessions == (planner, coordinator)
    released = {workspace.workspace_id for workspace in removal.workspaces}
    assert released == {planner, coordinator, f"{thread}/task-1/run-1"}
    assert house.lifecycle.forgotten == [thread]
    # a session that was closed has released its worktree, by a number of its own
    closed = Claim(order=1_000, attempt=9, is_release=True)
    assert Claim(order=1, grant=removal.grant, is_release=True).rank > closed.rank


async def test_nothing_else_is_done_with_it(person: Person, thread: str):
    answer = await person.says("messages", text="Hello?")
    assert (answer.status_code, answer.json()["type"]) == (409, "treadle:wrong_state")
    assert "has ended (terminated)" in answer.json()["detail"]


async def test_a_run_of_a_flow_is_archived_and_deleted_too(person: Person):
    house = person.house
    talk = Talk()
    talk.hangs.add("work")
    house.runner.play = talk.play
    run = await begin(house, FlowText().llm("work"))
    await house.seen(f"{run.id}/session-1", "prompt_sent")
    await ended(person, run.id)

    path = f"/v1/flow-runs/{run.id}"
    assert (await person.http.post(f"{path}/archive", json={})).json()["message"] == "archived"
    assert [name for name, _ in await listed(person, "flow-runs", is_archived=True)] == [run.id]
    assert (await delete(person, path))["is_over"]
    (removal,) = house.lifecycle.removals
    assert removal.sessions == (SessionId(f"{run.id}/session-1"),)
