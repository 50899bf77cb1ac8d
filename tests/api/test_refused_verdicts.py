"""What is said of a verdict that its task does not take: why, unless the task has ended."""

from types import SimpleNamespace
from typing import Any

import pytest

from api.plans.approvals import Decisions
from domain.core.approval_commands import Approve
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.errors import WrongStateError
from domain.core.ids import RequestId, ThreadId
from domain.tasks.events import TaskEnd

GATE = RequestId("app.b/gate-1-1")
REFUSAL = WrongStateError("choose among them with `treadle take`")


class Folds:
    """A thread with one task at its gate."""

    def __init__(self, end: TaskEnd | None) -> None:
        request = ApprovalRequest(
            request_id=GATE, subject=Subject.GATE, title="t", content_hash="h"
        )
        self._task = SimpleNamespace(request=request, end=end, outcomes={})

    async def fold(self, thread: ThreadId) -> Any:
        return SimpleNamespace(tasks={thread: self._task})


@pytest.mark.parametrize(
    ("end", "words"), [(None, "treadle take"), (TaskEnd.CANCELLED, "its task has ended")]
)
async def test_why_a_gate_is_not_approved(end: TaskEnd | None, words: str) -> None:
    verdict = Approve(request_id=GATE, content_hash="h")
    deciding = Decisions(Folds(end))  # pyright: ignore[reportArgumentType]  (what it asks of them)

    with pytest.raises(WrongStateError, match=words):
        await deciding.earlier_answer(ThreadId("thread-1"), verdict, REFUSAL)
