"""How a thread opens, watches and stops its child threads, and tells its own parent."""

from datetime import timedelta
from typing import Any

from temporalio import workflow
from temporalio.exceptions import (
    ApplicationError,
    ChildWorkflowError,
    WorkflowAlreadyStartedError,
)
from temporalio.workflow import ChildWorkflowHandle, ParentClosePolicy

from domain.core.beside import changed_by
from domain.core.ids import ThreadId
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import describe_learnings
from domain.threads.children.commands import AskChild, MarkParentNotified, NoteChild, StopChild
from domain.threads.children.events import ChildReport
from domain.threads.children.rules import (
    AbortChild,
    NotifyParent,
    RunChild,
    parent_of_child,
    report_of,
)
from domain.threads.commands import EndTask
from domain.threads.inputs import ThreadInput
from domain.threads.patches import THREADS_ARE_PLACED
from workflows import options
from workflows.attributes import listed
from workflows.left_alone import leave_alone
from workflows.summaries import shown
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop

ASK_AGAIN = timedelta(hours=1)
"""How long nothing may be heard of a child before it is asked whether it is there."""

_Handle = ChildWorkflowHandle[Any, Any]


@carries
async def _run_child(effect: RunChild, thread: ThreadLoop) -> None:
    """Open the child thread of a run, or go on with one, until it told its end."""
    child = thread.state.family.child_of(effect.task_id, effect.run)
    if child is None:
        return
    key, handle, reason = f"{effect.task_id}:{effect.run}", None, ""
    if key not in thread.started:
        thread.started.add(key)
        try:
            handle = await _open(thread, effect, child.thread_id)
        except WorkflowAlreadyStartedError:
            reason = f"another workflow has the id {child.thread_id}: end it, then retry the task"
    else:
        reason = await _ask(thread, child.thread_id)
    while not reason and _is_awaited(thread, effect):
        reason = await _watch(thread, effect, child.thread_id, handle)
    if reason:
        failed = EndTask(task_id=effect.task_id, run=effect.run, end=TaskEnd.FAILED, reason=reason)
        thread.submit(failed)


async def _open(thread: ThreadLoop, effect: RunChild, child: ThreadId) -> _Handle:
    started = child_input(thread, effect, child)
    handle: _Handle = await workflow.start_child_workflow(  # pyright: ignore[reportUnknownMemberType] SDK's type
        "Thread",
        started,
        id=child,
        **listed(started.listing),
        parent_close_policy=ParentClosePolicy.ABANDON,
        task_timeout=options.WORKFLOW_TASK,
    )
    leave_alone(handle)
    return handle


def child_input(thread: ThreadLoop, effect: RunChild, child: ThreadId) -> ThreadInput:
    """Return what a child thread starts with: its node, the parent's plan, what was learned so far."""
    state, opened = thread.state, thread.state.opened
    if opened is None:
        raise RuntimeError("the thread is not open")
    task = state.tasks[effect.task_id].task
    learned = describe_learnings(state.learnings)
    context = [state.handoff, f"## Learned so far\n\n{learned}" if learned else ""]
    return ThreadInput(
        thread_id=child,
        goal="\n\n".join(part for part in (task.title, task.description) if part),
        repository=opened.facts.root,
        agent=task.agent or opened.agent,
        model=task.model or (opened.model if task.agent is None else None),
        options=opened.options if task.agent in {None, opened.agent} else {},
        inherited=opened.template,
        recipe=state.set_up.used,
        also=tuple(
            one.repository
            for one in changed_by(opened.beside, task.repositories)
            if not one.is_read
        ),
        patches=opened.patches,
        # what a person turned off holds for the children as well
        planner=opened.planner.model_copy(
            update={
                "auto_run": opened.planner.auto_run and state.is_auto,
                "own_turns": min(opened.planner.own_turns, state.own_turns_left),
            }
        ),
        opened_by=f"{state.thread_id} ({opened.opened_by})"
        if opened.opened_by
        else state.thread_id,
        parent=parent_of_child(state, effect.task_id, effect.run),
        context="\n\n".join(part for part in context if part),
        base=opened.branch,
        on_host=opened.host if state.has_patch(THREADS_ARE_PLACED) else "",
        has_plan_files=state.plan_files.is_on,
    )


async def _watch(
    thread: ThreadLoop, effect: RunChild, child: ThreadId, handle: _Handle | None
) -> str:
    """Wait until a child told its end; returns why it never will, where its workflow has ended."""
    try:
        await workflow.wait_condition(
            lambda: not _is_awaited(thread, effect) or (handle is not None and handle.done()),
            timeout=ASK_AGAIN,
            timeout_summary=shown(f"ask {child} whether it is there"),
        )
    except TimeoutError:
        return await _ask(thread, child)
    if handle is None or not handle.done() or not _is_awaited(thread, effect):
        return ""
    try:
        return f"the child thread {child} has ended: {await handle}"
    except ChildWorkflowError as error:
        return f"the child thread {child} ended by itself: {error.cause or error}"


async def _ask(thread: ThreadLoop, child: ThreadId) -> str:
    """Ask a child to tell what may have been lost; returns why it can't."""
    known = thread.state.family.children[child].report
    ask = AskChild(number=known.number if known else 0)
    return await _signal(child, "ask_child", ask)


async def _signal(workflow_id: str, name: str, message: AskChild | NoteChild | StopChild) -> str:
    """Signal a thread; returns that it is gone, where it is."""
    handle = workflow.get_external_workflow_handle(workflow_id)
    try:
        await handle.signal(name, message)
    except ApplicationError:
        return f"the thread {workflow_id} is gone: Temporal has no such workflow that runs"
    return ""


def _is_awaited(thread: ThreadLoop, effect: RunChild) -> bool:
    entry = thread.state.tasks.get(effect.task_id)
    return entry is not None and entry.run == effect.run and entry.end is None


@carries
async def _abort_child(effect: AbortChild, thread: ThreadLoop) -> None:
    """Tell a child to stop, and wait until it has told its end."""
    child = thread.state.family.child_of(effect.task_id, effect.run)
    if child is not None:
        await _signal(child.thread_id, "stop_child", StopChild(by=thread.input.thread_id))
    run = RunChild(task_id=effect.task_id, run=effect.run)
    await workflow.wait_condition(lambda: not _is_awaited(thread, run))


@carries
async def _notify_parent(effect: NotifyParent, thread: ThreadLoop) -> None:
    """Tell the parent where this thread stands now; one that is gone is told nothing any more."""
    now: ChildReport | None = report_of(thread.state)
    opened = thread.state.opened
    if now is None or opened is None or opened.parent is None:
        return
    report = now.model_copy(update={"number": effect.number})
    gone = await _signal(opened.parent.thread_id, "note_child", NoteChild(report=report))
    if gone:
        workflow.logger.info("parent has ended", extra={"thread_id": opened.parent.thread_id})
    thread.submit(MarkParentNotified(report=report))
