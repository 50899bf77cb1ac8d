"""A gate whose list of files is not what was written is not shown, and its approval is refused."""

import pytest

from domain.agents.agents import TurnResult
from domain.conversations.events import TurnEnded, TurnStarted
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.ids import SHARED_QUEUE
from domain.core.workspaces import Snapshot
from domain.tasks.events import GateDecided, GateOpened, TaskOpened
from tests.api.conftest import event
from tests.api.test_damaged_events import damage
from tests.api.test_reading import PLAN, planned, started
from treadle.damage import damage_findings

__all__ = ["damage"]

TASK = "thread-a/t1"
REQUEST = ApprovalRequest(
    request_id="t1/gate-1-1", subject=Subject.GATE, title="one", content_hash="h"
)
SHOWN = Snapshot(commit="c", tree="t", base="b", files=("shown.py",), file_count=1)
APPROVAL = {"request_id": "t1/gate-1-1", "content_hash": "h", "choice": "approve"}
TAMPERED = "replace(body, 'shown.py', 'other.py')"


def at_the_gate():
    opened = TaskOpened(
        task=PLAN.tasks[0], run=1, session_id="s", agent="a", branch="b", max_retries=3
    )
    bodies = (
        opened,
        TurnStarted(session_id="s", turn_id="t", number=1, attempt=1, prompt_name="task"),
        TurnEnded(session_id="s", result=TurnResult(turn_id="t", snapshot=SHOWN)),
        GateOpened(request=REQUEST, snapshot=SHOWN),
    )
    return [event(n, TASK, body) for n, body in enumerate(bodies)]


@pytest.fixture
async def journal(app):
    await app.state.journal.append([*planned(), *started(), *at_the_gate()])
    return app.state.journal


@pytest.fixture
async def approving(client, temporal, journal):
    """Posts to a task that a stand-in takes decisions for."""
    handle = await temporal.start_workflow("Thread", {}, id=TASK, task_queue=SHARED_QUEUE)

    async def post(**more):
        return await client.post("/v1/threads/thread-a/approvals", json=APPROVAL | more)

    yield post
    await handle.terminate()


async def gates(client):
    view = (await client.get("/v1/threads/thread-a")).json()
    return [waits["request"]["request_id"] for waits in view["requests"]], view["warnings"]


async def test_a_whole_gate_is_shown_and_approved(client, approving):
    assert await gates(client) == (["t1/gate-1-1"], [])
    assert (await approving()).status_code == 200


@pytest.mark.parametrize("change", [TAMPERED, "substr(body, 1, 20)"])
async def test_a_changed_list_of_files_is_said_and_not_approved(
    client, approving, journal, settings, damage, change
):
    damage("gate_opened", change)

    found, (warning,) = await gates(client)
    assert found == []
    assert "damaged" in warning
    assert "(gate opened)" in warning
    (finding,) = damage_findings(settings)
    assert "of thread-a/t1 (gate opened)" in finding.fix

    refused = await approving()
    assert (refused.status_code, refused.json()["type"]) == (409, "treadle:journal_damaged")
    assert "treadle journal repair" in refused.json()["detail"]
    assert (await approving(choice="reject", feedback="again")).status_code == 200


async def test_after_a_repair_it_is_approved(client, approving, journal, damage):
    damage("gate_opened", TAMPERED)
    assert (await approving()).status_code == 409

    (damaged,) = (await journal.repairs.look()).damaged
    await journal.repairs.rebuild(damaged.position, at_the_gate()[-1])

    assert await gates(client) == (["t1/gate-1-1"], [])
    assert (await approving()).status_code == 200


async def test_what_was_approved_before_the_damage_is_answered_again(
    client, approving, journal, damage
):
    outcome = Outcome(
        request_id=REQUEST.request_id, choice=Choice.APPROVE, content_hash="h", by="ann"
    )
    await journal.append([event(9, TASK, GateDecided(outcome=outcome))])
    damage("gate_opened", TAMPERED)
    assert (await approving()).status_code == 200


async def test_a_gate_shows_its_own_files_where_the_turn_before_is_damaged(client, journal, damage):
    damage("turn_ended", TAMPERED)

    found, (warning,) = await gates(client)
    assert found == ["t1/gate-1-1"]
    assert "(turn ended)" in warning
    task = (await client.get("/v1/threads/thread-a/tasks/t1")).json()
    assert task["snapshot"]["files"] == ["shown.py"]
