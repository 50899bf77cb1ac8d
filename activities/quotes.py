"""What a prompt quotes from the journal: texts too long for a history."""

from domain.agents.agents import Prompt
from domain.core.ports import Journal

MAX_QUOTED = 60_000
"""Characters of one quoted text; an agent finds the rest in its checkout."""

_CUT = "\n[... cut by Treadle: {} more characters]"


async def insert_quotes(journal: Journal, prompt: Prompt) -> Prompt:
    """Return a prompt with its texts put in among its fields; one that is not kept is left out."""
    found = {name: await journal.text(reference) for name, reference in prompt.texts.items()}
    texts = {name: _cut(text) for name, text in found.items() if text is not None}
    return prompt.model_copy(update={"fields": {**prompt.fields, **texts}, "texts": {}})


def _cut(text: str) -> str:
    left = len(text) - MAX_QUOTED
    return text if left <= 0 else text[:MAX_QUOTED] + _CUT.format(left)
