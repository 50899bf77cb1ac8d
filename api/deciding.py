"""Decisions of people: sealed with their code, and answered alike after the end of a task."""

from typing import Annotated

from fastapi import Depends

from api.dependencies import DoorDep, FoldsDep, KeyDep
from api.door import WorkflowDoor
from api.folds import Folds
from domain.approvals import content_hash, decision_code
from domain.commands import Answer, Coded, Verdict
from domain.decisions import answer_of, settle_verdict
from domain.errors import NotFoundError, WrongStateError
from domain.ids import ThreadId
from domain.ports import CodeKey


class Decisions:
    """Sends what only a person may say."""

    def __init__(self, door: WorkflowDoor, key: CodeKey, folds: Folds) -> None:
        self._door = door
        self._key = key
        self._folds = folds

    async def send(self, workflow_id: str, command: Coded) -> Answer:
        """Seal a command with its code and send it; raises what the workflow refuses."""
        parts = (workflow_id, command.request, command.choice, command.content_hash)
        code = decision_code(self._key.read(), *parts)
        return await self._door.send(workflow_id, command.model_copy(update={"code": code}))

    async def earlier_answer(self, thread: ThreadId, verdict: Verdict) -> Answer:
        """Return the answer that a verdict got before its task ended.

        Raises:
            AlreadyDecidedError: It was decided otherwise.
            WrongStateError: Nobody decided it; the task ended without.
        """
        fold = await self._folds.fold(thread)
        for task in fold.tasks.values():
            if verdict.request_id in task.outcomes:
                settle_verdict(verdict, None, task.outcomes)
                return answer_of(task.outcomes[verdict.request_id])
        raise WrongStateError(
            f"the task of {verdict.request_id!r} has ended: nothing is asked there"
        )

    async def shown(self, thread: ThreadId, decision: str) -> str:
        """Return the content hash of a decision as the journal shows it, empty where there is none."""
        try:
            fold = await self._folds.fold(thread)
        except NotFoundError:
            return ""  # the workflow says that there is no such thread
        entry = fold.thread.decisions.get(decision)
        return content_hash(entry.decision) if entry else ""


def _deciding(door: DoorDep, key: KeyDep, folds: FoldsDep) -> Decisions:
    return Decisions(door, key, folds)


Deciding = Annotated[Decisions, Depends(_deciding)]
