"""What a prompt quotes from the journal: texts too long for a history, or in too many of them."""

from temporalio.exceptions import ApplicationError

from domain.agents.agents import Prompt
from domain.core.damage_events import EventDamaged
from domain.core.ids import EventId
from domain.core.ports import Journal
from domain.plans.ports import Templates
from domain.threads.quotes import quote

MAX_QUOTED = 60_000
"""Characters of one quoted text; an agent finds the rest in its checkout."""

MAX_KNOWN = 100
"""Texts of events that are kept in memory: all tasks of a plan quote the same."""

_CUT = "\n[... cut by Treadle: {} more characters]"


class Quotes:
    """Puts the texts that prompts quote in their place, and makes prompts of them."""

    def __init__(self, journal: Journal, templates: Templates) -> None:
        self._journal = journal
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
