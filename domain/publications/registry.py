"""Where the rules of watched pull requests are registered; rules.py imports all that register some."""

from domain.core.kernel import Rules
from domain.publications.effects import PublicationEffect
from domain.publications.state import PublicationState

PUBLICATION_RULES = Rules[PublicationState, PublicationEffect]("a pull request")
"""The rules of a pull request: what each command does, what follows from it, what must be under way."""
