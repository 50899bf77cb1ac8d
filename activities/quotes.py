"""What a prompt quotes from the journal: texts too long for a history, or in too many of them."""

from temporalio.exceptions import ApplicationError

from domain.agents.agents import Prompt
from domain.core.damage_events import EventDamaged
from domain.core.ids import EventId, SessionId, thread_of
from domain.core.ports import Journal
from domain.learnings.events import LearningsOffered
from domain.learnings.offering import FIELD, work_of
from domain.learnings.ports import LearningOffers
from domain.plans.ports import Templates
from domain.threads.quotes import quote

MAX_QUOTED = 60_000
"""Characters of one quoted text; an agent finds the rest in its checkout."""

MAX_KNOWN = 100
"""Texts of events that are kept in memory: all tasks of a plan quote the same."""

_CUT = "\n[... cut by Treadle: {} more characters]"


class Quotes:
    """Puts the texts that prompts quote in their place, and makes prompts of them."""

    def __init__(
        self, journal: Journal, templates: Templates, offers: LearningOffers | None = None
    ) -> None:
        self._journal = journal
        self._offers = offers
        self.render = templates.render
        self._known: dict[tuple[EventId, str], str] = {}

    async def insert(self, prompt: Prompt) -> Prompt:
        """Return a prompt with its texts put in among its fields; one that is not kept is left out.

        Raises:
            ApplicationError: An event that is quoted is not journaled yet; it is soon, so try again.
        """
        references = prompt.texts.items()
        found = {name: await self._journal.text(reference) for name, reference in references}
        texts = {name: _cut(text) for name, text in found.items() if text is not None}
        told = {name: await self._quote(event_id, name) for name, event_id in prompt.quotes.items()}
        fields = {**prompt.fields, **texts, **told}
        return prompt.model_copy(update={"fields": fields, "texts": {}, "quotes": {}})

    async def with_learnings(
        self, prompt: Prompt, session_id: SessionId
    ) -> tuple[Prompt, LearningsOffered | None]:
        """Return a prompt that begins work with the kept learnings that matter for it, and the event of that."""
        work = work_of(prompt)
        if self._offers is None or work is None:
            return prompt, None
        thread = thread_of(session_id)
        offer = await self._offers.offer(thread, work)
        if not offer.learning_ids:
            return prompt, None
        offered = LearningsOffered(
            learning_ids=offer.learning_ids, session_id=session_id, thread_id=thread
        )
        fields = {**prompt.fields, FIELD: offer.text}
        return prompt.model_copy(update={"fields": fields}), offered

    async def _quote(self, event_id: EventId, name: str) -> str:
        known = self._known.get((event_id, name))
        if known is not None:
            return known
        event = await self._journal.event(event_id)
        if event is None:
            raise ApplicationError(f"{event_id} is not journaled yet", type="not_journaled_yet")
        text = quote(event.body, name)
        if isinstance(event.body, EventDamaged):
            return text  # it may be repaired
        if len(self._known) >= MAX_KNOWN:
            self._known.pop(next(iter(self._known)))
        self._known[event_id, name] = text
        return text


def _cut(text: str) -> str:
    left = len(text) - MAX_QUOTED
    return text if left <= 0 else text[:MAX_QUOTED] + _CUT.format(left)
