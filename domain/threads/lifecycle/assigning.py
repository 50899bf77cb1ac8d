"""Rules of who takes care of a thread: it is first in their inbox, and anybody with the role still decides."""

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.lifecycle.commands import Assign
from domain.core.lifecycle.events import ThreadAssigned
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


@THREAD_RULES.handles
def assign_thread(command: Assign, state: ThreadState) -> Decided:
    person = " ".join(command.person.split())
    answer = Answer(message=f"assigned to {person}" if person else "assigned to nobody")
    if person == state.lifecycle.assignee:
        return Decided(answer=answer)
    return Decided((ThreadAssigned(person=person, by=command.by),), answer)


@THREAD_RULES.evolves
def apply_thread_assigned(event: ThreadAssigned, state: ThreadState) -> ThreadState:
    lifecycle = state.lifecycle.model_copy(update={"assignee": event.person})
    return state.model_copy(update={"lifecycle": lifecycle})
