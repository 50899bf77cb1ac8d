"""What a task's workflow carries out: turns, verification steps, waits, and word to its thread."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, is_cancelled_exception
from temporalio.workflow import ActivityConfig

from activities.edits import Edits
from activities.threads import Settling
from activities.verification import Verification
from domain.agents.agents import READERS, SessionRole, TurnInput, TurnResult
from domain.agents.limits.tool_filters import ToolFilter
from domain.conversations.conversation import Conversation
from domain.conversations.inputs import turn_input
from domain.core.command import Answer, Command
from domain.core.effects import Effect, LeasePortCall
from domain.core.ids import SessionId, StreamId, TurnId
from domain.core.moves import HostMove
from domain.core.progress import TaskProgress
from domain.hosts.lost_work import WORK_LOST
from domain.tasks.agent_commands import RequestPort
from domain.tasks.commands import EndStep, GrantPort, LeaveHost
from domain.tasks.edit_calls import EditCall, Edited
from domain.tasks.edits import EndEdits
from domain.tasks.effects import ApplyEdits, RunStep, TaskEffect
from domain.tasks.events import TaskEnd
from domain.tasks.inputs import TaskInput
from domain.tasks.progress import progress_of
from domain.tasks.prompts import primer_of, prompt_of
from domain.tasks.resources import RESOURCES, port_answer
from domain.tasks.reviewers import time_left
from domain.tasks.state import TaskState
from domain.tasks.terminal_commands import ReleasePort
from domain.threads.commands import NoteProgress
from domain.verification.calls import StepBeside, StepCall
from domain.verification.side_by_side import is_last_group, unfinished_beside
from domain.verification.steps import StepResult, VerificationStep
from workflows import options
from workflows.conversations import ConversationLoop
from workflows.failures import words_of
from workflows.loop import Start

A = TypeVar("A")
C = TypeVar("C", bound=Effect)
R = TypeVar("R")


class TaskEffects(ConversationLoop[TaskState, TaskEffect]):
    """The effects of a task's run."""

    _input: TaskInput
    _queue: str
    _reported: TaskProgress | None
    _closed: set[SessionId]
    _leasing: asyncio.Lock

    async def take(self, command: Command) -> Answer:
        """Take a command from a door; a port is leased, or given back, before it is answered."""
        answer = await super().take(command)
        if isinstance(command, ReleasePort) and answer.data:
            await self._give_back(command.port_id)
        if not isinstance(command, RequestPort):
            return answer
        earlier = self._state.ports.get(command.port_id)
        number = await self._lease(command.port_id)
        return port_answer(command.port_id, number, earlier)

    async def _give_back(self, port_id: str) -> None:
        call = LeasePortCall(owner=self._input.workspace.workspace_id, port_id=port_id)
        where = options.on(self._queue, options.SHORT)
        await self.run_activity(Settling.release_port, call, where)

    # --- the host

    def go_on_at(self, move: HostMove) -> None:
        """Keep in mind where it is now, and that its ports and terminals were on the host before."""
        held = tuple(dict.fromkeys((*self._input.unleased, *self._state.ports)))
        self._change_input(host=move.host, generation=move.generation, unleased=held)
        self.submit(LeaveHost())

    def _change_input(self, **changes: object) -> None:
        self._given = self._input = self._input.model_copy(update=changes)

    async def called_again(self, call: C) -> C:
        """Return a call for another host: of steps with the ports that the run holds there."""
        if isinstance(call, LeasePortCall):
            return call
        await self._lease_again()
        return (
            call.model_copy(update={"ports": self._state.ports})
            if isinstance(call, StepCall)
            else call
        )

    async def _lease_again(self) -> None:
        """Lease the ports that the run held on the host before."""
        async with self._leasing:
            while self._input.unleased:
                port_id, *left = self._input.unleased
                await self._lease(port_id)
                self._change_input(unleased=tuple(left))

    async def _lease(self, port_id: str) -> int:
        call = LeasePortCall(owner=self._input.workspace.workspace_id, port_id=port_id)
        where = options.on(self._queue, options.SHORT)
        number = await self.run_activity(Settling.lease_port, call, where)
        self.submit(GrantPort(port_id=port_id, number=number, at=workflow.now()))
        return number

    def reports(self) -> dict[str, Start]:
        """Return what the thread is still to be told: of answers, and how far this run is."""
        is_known = self._news is None
        return super().reports() | ({} if is_known else {"progress": self._report_progress})

    @property
    def _news(self) -> TaskProgress | None:
        """What the thread was not told yet."""
        progress = progress_of(self._state)
        return None if progress == self._reported else progress

    async def run_activity(
        self, method: Callable[[A, C], Awaitable[R]], call: C, how: ActivityConfig
    ) -> R:
        """Run an activity, which tells the thread how far this run is."""
        news = self._news
        if news is None or not self._input.carries_progress:
            return await super().run_activity(method, call, how)
        self._reported = news
        # words of the workflow's own come after what an activity tells before and before what one tells later
        told = news.model_copy(update={"order": 2 * self._outbox.loads + 2})
        return await super().run_activity(method, call.model_copy(update={"progress": told}), how)

    async def _report_progress(self) -> None:
        """Tell the thread what is so now: what starts with this may have changed it, or tell it."""
        progress = self._news
        if progress is None:
            return
        self._reported = progress
        if self._input.carries_progress:
            progress = progress.model_copy(update={"order": 2 * self._outbox.loads + 1})
        thread = workflow.get_external_workflow_handle(self._input.thread_id)
        try:
            await thread.signal("note_progress", NoteProgress(progress=progress))
        except ApplicationError:
            workflow.logger.info("the thread has ended", extra={"task_id": progress.task_id})

    def carry_out(self, effect: TaskEffect) -> Coroutine[Any, Any, None]:
        """Return what carries out a step, a person's edits, a turn, or the wait for its provider."""
        if isinstance(effect, ApplyEdits):
            return self._apply_edits()
        return self._run_step(effect) if isinstance(effect, RunStep) else super().carry_out(effect)

    async def _apply_edits(self) -> None:
        """Apply the suggestions that a person accepted; that they were not is told them."""
        state, editing = self._state, self._state.editing
        if editing is None or state.snapshot is None:
            return
        call = EditCall(
            workspace=self._input.workspace,
            snapshot=state.snapshot,
            suggestions=editing.suggestions,
            commit=self._input.edit_spec(editing, len(state.attempts) + 1),
            reviewed=state.reviewed,
        )
        where = options.on(self._queue, options.GIT_BRIEFLY)
        try:
            done = await self.run_activity(Edits.apply_suggestions, call, where)
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            done = Edited(failure=await self._taken_back(call, words_of(error)))
        self.submit(EndEdits(key=editing.key, snapshot=done.snapshot, failure=done.failure))

    async def _taken_back(self, call: EditCall, why: str) -> str:
        """Take out again what attempts that failed may have written; returns what a person is told."""
        where = options.on(self._queue, options.GIT_BRIEFLY)
        try:
            await self.run_activity(Edits.take_back_suggestions, call, where)
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            return f"{why}; the lines may still be in the task's files: {words_of(error)}"
        return why

    def turn_input(self) -> TurnInput | None:
        """Return what the running turn's agent is given; None where none runs."""
        conversation = self._state.running
        return _turn_of(self._input, self._state, conversation) if conversation else None

    async def after_turn(self, turn: TurnInput, result: TurnResult) -> None:
        """End the agent of a review that was made."""
        del result
        still = self._state.reviewing
        is_over = still is None or still.session_id != turn.session_id
        if turn.role is SessionRole.CODE_REVIEWER and is_over:
            await self._close(self._state.conversations[turn.session_id])

    async def _close(self, conversation: Conversation) -> None:
        """End a conversation's agent and remove the worktree that it has of its own."""
        is_reader = conversation.role in READERS
        own = self._input.workspace_of(conversation) if is_reader else None
        is_aborted = self._state.end is TaskEnd.CANCELLED
        patience = options.GONE_PATIENCE if is_aborted else None
        await self.close_agent(conversation.session_id, own, patience)
        self._closed.add(conversation.session_id)

    async def _run_step(self, effect: RunStep) -> None:
        if self._input.unleased:
            await self._lease_again()
        attempt, step, state = effect.attempt, effect.step, self._state
        ran = state.attempt.steps if state.attempt else ()
        is_first = all(result.step_id == RESOURCES or result.reviewed_by for result in ran)
        beside = unfinished_beside(state.steps, state.attempt, step)
        call = StepCall(
            key=self._outbox.step_id(attempt, step.id),
            stream=StreamId(self._input.workflow_id),
            attempt=attempt,
            step=step,
            workspace=self._input.workspace,
            commit=state.snapshot.commit if is_first and state.snapshot else None,
            subject=state.snapshot.commit if state.snapshot else None,
            ports=state.ports,
            recipe=self._input.recipe,
            is_last=is_last_group(state.steps, state.attempt, (step, *beside)),
            beside=tuple(
                StepBeside(key=self._outbox.step_id(attempt, other.id), step=other)
                for other in beside
            ),
        )
        where = options.on(self._queue, options.STEP)
        try:
            answer = await self.run_activity(Verification.run_verification_step, call, where)
            result = answer.result
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            result = _not_run(step, error)
        self.submit(EndStep(attempt=attempt, result=result))


def _not_run(step: VerificationStep, error: ActivityError) -> StepResult:
    """Return the result of a step whose activity failed."""
    is_lost = getattr(error.cause, "type", None) == WORK_LOST
    return StepResult(
        step_id=step.id,
        label=step.label,
        passed=False,
        is_required=step.required,
        is_executed=False,
        is_lost=is_lost,
        output=f"could not run: {words_of(error) if is_lost else error.cause or error}",
    )


def _turn_of(task: TaskInput, state: TaskState, conversation: Conversation) -> TurnInput:
    turn_id = state.turn.turn_id if state.turn else TurnId("")
    commit = task.commit_spec(turn_id, len(state.attempts) + 1)
    of_task = task.options if conversation.agent == task.agent else {}
    return turn_input(
        state,
        conversation,
        owner=StreamId(task.workflow_id),
        thread_id=task.thread_id,
        options=conversation.options or of_task,
        prompt=prompt_of(task, state),
        primer=primer_of(task, state),
        workspace=task.workspace_of(conversation),
        commit=None if conversation.role in READERS else commit,
        reviewed=state.reviewed,
        tools=ToolFilter(allowed=task.task.allowed_tools, denied=task.task.denied_tools),
        port_ids=tuple(port.id for port in task.task.ports),
        time_limit=time_left(state),
        has_plan_files=task.has_plan_files,
        money=task.money,
        work=task.task.mode,
    )
