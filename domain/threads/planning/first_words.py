"""What a thread without a plan begins with."""

from domain.agents.agents import Prompt, PromptName
from domain.conversations.messages import A_PERSON
from domain.core.acting import told
from domain.core.beside import beside_words
from domain.threads.events import ThreadOpened


def first_words(opened: ThreadOpened) -> Prompt:
    """Return the first prompt of its chat; a fork's agent is told what came before."""
    by = opened.opened_by or A_PERSON
    if opened.forked_from is None:
        text = f"{told(opened.goal, by)}{beside_words(opened.beside)}"
        return Prompt(fields={"text": text}, by=by)
    fields = {"text": opened.goal, "handoff": opened.context}
    return Prompt(name=PromptName.FORKED, fields=fields, by=by)
