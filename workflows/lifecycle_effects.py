"""How a thread keeps a chat's changes, has its plan's file written, and is removed."""

from datetime import timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError

from activities.lifecycle import ThreadLifecycle
from domain.core.ids import host_queue
from domain.core.notices import ResourceWarned
from domain.core.workspaces import MergeResult
from domain.publications.commands import CloseWatch
from domain.threads.events import ThreadOpened
from domain.threads.lifecycle.calls import DocumentCall, MergeSessionCall
from domain.threads.lifecycle.effects import (
    EndDocument,
    RemoveThread,
    WriteDocument,
)
from domain.threads.lifecycle.rules import document_folders
from domain.threads.merging.effects import EndSessionMerge, MergeSessionChanges
from workflows import options
from workflows.failures import is_unbegun
from workflows.removals import removal_of_thread, watches_of
from workflows.signalling import reaches
from workflows.summaries import shown
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop

_AGAIN = timedelta(minutes=1)
_LATER = timedelta(hours=1)
"""Where the host does not answer: each time people are told."""


def _opened(thread: ThreadLoop) -> ThreadOpened:
    if thread.state.opened is None:
        raise RuntimeError("the thread is not open")
    return thread.state.opened


@carries
async def _keep(effect: MergeSessionChanges, thread: ThreadLoop) -> None:
    """Merge a session's changes; the thread is the only writer of its branch."""
    opened, session_id, number = _opened(thread), effect.session_id, effect.number
    call = MergeSessionCall(
        key=f"{session_id}/keep-{number}",
        repository=opened.facts.root,
        beside=opened.others,
        session_id=session_id,
        branch=opened.branch,
        title=f"Keep changes of {session_id.rpartition('/')[2]}",
        trailers=(("Treadle-Thread", thread.input.thread_id),),
        commit=effect.commit,
        keeps=thread.state.merges.kept_of(session_id, number),
    )
    where = options.on(host_queue(opened.host), options.SETTLE)
    try:
        merge = await thread.run_activity(ThreadLifecycle.merge_session, call, where)
    except ActivityError as error:
        failure = str(error.cause or error)
        merge = MergeResult(source=effect.commit, failure=failure)
    thread.submit(EndSessionMerge(session_id=session_id, number=number, merge=merge))


@carries
async def _document(effect: WriteDocument, thread: ThreadLoop) -> None:
    """Write the file of a plan; what is in its way is a warning and nothing more."""
    opened, folders = _opened(thread), document_folders(thread.state)
    ended = EndDocument(plan_id=effect.plan_id, mark=effect.mark)
    if folders is not None:
        is_committed = effect.is_over and opened.planner.plan_files_commit
        call = DocumentCall(
            thread_id=thread.input.thread_id,
            plan_id=effect.plan_id,
            repository=opened.facts.root,
            folders=folders,
            is_over=effect.is_over,
            branch=opened.branch if is_committed else None,
        )
        where = options.on(host_queue(opened.host), options.GIT)
        try:
            answer = await thread.run_activity(ThreadLifecycle.write_document, call, where)
            ended = ended.model_copy(update=answer.model_dump())
        except ActivityError as error:
            ended = ended.model_copy(update={"problem": str(error.cause or error)})
    thread.submit(ended)


@carries
async def _remove(effect: RemoveThread, thread: ThreadLoop) -> None:
    """Remove all that the thread holds; its events go last, and none comes after them."""
    state, opened = thread.state, _opened(thread)
    async with thread.plan_files:  # the last change has ended; more are refused
        await workflow.wait_condition(lambda: thread.outbox.is_empty)
    thread.is_deleting = True
    for watch in watches_of(thread.input.thread_id, state):
        await reaches(watch, "close_watch", CloseWatch())
    call = removal_of_thread(thread.input, state, thread.started, is_forced=effect.is_forced)
    where = options.on(host_queue(opened.host), options.SETTLE)
    where = options.within(options.REMOVAL_PATIENCE, where)
    try:
        answer = await thread.run_activity(ThreadLifecycle.remove_thread, call, where)
    except ActivityError as error:
        thread.is_deleting = False
        is_late = is_unbegun(error)
        why = "its host does not answer" if is_late else error.cause or error
        words = f"the thread cannot be removed, which is tried again: {why}"
        thread.record((ResourceWarned(message=words),))
        await workflow.sleep(_LATER if is_late else _AGAIN, summary=shown("try to remove it again"))
        return
    thread.ending = answer.words
