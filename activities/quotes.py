"""What a prompt quotes from the journal: texts too long for a history, or in too many of them."""

from temporalio.exceptions import ApplicationError

from domain.agents.agents import Prompt
from domain.core.ids import EventId
from domain.core.ports import Journal
from domain.threads.quotes import quote

MAX_QUOTED = 60_000
"""Characters of one quoted text; an agent finds the rest in its checkout."""

_CUT = "\n[... cut by Treadle: {} more characters]"


async def insert_quotes(journal: Journal, prompt: Prompt) -> Prompt:
    """Return a prompt with its texts put in among its fields; one that is not kept is left out.

    Raises:
        ApplicationError: An event that is quoted is not journaled yet; it is soon, so try again.
    """
    found = {name: await journal.text(reference) for name, reference in prompt.texts.items()}
    texts = {name: _cut(text) for name, text in found.items() if text is not None}
    told = {name: await _quoted(journal, name, quoted) for name, quoted in prompt.quotes.items()}
    fields = {**prompt.fields, **texts, **told}
    return prompt.model_copy(update={"fields": fields, "texts": {}, "quotes": {}})


async def _quoted(journal: Journal, name: str, event_id: EventId) -> str:
    event = await journal.event(event_id)
    if event is None:
        raise ApplicationError(f"{event_id} is not journaled yet", type="not_journaled_yet")
    return quote(event.body, name)


def _cut(text: str) -> str:
    left = len(text) - MAX_QUOTED
    return text if left <= 0 else text[:MAX_QUOTED] + _CUT.format(left)
