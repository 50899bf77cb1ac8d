"""Rules of a thread as a whole: its name, its place in lists, its files, its end."""

import hashlib
import json
from collections.abc import Iterable

from domain.core.command import AgentCommand, Answer, Coded
from domain.core.decisions import Decided
from domain.core.errors import InvalidError, WrongStateError
from domain.core.event import EventBody
from domain.core.lifecycle import events as lifecycle_events
from domain.core.lifecycle.commands import Archive, DeleteThread, Pin, Rename, Unarchive, Unpin
from domain.core.notices import WorkflowTerminated
from domain.core.project_map import PlanFolders, plan_folders
from domain.core.status_words import ENDED
from domain.core.wire import Wire
from domain.plans.status import PlanStatus
from domain.tasks.running_commands import Cancel
from domain.tasks.status import TaskStatus
from domain.threads.effects import ThreadEffect
from domain.threads.events import PromptQueued
from domain.threads.lifecycle.counting import refuse_if_changed
from domain.threads.lifecycle.effects import (
    EndDocument,
    RemoveThread,
    WriteDocument,
)
from domain.threads.lifecycle.state import Document, Lifecycle
from domain.threads.patches import DOCUMENTS_FOLLOW_CHANGES
from domain.threads.registry import THREAD_RULES
from domain.threads.running.execution import cancel_plan
from domain.threads.running.plan_tasks import AT_WORK, PlanTasks
from domain.threads.state import ThreadState


@THREAD_RULES.guards
def refuse_if_deleting(command: Wire, state: ThreadState) -> None:
    """Refuse what would begin something in a thread that is being deleted; stopping is always fine.

    Raises:
        WrongStateError: It is.
    """
    begins = isinstance(command, Coded | AgentCommand) and not isinstance(command, DeleteThread)
    if begins and state.lifecycle.is_deletion_requested:
        raise WrongStateError("this thread is being deleted: nothing more begins in it")


# --- names and places


@THREAD_RULES.handles
def rename_thread(command: Rename, state: ThreadState) -> Decided:
    topic = " ".join(command.topic.split())
    if not topic:
        raise InvalidError("a topic must say something")
    answer = Answer(message=f"renamed to {topic!r}")
    if topic == state.lifecycle.topic:
        return Decided(answer=answer)
    return Decided((lifecycle_events.ThreadRenamed(topic=topic, by=command.by),), answer)


@THREAD_RULES.handles
def archive_thread(command: Archive, state: ThreadState) -> Decided:
    return _place(command, state, is_archived=True)


@THREAD_RULES.handles
def unarchive_thread(command: Unarchive, state: ThreadState) -> Decided:
    return _place(command, state, is_archived=False)


def _place(command: Coded, state: ThreadState, *, is_archived: bool) -> Decided:
    answer = Answer(message="archived" if is_archived else "unarchived")
    if state.lifecycle.is_archived is is_archived:
        return Decided(answer=answer)
    event = lifecycle_events.ThreadArchived if is_archived else lifecycle_events.ThreadUnarchived
    return Decided((event(by=command.by),), answer)


@THREAD_RULES.handles
def pin_thread(command: Pin, state: ThreadState) -> Decided:
    answer = Answer(message="pinned: no prune removes it")
    if state.lifecycle.is_pinned:
        return Decided(answer=answer)
    return Decided((lifecycle_events.ThreadPinned(by=command.by),), answer)


@THREAD_RULES.handles
def unpin_thread(command: Unpin, state: ThreadState) -> Decided:
    answer = Answer(message="unpinned")
    if not state.lifecycle.is_pinned:
        return Decided(answer=answer)
    return Decided((lifecycle_events.ThreadUnpinned(by=command.by),), answer)


# --- the plan's file


def document_folders(state: ThreadState) -> PlanFolders | None:
    """Return where the plans of this thread are kept as files; None where they are not."""
    if state.opened is None or not state.opened.planner.enable_persistence:
        return None
    facts = state.opened.facts
    return plan_folders(facts.survey.map_file, facts.project_map)


def document_mark(state: ThreadState) -> str:
    """Return a name for all that the file of the running plan tells."""
    facts = [
        state.plan_status,
        _mark_of_tasks(state),
        [(name, d.selections) for name, d in state.decisions.items()],
        len(state.learnings),
        state.amending.version,
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def _mark_of_tasks(state: ThreadState) -> object:
    if state.has_patch(DOCUMENTS_FOLLOW_CHANGES):
        return state.tasks.mark
    return [(name, t.status, t.run, t.merge_commit, t.notes) for name, t in state.tasks.items()]


@THREAD_RULES.reacts
def update_plan_document(state: ThreadState) -> Iterable[EventBody]:
    """Have the file of the approved plan written anew when it is behind."""
    if state.approved is None or not state.tasks or document_folders(state) is None:
        return
    document = state.lifecycle.documents.get(state.plan_id, Document())
    mark = document_mark(state)
    if document.writing is None and document.written != mark:
        yield lifecycle_events.DocumentDue(plan_id=state.plan_id, mark=mark)


@THREAD_RULES.handles
def end_document(command: EndDocument, state: ThreadState) -> Decided:
    document = state.lifecycle.documents.get(command.plan_id)
    if document is None or document.writing != command.mark:
        return Decided()
    return Decided((lifecycle_events.DocumentWritten(**dict(command)),))


# --- the end


@THREAD_RULES.handles
def delete_thread(command: DeleteThread, state: ThreadState) -> Decided:
    answer = Answer(message="deleting")
    if state.lifecycle.is_deletion_requested:
        return Decided(answer=answer)
    if command.is_pruning:
        _refuse_pruning(state)
        refuse_if_changed(command, state)
    if state.plan_status.is_live and not command.is_forced:
        raise WrongStateError(
            f"its plan is {state.plan_status}: `treadle cancel {state.thread_id}` first, or delete it "
            "with --force, which cancels it"
        )
    wanted = lifecycle_events.DeletionRequested(is_forced=command.is_forced, by=command.by)
    cancelled = (
        cancel_plan(Cancel(by=command.by), state).events if state.plan_status.is_live else ()
    )
    closing = (
        PromptQueued(key=f"{session_id}/delete", session_id=session_id)
        for session_id in state.sessions
    )
    return Decided((wanted, *cancelled, *closing), answer)


def _refuse_pruning(state: ThreadState) -> None:
    """Refuse to be pruned where a person wants the thread kept, or something is under way.

    Raises:
        WrongStateError: It is so.
    """
    if state.lifecycle.is_pinned:
        raise WrongStateError("it is pinned")
    if state.status not in ENDED:
        raise WrongStateError(f"it is {state.status}")
    if not _is_quiet(state) or state.tasks.count(*AT_WORK):
        raise WrongStateError("something is under way in it")


def _is_quiet(state: ThreadState) -> bool:
    merges = state.lifecycle.merges or state.merges.has_chats
    return not (state.settling or state.prompts or merges)


@THREAD_RULES.requires
def write_and_remove(state: ThreadState) -> Iterable[ThreadEffect]:
    lifecycle = state.lifecycle
    for plan_id, document in lifecycle.documents.items():
        if document.writing is not None:
            is_over = plan_id != state.plan_id or state.plan_status in _OVER
            yield WriteDocument(plan_id=plan_id, mark=document.writing, is_over=is_over)
    if lifecycle.is_deletion_requested and _is_quiet(state) and not state.tasks.count(*AT_WORK):
        yield RemoveThread(is_forced=lifecycle.is_deletion_forced)


_OVER = frozenset({PlanStatus.COMPLETED, PlanStatus.CANCELLED})


# --- how each event changes a thread


def _with(state: ThreadState, **changes: object) -> ThreadState:
    return state.model_copy(update={"lifecycle": state.lifecycle.model_copy(update=changes)})


@THREAD_RULES.evolves
def apply_thread_renamed(event: lifecycle_events.ThreadRenamed, state: ThreadState) -> ThreadState:
    return _with(state, topic=event.topic)


@THREAD_RULES.evolves
def apply_terminated(event: WorkflowTerminated, state: ThreadState) -> ThreadState:
    """Nothing is asked and nothing goes on where no workflow is left to take an answer."""
    over = {"status": TaskStatus.CANCELLED, "notes": event.reason}
    tasks = PlanTasks.of(
        {
            name: entry if entry.is_over else entry.model_copy(update=over)
            for name, entry in state.tasks.everything.items()
        }
    )
    status = PlanStatus.CANCELLED if state.plan_status.is_live else state.plan_status
    merges = state.merges.model_copy(update={"open": {}})
    ended: dict[str, object] = {
        "tasks": tasks,
        "plan_status": status,
        "merges": merges,
        "requests": {},
        "contests": {
            name: contest.model_copy(update={"request": None})
            for name, contest in state.contests.items()
        },
    }
    return _with(state.model_copy(update=ended), is_terminated=True)


@THREAD_RULES.evolves(lifecycle_events.ThreadArchived)
def apply_thread_archived(state: ThreadState) -> ThreadState:
    return _with(state, is_archived=True)


@THREAD_RULES.evolves(lifecycle_events.ThreadUnarchived)
def apply_thread_unarchived(state: ThreadState) -> ThreadState:
    return _with(state, is_archived=False)


@THREAD_RULES.evolves(lifecycle_events.ThreadPinned)
def apply_thread_pinned(state: ThreadState) -> ThreadState:
    return _with(state, is_pinned=True)


@THREAD_RULES.evolves(lifecycle_events.ThreadUnpinned)
def apply_thread_unpinned(state: ThreadState) -> ThreadState:
    return _with(state, is_pinned=False)


@THREAD_RULES.evolves
def apply_document_due(event: lifecycle_events.DocumentDue, state: ThreadState) -> ThreadState:
    return _with_document(state.lifecycle, state, event.plan_id, writing=event.mark)


@THREAD_RULES.evolves
def apply_document_written(
    event: lifecycle_events.DocumentWritten, state: ThreadState
) -> ThreadState:
    changes = {"writing": None, "written": event.mark, "problem": event.problem}
    if event.path:
        changes["path"] = event.path
    return _with_document(state.lifecycle, state, event.plan_id, **changes)


def _with_document(
    lifecycle: Lifecycle, state: ThreadState, plan_id: str, **changes: object
) -> ThreadState:
    before = lifecycle.documents.get(plan_id, Document())
    after = before.model_copy(update=changes)
    return _with(state, documents={**lifecycle.documents, plan_id: after})


@THREAD_RULES.evolves
def apply_deletion_requested(
    event: lifecycle_events.DeletionRequested, state: ThreadState
) -> ThreadState:
    return _with(state, is_deletion_requested=True, is_deletion_forced=event.is_forced)
