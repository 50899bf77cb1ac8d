"""How limits stand, in a word and in lines."""

from domain.core.text import counted
from domain.money.state import MoneyState


def headline_words(state: MoneyState) -> tuple[str, str]:
    """Return the status in a word, and what waits for a person."""
    asked = len(state.asked)
    return ("waiting" if asked else "idle"), (f"{counted(asked, 'limit')} reached" if asked else "")


def details_of(state: MoneyState) -> str:
    """Return which limits are reached, as Markdown, for the Temporal Web UI."""
    return "\n".join(f"- {each.words}" for each in state.asked.values()) or "No limit is reached."
