"""Which thread promotes learnings: of several that are opened at the same moment, one."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime

from adapters.journal import SqlJournal
from api.learnings.reading import is_proposed, known_in
from domain.core.errors import WrongStateError
from domain.core.event import Event, EventBody
from domain.core.ids import EventId, ThreadId
from domain.learnings.book import KeptLearning, LearningBook
from domain.learnings.events import PromotionClaimed, PromotionDropped
from domain.learnings.identity import learnings_stream
from domain.threads.inputs import ThreadInput


def promotable(book: LearningBook, repository: str, ids: Sequence[str]) -> list[KeptLearning]:
    """Return learnings that can come into AGENTS.md.

    Raises:
        NotFoundError: The repository has none of such an id.
        WrongStateError: One was removed, or is in AGENTS.md.
    """
    chosen = [known_in(book, repository, name) for name in ids]
    for one in chosen:
        if one.removed_by is not None or one.promoted_as:
            raise WrongStateError(f"{one.learning_id} was removed, or is in AGENTS.md already")
    return chosen


async def claim(journal: SqlJournal, repository: str, thread: ThreadInput) -> None:
    """Note that a thread is being opened which promotes learnings, unless another one does.

    What another process notes between reading and writing is read first: the second of two is refused.

    Raises:
        TreadleError: They can't be promoted, or another thread proposes one of them.
    """
    said = PromotionClaimed(
        learning_ids=thread.promotes, thread_id=thread.thread_id, by=thread.opened_by
    )
    while True:
        book, upto = await journal.learnings.read(repository)
        chosen = promotable(book, repository, thread.promotes)
        if all(one.promotion == thread.thread_id for one in chosen):
            return  # it was opened before
        await _refuse_proposed(journal, book, chosen, by=thread.thread_id)
        event = _event(repository, said)
        await journal.append_before(event, said.kind, after=upto)
        if await journal.event(event.id) is not None:
            return


async def drop(journal: SqlJournal, repository: str, thread: ThreadInput) -> None:
    """Note that a thread could not be opened: others may promote what it was to."""
    said = PromotionDropped(thread_id=thread.thread_id, by=thread.opened_by)
    await journal.append([_event(repository, said)])


def _event(repository: str, said: EventBody) -> Event:
    stream = learnings_stream(repository)
    name = EventId(f"{stream}:{said.kind}:{uuid.uuid4().hex}")
    return Event(id=name, stream=stream, at=datetime.now(UTC), body=said)


async def _refuse_proposed(
    journal: SqlJournal, book: LearningBook, learnings: Sequence[KeptLearning], *, by: ThreadId
) -> None:
    """Refuse learnings of which another thread makes a proposal, or is about to.

    Raises:
        WrongStateError: There is one that has not ended.
    """
    now = datetime.now(UTC)
    for one in learnings:
        if book.claimed_by(one.learning_id, now) not in {None, by}:
            raise WrongStateError(
                f"a thread that proposes {one.learning_id} for AGENTS.md is being opened: try again in a moment"
            )
    there = await journal.learnings.statuses({one.promotion for one in learnings})
    for one in learnings:
        if one.promotion != by and is_proposed(one, there):
            raise WrongStateError(
                f"{one.learning_id} is proposed for AGENTS.md by {one.promotion} already: decide there, or cancel that"
            )
