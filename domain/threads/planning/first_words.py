"""What a thread without a plan begins with."""

from domain.agents.agents import Prompt, PromptName
from domain.agents.past_sessions import ImportedSession
from domain.conversations.messages import A_PERSON
from domain.core.acting import told
from domain.core.beside import beside_words
from domain.threads.events import ThreadOpened


def first_words(opened: ThreadOpened) -> Prompt:
    """Return the first prompt of its chat; a fork's agent is told what came before."""
    by = opened.opened_by or A_PERSON
    if opened.imported is not None:
        return _go_on(opened, opened.imported, by)
    if opened.forked_from is None:
        text = f"{told(opened.goal, by)}{beside_words(opened.beside)}"
        return Prompt(fields={"text": text}, by=by)
    fields = {"text": opened.goal, "handoff": opened.context}
    return Prompt(name=PromptName.FORKED, fields=fields, by=by)


def _go_on(opened: ThreadOpened, session: ImportedSession, by: str) -> Prompt:
    """Return the first prompt of a session that began elsewhere: it says where its agent is now."""
    left = opened.facts.uncommitted
    fields = {
        "text": opened.goal,
        "cwd": session.cwd or opened.facts.root,
        "commit": opened.begins_at[:12],
        "uncommitted": _UNCOMMITTED if left else "",
        "handoff": session.said,
    }
    return Prompt(name=PromptName.IMPORTED, fields=fields, by=by)


_UNCOMMITTED = "Uncommitted changes there are not here."
