"""How a thread carries out what its rules want under way: one coroutine for each effect."""

from collections.abc import Iterator
from functools import singledispatch

from temporalio import workflow
from temporalio.exceptions import (
    ActivityError,
    ApplicationError,
    ChildWorkflowError,
    WorkflowAlreadyStartedError,
)

from activities.task_results import TaskCompletion, WatchCall
from domain.agents.agents import PromptName, SessionRole
from domain.conversations.commands import Close
from domain.conversations.reports import EndSessionTurn
from domain.conversations.sessions.rules import ChangeRole, QueuePrompt
from domain.core.ids import WORK, TaskId, task_workflow_id
from domain.core.notices import ResourceWarned
from domain.core.wire import Wire
from domain.tasks.events import TaskEnd
from domain.tasks.inputs import TaskResult
from domain.tasks.running_commands import Abort
from domain.threads.commands import EndTask, MarkDelivered, WakeUp
from domain.threads.effects import (
    AbortTask,
    DeliverPrompt,
    MergeTask,
    RunTask,
    SettleTasks,
    ThreadEffect,
    WaitUntil,
    WatchRuns,
)
from domain.threads.patches import LOST_SESSIONS_ARE_REPLACED
from domain.threads.replacing.commands import LoseSession
from domain.threads.working.commands import HandOver, ReturnMessages
from workflows import children, options
from workflows.left_alone import leave_alone
from workflows.session import SessionWorkflow
from workflows.task import TaskWorkflow
from workflows.thread_loop import ThreadLoop
from workflows.timers import wait_until

ENDED = "its workflow has ended"
"""What is known of a session that cannot be told anything any more."""


@singledispatch
async def carry_out(effect: ThreadEffect, thread: ThreadLoop) -> None:
    """Do what an effect says and tell the rules how it ended."""
    raise NotImplementedError(f"nothing carries out {effect.key} of {thread.input.thread_id}")


carries = carry_out.register
"""Registers the coroutine of an effect; slices with effects of their own use it too."""


@carries
async def _wait(effect: WaitUntil | WatchRuns, thread: ThreadLoop) -> None:
    if await wait_until(effect.at, effect.summary):
        thread.submit(WakeUp())


@carries
async def _deliver(effect: DeliverPrompt, thread: ThreadLoop) -> None:
    """Open a session with its first prompt, queue a later one, or close it."""
    if effect.is_for_work:
        await _deliver_to_work(effect, thread)
        return
    failure, lost, session_id, prompt = "", "", effect.session_id, effect.prompt
    is_gone = effect.role is SessionRole.TASK and session_id not in thread.started
    if session_id not in thread.started and prompt is not None:
        thread.started.add(session_id)
        started = children.session_input(
            thread.input, thread.state, session_id, effect.prompt_key, prompt
        )
        try:
            with thread.begins(session_id):
                session = await workflow.start_child_workflow(
                    SessionWorkflow.run, started, id=session_id, **children.session_options(started)
                )
            leave_alone(session)
        except WorkflowAlreadyStartedError:
            failure = f"another workflow has the id {session_id}: end it"
    elif session_id in thread.started:
        try:
            await _tell(effect, thread)
        except ApplicationError:
            workflow.logger.info("session has ended", extra={"session_id": session_id})
            if thread.state.has_patch(LOST_SESSIONS_ARE_REPLACED):
                thread.submit(LoseSession(session_id=session_id, reason=ENDED))
                return
            is_own = prompt is not None and prompt.name is PromptName.OWN_TURN
            lost = f"session {session_id} has ended" if is_own else ""
            is_gone = effect.role is SessionRole.TASK
    thread.submit(MarkDelivered(key=effect.prompt_key))
    if is_gone:
        thread.submit(HandOver(session_id=session_id, is_gone=True))
    if failure:
        thread.record((ResourceWarned(message=failure),))
    if failure or lost:
        key, why = effect.prompt_key, failure or lost
        thread.submit(EndSessionTurn(session_id=session_id, turn=0, prompt_key=key, failure=why))


async def _tell(effect: DeliverPrompt, thread: ThreadLoop) -> None:
    """Signal an open session what it is to know.

    Raises:
        ApplicationError: Its workflow has ended.
    """
    session = workflow.get_external_workflow_handle(effect.session_id)
    for name, message in _messages(effect, thread):
        await session.signal(name, message)


def _messages(effect: DeliverPrompt, thread: ThreadLoop) -> Iterator[tuple[str, Wire]]:
    """Yield what a session that is open is told, by signal."""
    role, prompt = effect.role, effect.prompt
    if role is not None:
        yield "change_role", ChangeRole(role=role, is_reset=effect.is_reset, turns=effect.turns)
    if prompt is not None:
        is_on = thread.state.plan_files.is_on
        yield (
            "queue_prompt",
            QueuePrompt(key=effect.prompt_key, prompt=prompt, has_plan_files=is_on),
        )
    if role is None and prompt is None:
        yield "close", Close(by="treadle", addressed_to=effect.session_id)


async def _deliver_to_work(effect: DeliverPrompt, thread: ThreadLoop) -> None:
    """Give a message to the run that takes the session's turns; one that ended gets none."""
    entry = thread.state.work
    if entry is None or effect.prompt is None:
        return
    run = entry.run
    await workflow.wait_condition(
        lambda: f"{WORK}:{run}" in thread.begun or not _is_awaited(thread, WORK, run)
    )
    if all(prompt.key != effect.prompt_key for prompt in thread.state.prompts):
        return  # it began with it
    task = workflow.get_external_workflow_handle(task_workflow_id(thread.input.thread_id, WORK))
    try:
        queued = QueuePrompt(key=effect.prompt_key, prompt=effect.prompt)
        await task.signal("queue_prompt", queued)
    except ApplicationError:
        # its end is on the way: then the session has the message
        await workflow.wait_condition(lambda: not _is_awaited(thread, WORK, run))
        return
    thread.submit(MarkDelivered(key=effect.prompt_key))


@carries
async def _run_task(effect: RunTask, thread: ThreadLoop) -> None:
    """Start a task's run, or go on waiting for it, and take its report."""
    task_id, run = effect.task_id, effect.run
    try:
        result = await _result_of(thread, task_id, run)
    except (ChildWorkflowError, ActivityError) as error:
        reason = f"the task's workflow ended by itself: {error.cause or error}"
        result = TaskResult(task_id=task_id, run=run, end=TaskEnd.FAILED, reason=reason)
    except WorkflowAlreadyStartedError as error:
        reason = f"another workflow has the id {error.workflow_id}: end it, then retry the task"
        result = TaskResult(task_id=task_id, run=run, end=TaskEnd.FAILED, reason=reason)
    if (result.task_id, result.run) != (task_id, run):
        reason = "the task's workflow reported another run"
        result = TaskResult(task_id=task_id, run=run, end=TaskEnd.FAILED, reason=reason)
    thread.outbox.forward(result.events, result.headlines)
    report = result.model_dump(exclude={"events", "headlines", "unread"})
    thread.submit(EndTask.model_validate(report))
    if result.unread:
        thread.submit(ReturnMessages(messages=result.unread))


async def _result_of(thread: ThreadLoop, task_id: TaskId, run: int) -> TaskResult:
    """Start a task's run; what is none of ours, or a run that started before, is waited for."""
    key = f"{task_id}:{run}"
    workflow_id = task_workflow_id(thread.input.thread_id, task_id)
    if key not in thread.started:
        thread.started.add(key)
        started = children.task_input(thread.input, thread.state, task_id, run)
        with thread.begins(workflow_id):
            task = await workflow.start_child_workflow(
                TaskWorkflow.run, started, id=workflow_id, **children.task_options(started)
            )
        thread.begun.add(key)
        for message in started.said:
            thread.submit(MarkDelivered(key=message.key))
        result = await task
        if thread.is_genuine(result):
            return result
    watch = WatchCall(workflow_id=workflow_id, run=run)
    while True:
        named = options.named(options.WATCH, thread.outbox.number_effect(), watch)
        result = await workflow.execute_activity_method(TaskCompletion.await_task, watch, **named)
        if thread.is_genuine(result):
            return result


@carries
async def _abort_task(effect: AbortTask, thread: ThreadLoop) -> None:
    """Tell a task to abort, and wait until its run has ended."""
    task_id, run = effect.task_id, effect.run
    workflow_id = task_workflow_id(thread.input.thread_id, task_id)
    handle = workflow.get_external_workflow_handle(workflow_id)
    try:
        entry = thread.state.tasks.get(task_id)
        by = entry.aborted_by if entry else ""
        await handle.signal("abort", Abort(by=by or "the thread", addressed_to=workflow_id))
    except ApplicationError:
        workflow.logger.info("task has ended", extra={"task_id": task_id})
    await workflow.wait_condition(lambda: not _is_awaited(thread, task_id, run))


def _is_awaited(thread: ThreadLoop, task_id: TaskId, run: int) -> bool:
    entry = thread.state.tasks.get(task_id)
    return entry is not None and entry.run == run and entry.end is None


@carries
async def _settle(effect: MergeTask, thread: ThreadLoop) -> None:
    """Merge and release a run; the thread is the only writer of its branch."""
    ended = await children.settle(thread, thread.input, thread.state, effect.task_id, effect.run)
    thread.submit(ended)


@carries
async def _settle_all(effect: SettleTasks, thread: ThreadLoop) -> None:
    """Settle the runs that wait."""
    del effect
    for ended in await children.settle_all(thread, thread.input, thread.state):
        thread.submit(ended)
