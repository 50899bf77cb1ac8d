"""The port to templates."""

from typing import Protocol

from domain.agents.agents import Prompt
from domain.plans.templates.template import PlanTemplate


class Templates(Protocol):
    """The files under templates/ and their overrides."""

    def template(self, name: str | None, repository: str) -> PlanTemplate:
        """Return a plan template; None is the default one.

        Raises:
            UnknownTemplateError: No such template; the message lists the known ones.
        """
        ...

    def render(self, prompt: Prompt) -> str:
        """Return a prompt's text with its fields put in."""
        ...
