"""Work of several candidates of which the journal does not show what was written is not taken."""

import pytest

from domain.agents.agents import TurnResult
from domain.conversations.events import TurnEnded, TurnStarted
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.ids import SHARED_QUEUE, TaskId
from domain.core.workspaces import Snapshot
from domain.tasks.events import GateOpened, TaskOpened
from domain.threads.contests.events import CandidatesShown
from tests.api.conftest import event
from tests.api.test_damaged_events import damage
from tests.api.test_reading import PLAN, planned, started

__all__ = ["damage"]

THREAD = "thread-a"
TASK = f"{THREAD}/t1.a"
SHOWN = Snapshot(commit="c", tree="t", base="b", files=("shown.py",), file_count=1)
GATE = ApprovalRequest(
    request_id="t1.a/gate-1-1", subject=Subject.GATE, title="one", content_hash="g"
)
CHOICE = ApprovalRequest(
    request_id="t1/best-of-1-1", subject=Subject.BEST_OF, title="one", content_hash="h"
)
TAKE = {"request_id": "t1/best-of-1-1", "content_hash": "h"}


@pytest.fixture
async def taking(client, app, temporal):
    """Posts the choice of a candidate to a thread that a stand-in takes decisions for."""
    task = PLAN.tasks[0].candidate(0, "claude", None, 2)
    opened = TaskOpened(task=task, run=1, session_id="s", agent="a", branch="b", max_retries=3)
    bodies = (
        opened,
        TurnStarted(session_id="s", turn_id="t", number=1, attempt=1, prompt_name="task"),
        TurnEnded(session_id="s", result=TurnResult(turn_id="t", snapshot=SHOWN)),
        GateOpened(request=GATE, snapshot=SHOWN),
    )
    known = [*planned(), *started()]
    shown = CandidatesShown(task_id=TaskId("t1"), request=CHOICE, rows=())
    await app.state.journal.append(
        [*known, event(len(known), THREAD, shown)]
        + [event(n, TASK, body) for n, body in enumerate(bodies)]
    )
    handle = await temporal.start_workflow("Thread", {}, id=THREAD, task_queue=SHARED_QUEUE)

    async def post():
        return await client.post(f"/v1/threads/{THREAD}/tasks/t1.a/take", json=TAKE)

    yield post
    await handle.terminate()


async def test_what_is_shown_whole_is_taken(taking):
    assert (await taking()).status_code == 200


@pytest.mark.parametrize("kind", ["candidates_shown", "gate_opened"])
async def test_what_is_damaged_is_not_taken(taking, damage, kind):
    damage(kind, "substr(body, 1, 20)")

    answer = await taking()

    assert answer.status_code >= 400
    assert "damaged" in answer.json()["type"]
