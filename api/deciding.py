"""Decisions of people: what they are about, and the same answer after the end of a task."""

from typing import Annotated

from fastapi import Depends

from api.dependencies import FoldsDep
from api.folds import Folds
from domain.core.approvals import content_hash
from domain.core.command import Answer, Verdict
from domain.core.decisions import answer_of, settle_verdict
from domain.core.errors import JournalError, NotFoundError, WrongStateError
from domain.core.ids import ThreadId
from domain.reading.damage import damaged_error, telling
from domain.reading.projection import ThreadFold


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

    async def refuse_unshown(self, thread: ThreadId, request_id: str) -> None:
        """Refuse to approve what cannot be shown any more, as its event in the journal is damaged.

        Raises:
            JournalDamagedError: It is; a rejection is still taken, and what is made then is shown anew.
        """
        try:
            fold = await self._folds.fold(thread)
        except (NotFoundError, JournalError):
            return  # the workflow says what there is
        what = f"what {request_id!r} asks"
        with telling(fold.damaged, what):
            if fold.damaged and request_id not in _asked_in(fold):
                raise damaged_error(fold.damaged, what)

    async def shown(self, thread: ThreadId, decision: str) -> str:
        """Return the content hash of a decision as the journal shows it, empty where there is none."""
        try:
            fold = await self._folds.fold(thread)
        except NotFoundError:
            return ""  # the workflow says that there is no such thread
        entry = fold.thread.decisions.get(decision)
        return content_hash(entry.decision) if entry else ""


def _asked_in(fold: ThreadFold) -> set[str]:
    """Return the requests of a thread that wait, or that were decided."""
    decided = [fold.thread.outcomes, *(task.outcomes for task in fold.tasks.values())]
    waiting = (waits.request.request_id for waits in fold.requests())
    return {*waiting, *(request_id for outcomes in decided for request_id in outcomes)}


def _deciding(folds: FoldsDep) -> Decisions:
    return Decisions(folds)


Deciding = Annotated[Decisions, Depends(_deciding)]
