"""Where a turn learns what its agent is told of earlier threads."""

from typing import Protocol

from domain.core.ids import ThreadId
from domain.learnings.offering import Offer
from domain.learnings.ranking import Work


class LearningOffers(Protocol):
    """The learnings of the repository that a thread is of."""

    async def offer(self, thread_id: ThreadId, work: Work) -> Offer:
        """Return what matters for some work; empty where there is nothing.

        Raises:
            JournalError: The journal cannot be read.
        """
        ...
