"""Commands that no worker answers in time lie at Temporal, are carried out once, and can be asked for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from temporalio.testing import WorkflowEnvironment

from api.core import workflow_client
from domain.core.approval_commands import Approve, Reject
from domain.core.errors import KeyReusedError, WrongStateError
from queues import workers
from tests.workflows.conftest import House
from tests.workflows.test_conflicting_decisions import started
from tests.workflows.test_main_job import THREE
from tests.workflows.test_refusals_over_rest import api_before


@asynccontextmanager
async def working(house: House) -> AsyncIterator[None]:
    """Have workers for a while."""
    shared, local = workers(house.client, house.ports(), "test", max_turns=8)
    async with shared, local:
        yield


@pytest.fixture
async def http(
    server: WorkflowEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    """The API before workflows that have no worker but where a test has some."""
    monkeypatch.setattr(workflow_client, "PATIENCE_SECONDS", 0.5)
    async with api_before(House(server.client, tmp_path), tmp_path) as person:
        yield person.house, person.http


async def test_what_no_worker_takes_is_carried_out_once_one_is_back(
    http: tuple[House, httpx.AsyncClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    house, client = http
    async with working(house):
        thread = (await house.open()).id
        shown = await house.proposed(thread, THREE)
    request = shown.body.model_dump()["request"]
    told = {"request_id": request["request_id"], "content_hash": request["content_hash"]}
    approval = {"command_id": "yes", "choice": "approve", "is_acknowledged": True, **told}
    place = f"/v1/threads/{thread}/approvals"
    waiting = [await client.post(place, json=approval) for _ in range(2)]
    assert [answer.status_code for answer in waiting] == [202, 202]
    ask = waiting[0].headers["Location"]
    assert (await client.get(ask)).status_code == 202
    late = await client.post(place, json={**approval, "command_id": "no", "choice": "reject"})
    assert late.status_code == 202

    monkeypatch.setattr(workflow_client, "PATIENCE_SECONDS", 60)
    async with working(house):
        await house.seen(thread, "plan_decided")
        await house.seen(thread, "command_rejected")
        answer, refusal = await client.get(ask), await client.get(late.headers["Location"])
        again = await client.post(place, json=approval)
    assert (answer.status_code, answer.json()["message"]) == (200, again.json()["message"])
    assert (refusal.status_code, refusal.json()["type"]) == (409, "treadle:already_decided")
    decided = [event for event in house.journal.events if event.body.kind == "plan_decided"]
    assert len(decided) == 1


async def test_what_would_stop_another_turn_later_is_not_kept(
    http: tuple[House, httpx.AsyncClient],
) -> None:
    house, client = http
    async with working(house):
        thread = (await house.open()).id
    answer = await client.post(f"/v1/threads/{thread}/sessions/1/stop", json={"command_id": "s"})
    assert (answer.status_code, answer.json()["type"]) == (503, "treadle:not_confirmed")


async def test_a_command_that_nobody_knows_waits_and_one_for_nothing_is_not_found(
    http: tuple[House, httpx.AsyncClient],
) -> None:
    house, client = http
    async with working(house):
        thread = (await house.open()).id
        unknown = await client.get(f"/v1/commands/x?workflow_id={thread}")
        nowhere = await client.get("/v1/commands/x?workflow_id=thread-nothing")
    assert (unknown.status_code, nowhere.status_code) == (202, 404)


@pytest.mark.parametrize("is_left", [False, True], ids=["answered", "left"])
async def test_what_is_sent_again_to_a_task_that_ended_by_it_gets_the_same_answer(
    hasty: House, *, is_left: bool
) -> None:
    thread = await started(hasty)
    task = f"{thread}/one"
    request = (await hasty.seen(task, "gate_opened")).body.model_dump()["request"]
    said = {"command_id": "yes", "is_acknowledged": True}
    approval = hasty.verdict(task, Approve, request, **said)
    ended = hasty.client.get_workflow_handle(task).result()
    first = None
    if is_left:
        await hasty.door.leave(task, approval)
    else:
        first = await hasty.door.send(task, approval)
    await ended

    changed = hasty.verdict(task, Reject, request, feedback="no", command_id="yes")
    for send in (hasty.door.send, hasty.door.leave):
        again = await send(task, approval)
        assert again == first or is_left
        assert "approve" in again.message
        with pytest.raises(WrongStateError, match="has ended"):
            await send(task, approval.model_copy(update={"command_id": "other"}))
        with pytest.raises(KeyReusedError):
            await send(task, changed)
