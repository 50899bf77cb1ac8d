"""What a prompt tells of a repository's learnings: the most relevant, as data, with where they are from."""

import re
from collections.abc import Sequence
from datetime import timedelta

from domain.agents.agents import Prompt, PromptName
from domain.core.wire import Wire
from domain.learnings.book import KeptLearning
from domain.learnings.quoting import quoted
from domain.learnings.ranking import Work, ranked

MAX_OFFERED = 12
MAX_OFFERED_BYTES = 6_000
"""Of one prompt."""

MAX_TEXT = 1_000
"""Characters of one learning: a long one leaves room for others."""

LIFETIME = timedelta(days=90)
"""How long a learning is offered after it was learned or used last, unless a setting says otherwise."""

FIELD = "kept_learnings"
"""The field of the prompts that hold an offer."""

_NAMED_PATH = re.compile(r"[\w.-]+(?:/[\w.*-]+)+|[\w-]+\.[a-z]{1,4}\b")

_WORDS_OF = {
    PromptName.PLANNER: ("goal",),
    PromptName.AMENDMENT_PLANNER: ("request",),
    PromptName.TASK_PLAN: ("title", "description"),
    PromptName.TASK: ("title", "description"),
}
"""The prompts that begin work, and the fields that say which."""


class Offer(Wire):
    """What a prompt tells of learnings, and their ids; empty where none matters."""

    learning_ids: tuple[str, ...] = ()
    text: str = ""


def work_of(prompt: Prompt) -> Work | None:
    """Return what a prompt begins; None for one that goes on with what was begun."""
    fields = _WORDS_OF.get(prompt.name)
    if fields is None:
        return None
    words = "\n".join(prompt.fields.get(name, "") for name in fields)
    area = prompt.fields.get("area", "").split("\n")
    return Work(words=words, area=(*filter(None, area), *_NAMED_PATH.findall(words)[:50]))


def offer_of(work: Work, learnings: Sequence[KeptLearning]) -> Offer:
    """Return the offer for some work: so many learnings and bytes at most, the most relevant first.

    Each is one line with the text in quotes, so that none can end the list or look like a part of the prompt.
    One for which there is no room is passed over.
    """
    ids, lines, left = list[str](), list[str](), MAX_OFFERED_BYTES
    for each in ranked(work, learnings)[:MAX_OFFERED]:
        line = _line(each.learning)
        size = len(line.encode()) + 1
        if size > left:
            continue
        left -= size
        ids.append(each.learning.learning_id)
        lines.append(line)
    return Offer(learning_ids=tuple(ids), text="\n".join(lines))


def _line(one: KeptLearning) -> str:
    origin = one.origins[-1]
    commit = f", commit {origin.evidence.commit[:10]}" if origin.evidence.commit else ""
    task = f" {origin.task_id}" if origin.task_id else ""
    source = f"from task{task} of {origin.thread_id}{commit}, {origin.at:%Y-%m-%d}"
    return f"- [{one.learning_id}] {quoted(one.text, MAX_TEXT)} ({one.learning.phrase}; {source}; used {one.used} times)"
