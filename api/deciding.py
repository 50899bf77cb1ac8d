"""Decisions of people: what they are about, and the same answer after the end of a task."""

from typing import Annotated

from fastapi import Depends

from api.dependencies import FoldsDep
from api.folds import Folds
from domain.approvals import content_hash
from domain.commands import Answer, Verdict
from domain.decisions import answer_of, settle_verdict
from domain.errors import NotFoundError, WrongStateError
from domain.ids import ThreadId


class Decisions:
    """What was shown to people, and what they decided of it."""

    def __init__(self, folds: Folds) -> None:
        self._folds = folds

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


def _deciding(folds: FoldsDep) -> Decisions:
    return Decisions(folds)


Deciding = Annotated[Decisions, Depends(_deciding)]
