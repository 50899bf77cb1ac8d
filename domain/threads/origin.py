"""What a thread is called and what it was opened with, as its view has it."""

from typing import Any

from domain.threads.events import ThreadOpened
from domain.threads.state import ThreadState


def origin_of(state: ThreadState, opened: ThreadOpened) -> dict[str, Any]:
    """Return what a thread is called and what it was opened with, as its view has it."""
    return {
        "thread_id": state.thread_id,
        "goal": state.goal,
        "topic": state.lifecycle.topic or state.first_title,
        "is_archived": state.lifecycle.is_archived,
        "opened_by": opened.opened_by,
        "assignee": state.lifecycle.assignee,
        "repository": opened.facts.root,
        "beside": tuple(one.repository for one in opened.beside),
        "branch": opened.branch,
        "agent": opened.agent,
        "template": opened.template.name,
        "template_source": opened.template.source,
        "template_path": opened.template.path,
        "template_hash": opened.template.content_hash,
        "issue": opened.issue,
        "parent": opened.parent,
        "forked_from": opened.forked_from,
    }
