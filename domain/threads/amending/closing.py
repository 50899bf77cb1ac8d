"""Amendments that lost a race: no person can approve them any more, so nobody is asked to.

What an amendment names may come back (a running task ends, a blocked one is freed); it stays open then.
"""

from collections.abc import Iterator

from domain.agents.agents import Prompt, PromptName
from domain.core.errors import StaleError, TaskCompletedError, WrongStateError
from domain.core.event import EventBody
from domain.tasks.status import TaskStatus
from domain.threads.amending import events as amending_events
from domain.threads.amending.amendment import AbortTask
from domain.threads.amending.rules import check_base
from domain.threads.amending.state import LostAmendment, OpenAmendment
from domain.threads.events import PromptQueued
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


@THREAD_RULES.reacts
def close_lost_amendments(state: ThreadState) -> Iterator[EventBody]:
    """Yield the end of each open amendment that can't happen any more, with the reason."""
    for name, waiting in state.amending.open.items():
        why = _why(state, waiting)
        if why is not None:
            yield amending_events.AmendmentClosed(request_id=name, type=why.type, reason=why.reason)
            yield from _prompt_planner(state, waiting, why)


def _why(state: ThreadState, waiting: OpenAmendment) -> LostAmendment | None:
    try:
        check_base(state, waiting.amendment)
    except StaleError as error:
        return LostAmendment(type=error.type, reason=error.message)
    for change in waiting.amendment.changes:
        for name in change.named:
            entry = state.tasks.get(name)
            if entry is None:
                continue
            if entry.status is TaskStatus.COMPLETED:
                words = f"task {name!r}, which it would {change.kind}, was completed meanwhile"
                return LostAmendment(type=TaskCompletedError.type, reason=words)
            if entry.status is TaskStatus.FAILED and isinstance(change, AbortTask):
                words = f"task {name!r}, which it would abort, failed meanwhile"
                return LostAmendment(type=WrongStateError.type, reason=words)
    return None


def _prompt_planner(
    state: ThreadState, waiting: OpenAmendment, why: LostAmendment
) -> Iterator[EventBody]:
    """Have the planner that worked it out look again: a person asked for the change."""
    session_id = waiting.session_id
    if session_id is None or session_id not in state.amending.planners:
        return
    if state.sessions[session_id].is_archived:
        return
    request_id = waiting.request.request_id
    fields = {
        "amendment": request_id,
        "feedback": f"Nobody decided on it; it was closed: {why.reason}.",
        "version": str(state.amending.version),
    }
    prompt = Prompt(name=PromptName.AMENDMENT_FEEDBACK, fields=fields)
    yield PromptQueued(
        key=f"{session_id}/{request_id}/closed", session_id=session_id, prompt=prompt
    )
