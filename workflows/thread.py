"""ThreadWorkflow: sessions, plans, the task graph and its merges (architecture, section 4)."""

from functools import partial
from typing import Any

from temporalio import workflow
from temporalio.exceptions import (
    ActivityError,
    ApplicationError,
    ChildWorkflowError,
    WorkflowAlreadyStartedError,
)
from temporalio.workflow import ActivityConfig

from activities.threads import Opening
from activities.watching import WatchCall, Watching
from domain.agents import Prompt
from domain.commands import THREAD_COMMANDS, Abort, Answer, Close, Command, ProposePlan
from domain.decisions import Decided
from domain.effects import OpenThreadCall
from domain.errors import InvalidPlanError
from domain.events import EventBody, Headline
from domain.events.task import TaskEnd
from domain.events.thread import ResourceWarned
from domain.ids import SessionId, StreamId, TaskId, task_workflow_id
from domain.sessions.rules import QueuePrompt
from domain.tasks.inputs import TaskResult
from domain.threads import planning, rules
from domain.threads.commands import (
    AbortTask,
    DeliverPrompt,
    EndSessionTurn,
    EndTask,
    MarkDelivered,
    MergeTask,
    OpenThread,
    RunTask,
)
from domain.threads.evolution import evolve
from domain.threads.inputs import ThreadInput
from domain.threads.state import ThreadState
from domain.wire import Wire
from workflows import children, options
from workflows.attributes import Shown
from workflows.doors import doors, told
from workflows.loop import Loop, Start
from workflows.outbox import MAX_TITLE, Outbox
from workflows.session import SessionWorkflow
from workflows.task import TaskWorkflow


@workflow.defn(name="Thread")
@doors(*THREAD_COMMANDS)
class ThreadWorkflow(Loop[ThreadState]):
    """A thread lives on after its plan: it can be talked to, and plan again."""

    @workflow.init
    def __init__(self, thread: ThreadInput) -> None:
        stream = thread.thread_id
        super().__init__(
            Outbox(stream, stream, thread.events_so_far, thread.effects_so_far), thread.answered
        )
        self._input = thread
        self._state = thread.carried or ThreadState(thread_id=thread.thread_id)
        self._started = set(thread.started)
        self._refusal: ApplicationError | None = None
        self._shown = Shown("idle")

    @workflow.run
    async def run(self, thread: ThreadInput) -> str:
        """Open the repository, then take commands for ever; a refused opening ends at once."""
        is_carried = thread.carried is not None
        self.check_start(thread.thread_id, thread.thread_id, is_carried=is_carried, is_child=False)
        if not is_carried:
            await self._open()
        if self._refusal is not None:
            await workflow.wait_condition(workflow.all_handlers_finished)
            return f"not opened: {self._refusal.message}"
        if await self.live():
            carried = {
                "carried": self._state.without_old_texts(),
                "started": tuple(sorted(self._started)),
                "events_so_far": self._outbox.numbered,
                "effects_so_far": self._outbox.loads,
                "answered": self._answered,
            }
            workflow.continue_as_new(thread.model_copy(update=carried))
        return "closed"

    async def _open(self) -> None:
        thread = self._input
        call = OpenThreadCall(
            thread_id=thread.thread_id,
            repository=thread.repository,
            agent=thread.agent,
            template=thread.template,
        )
        try:
            opened = await self.run_activity(Opening.open_thread, call, options.GIT)
        except ActivityError as error:
            cause = error.cause
            if not isinstance(cause, ApplicationError):
                raise
            self._refusal = cause
            return
        self.submit(
            OpenThread(
                thread_id=thread.thread_id,
                goal=thread.goal,
                agent=thread.agent,
                model=thread.model,
                opened=opened,
                is_planned=thread.is_planned,
                max_parallel_tasks=thread.max_parallel_tasks,
                by=thread.opened_by,
            )
        )

    @workflow.update(name="open")
    async def open(self, *_: Any) -> Answer:
        """Wait until the thread is open; answers what was found, or why it was refused."""
        await workflow.wait_condition(
            lambda: self._refusal is not None or self._state.opened is not None
        )
        if self._refusal is not None:
            raise ApplicationError(
                self._refusal.message, type=self._refusal.type, non_retryable=True
            )
        await workflow.wait_condition(lambda: self._outbox.is_empty)
        opened = self._state.opened
        facts = opened.facts.model_dump(mode="json") if opened else {}
        return Answer(message=self._input.thread_id, data=facts)

    @workflow.signal(name="end_session_turn")
    def end_session_turn(self, *payloads: Any) -> None:
        """A planner's turn is over; told by its session."""
        if (ended := told(EndSessionTurn, payloads)) is not None:
            self.submit(ended)

    async def take(self, command: Command) -> Answer:
        """Take a command from a door once the thread is open; a bad plan leaves a trace."""
        await workflow.wait_condition(
            lambda: self._refusal is not None or self._state.opened is not None
        )
        try:
            return await super().take(command)
        except InvalidPlanError as error:
            if isinstance(command, ProposePlan):
                self.record((planning.refused_plan(command, error),))
            raise

    # --- the loop's questions

    def decide(self, command: Wire) -> Decided:
        """See domain/threads/rules.py."""
        return rules.decide(self._state, command)

    def evolve(self, event: EventBody) -> ThreadState:
        """See domain/threads/evolution.py."""
        return evolve(self._state, event)

    @property
    def is_over(self) -> bool:
        """A thread is never over by itself."""
        return False

    def can_resume(self, key: str) -> bool:
        """Runs of tasks go on by themselves; the next run of the thread waits for them."""
        return key.startswith(("run:", "abort:"))

    def is_carrier(self, key: str) -> bool:
        """Merges are brief and follow one another."""
        return key.startswith("settle:")

    def effects(self) -> dict[str, Start]:
        """Prompts to deliver, tasks to run or abort, the merge whose turn it is."""
        return dict(map(self._effect, rules.todo(self._state)))

    def _effect(self, effect: rules.ThreadEffect) -> tuple[str, Start]:
        match effect:
            case DeliverPrompt(key=key, session_id=session_id, prompt=prompt):
                return f"tell:{key}", partial(self._deliver, key, session_id, prompt)
            case RunTask(task_id=task_id, run=run):
                return f"run:{task_id}:{run}", partial(self._run_task, task_id, run)
            case AbortTask(task_id=task_id, run=run):
                return f"abort:{task_id}:{run}", partial(self._abort_task, task_id, run)
            case MergeTask(task_id=task_id, run=run):
                return f"settle:{task_id}:{run}", partial(self._settle, task_id, run)

    def show(self) -> None:
        """Put the headline, the details and the attributes right."""
        state, thread = self._state, self._input
        repository = state.opened.facts.root if state.opened else thread.repository
        self._outbox.show(
            Headline(
                stream=StreamId(thread.thread_id),
                kind="thread",
                title=(state.goal or thread.goal)[:MAX_TITLE],
                project=repository,
                status=state.status,
                waiting_for=state.waiting_for[:MAX_TITLE],
            )
        )
        self._shown.show(state.status, state.waiting_for, children.thread_details(state))

    # --- effects

    async def _deliver(self, key: str, session_id: SessionId, prompt: Prompt | None) -> None:
        """Open a session with its first prompt, queue a later one, or close it."""
        failure = ""
        if session_id not in self._started and prompt is not None:
            self._started.add(session_id)
            started = children.session_input(self._input, self._state, session_id, key, prompt)
            try:
                await workflow.start_child_workflow(
                    SessionWorkflow.run,
                    started,
                    id=session_id,
                    **children.session_options(started),
                )
            except WorkflowAlreadyStartedError:
                failure = f"another workflow has the id {session_id}: end it"
        elif session_id in self._started:
            session = workflow.get_external_workflow_handle(session_id)
            is_closing = prompt is None
            message = Close(by="treadle") if is_closing else QueuePrompt(key=key, prompt=prompt)
            try:
                await session.signal("close" if is_closing else "queue_prompt", message)
            except ApplicationError:
                workflow.logger.info("session has ended", extra={"session_id": session_id})
        self.submit(MarkDelivered(key=key))
        if failure:
            self.record((ResourceWarned(message=failure),))
            self.submit(EndSessionTurn(session_id=session_id, turn=0, failure=failure))

    async def _run_task(self, task_id: TaskId, run: int) -> None:
        """Start a task's run, or go on waiting for it, and take its report."""
        try:
            result = await self._result_of(task_id, run)
        except (ChildWorkflowError, ActivityError) as error:
            reason = f"the task's workflow ended by itself: {error.cause or error}"
            result = TaskResult(task_id=task_id, run=run, end=TaskEnd.FAILED, reason=reason)
        except WorkflowAlreadyStartedError as error:
            reason = f"another workflow has the id {error.workflow_id}: end it, then retry the task"
            result = TaskResult(task_id=task_id, run=run, end=TaskEnd.FAILED, reason=reason)
        if (result.task_id, result.run) != (task_id, run):
            reason = "the task's workflow reported another run"
            result = TaskResult(task_id=task_id, run=run, end=TaskEnd.FAILED, reason=reason)
        self._outbox.forward(result.events, result.headlines)
        report = result.model_dump(exclude={"events", "headlines"})
        self.submit(EndTask.model_validate(report))

    async def _result_of(self, task_id: TaskId, run: int) -> TaskResult:
        """Start a task's run; what is none of ours, or a run that started before, is waited for."""
        key = f"{task_id}:{run}"
        workflow_id = task_workflow_id(self._input.thread_id, task_id)
        if key not in self._started:
            self._started.add(key)
            started = children.task_input(self._input, self._state, task_id, run)
            result = await workflow.execute_child_workflow(
                TaskWorkflow.run, started, id=workflow_id, **children.task_options(started)
            )
            if self.is_genuine(result):
                return result
        watch = WatchCall(workflow_id=workflow_id, run=run)
        while True:
            named: ActivityConfig = {**options.WATCH, "activity_id": self._outbox.number_effect()}
            result = await workflow.execute_activity_method(Watching.await_task, watch, **named)
            if self.is_genuine(result):
                return result

    async def _abort_task(self, task_id: TaskId, run: int) -> None:
        """Tell a task to abort, and wait until its run has ended."""
        workflow_id = task_workflow_id(self._input.thread_id, task_id)
        handle = workflow.get_external_workflow_handle(workflow_id)
        try:
            await handle.signal("abort", Abort(by="the thread"))
        except ApplicationError:
            workflow.logger.info("task has ended", extra={"task_id": task_id})
        await workflow.wait_condition(
            lambda: (
                self._state.tasks[task_id].end is not None or self._state.tasks[task_id].run != run
            )
        )

    async def _settle(self, task_id: TaskId, run: int) -> None:
        """Merge and release a run; the thread is the only writer of its branch."""
        self.submit(await children.settle(self, self._input, self._state, task_id, run))
