"""What prompts are told of the learnings of a thread's repository."""

import asyncio
from datetime import UTC, datetime, timedelta

from adapters.journal import SqlJournal
from domain.core.ids import ThreadId
from domain.learnings.identity import repository_of
from domain.learnings.offering import Offer, offer_of
from domain.learnings.ranking import Work


class KeptLearnings:
    """The `LearningOffers` port on the journal."""

    def __init__(self, journal: SqlJournal, lifetime: timedelta) -> None:
        self._journal = journal
        self._lifetime = lifetime

    async def offer(self, thread_id: ThreadId, work: Work) -> Offer:
        """Return what matters for some work, of what has not expired; of the thread's own its prompts tell anyway."""
        project = await self._journal.people.projects.of(thread_id)
        if project is None:
            return Offer()
        book = await self._journal.learnings.of(repository_of(project))
        offerable = book.offerable(datetime.now(UTC), self._lifetime)
        others = [one for one in offerable if one.is_from_elsewhere(thread_id)]
        return await asyncio.to_thread(offer_of, work, others)  # of a thousand it takes a while
