"""What a task's workflow carries out: turns, verification steps, waits, and word to its thread."""

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, is_cancelled_exception

from activities.threads import Settling
from activities.turns import Sessions, Turns
from activities.verification import Verification
from domain.agents.agents import READERS, SessionRole, TurnInput
from domain.agents.limits.tool_filters import ToolFilter
from domain.conversations.calls import CloseSessionCall, TurnCall
from domain.conversations.questions.state import Questions
from domain.core.command import Answer, Command
from domain.core.effects import LeasePortCall
from domain.core.ids import SessionId, StreamId, TurnId
from domain.core.progress import TaskProgress
from domain.tasks.agent_commands import RequestPort
from domain.tasks.commands import BeginTurn, EndStep, EndTurn, EndWait, GrantPort
from domain.tasks.inputs import TaskInput
from domain.tasks.progress import progress_of
from domain.tasks.prompts import primer_of, prompt_of
from domain.tasks.resources import RESOURCES, port_answer
from domain.tasks.reviewers import time_left
from domain.tasks.rules import AwaitProvider
from domain.tasks.state import Seat, TaskState
from domain.tasks.terminal_commands import ReleasePort
from domain.threads.commands import NoteProgress
from domain.verification.calls import StepCall
from domain.verification.steps import StepResult, VerificationStep, is_last_of
from workflows import options
from workflows.failed_turns import failed_turn
from workflows.questions import QuestionLoop
from workflows.timers import wait_until


class TaskEffects(QuestionLoop[TaskState]):
    """The effects of a task's run; what is under way when is decided by its workflow."""

    _input: TaskInput
    _queue: str
    _told: TaskProgress | None

    @property
    def questions(self) -> Questions:
        """The questions of its agents."""
        return self._state.questions

    _closed: set[SessionId]

    async def take(self, command: Command) -> Answer:
        """Take a command from a door; a port is leased, or given back, before it is answered."""
        answer = await super().take(command)
        if isinstance(command, ReleasePort) and answer.data:
            await self._give_back(command.port_id)
        if not isinstance(command, RequestPort):
            return answer
        earlier = self._state.ports.get(command.port_id)
        call = LeasePortCall(owner=self._input.workspace.workspace_id, port_id=command.port_id)
        number = await self.run_activity(
            Settling.lease_port,
            call,
            options.on(self._queue, options.SHORT),
        )
        self.submit(GrantPort(port_id=command.port_id, number=number, at=workflow.now()))
        return port_answer(command.port_id, number, earlier)

    async def _give_back(self, port_id: str) -> None:
        call = LeasePortCall(owner=self._input.workspace.workspace_id, port_id=port_id)
        where = options.on(self._queue, options.SHORT)
        await self.run_activity(Settling.release_port, call, where)

    def _must_tell(self) -> bool:
        """Tell whether the thread does not know how far this run is."""
        progress = progress_of(self._state)
        return progress is not None and progress != self._told

    async def _tell_thread(self) -> None:
        """Tell the thread what is so now: what starts with this may have changed it."""
        progress = progress_of(self._state)
        if progress is None or progress == self._told:
            return
        self._told = progress
        thread = workflow.get_external_workflow_handle(self._input.thread_id)
        try:
            await thread.signal("note_progress", NoteProgress(progress=progress))
        except ApplicationError:
            workflow.logger.info("the thread has ended", extra={"task_id": progress.task_id})

    async def _wait(self, wait: AwaitProvider) -> None:
        if await wait_until(wait.until):
            self.submit(EndWait(turn_id=wait.turn_id))

    async def _run_turn(self) -> None:
        """Begin the next turn, or go on with the one that was refused."""
        self.submit(BeginTurn())
        state, task = self._state, self._input
        if state.running_turn is None:
            return  # the budget is used up
        seat = state.seats[state.running_seat]
        turn = _turn_of(task, state, seat, state.running_turn)
        try:
            result = await self.run_activity(
                Turns.run_agent_turn,
                TurnCall(turn=turn),
                options.on(self._queue, options.TURN),
            )
        except ActivityError as error:
            result = failed_turn(turn, error)
        self.submit(EndTurn(result=result))
        still = self._state.reviewing
        is_review = seat.role is SessionRole.CODE_REVIEWER
        if is_review and (still is None or still.session_id != seat.session_id):
            await self._close(seat)

    async def _close(self, seat: Seat) -> None:
        """End a session and remove the worktree that it has of its own."""
        own = self._input.workspace_of(seat) if seat.role in READERS else None
        call = CloseSessionCall(session_id=seat.session_id, workspace=own)
        where = options.on(self._queue, options.GIT)
        try:
            await self.run_activity(Sessions.close_session, call, where)
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            workflow.logger.warning("session not released", extra={"reason": str(error.cause)})
        self._closed.add(seat.session_id)

    async def _run_step(self, attempt: int, step: VerificationStep) -> None:
        state = self._state
        ran = state.attempt.steps if state.attempt else ()
        is_first = all(result.step_id == RESOURCES or result.reviewed_by for result in ran)
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
            is_last=is_last_of(state.steps, step),
        )
        where = options.on(self._queue, options.STEP)
        try:
            answer = await self.run_activity(Verification.run_verification_step, call, where)
            result = answer.result
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            output = f"could not run: {error.cause or error}"
            result = StepResult(
                step_id=step.id,
                label=step.label,
                passed=False,
                is_required=step.required,
                is_executed=False,
                output=output,
            )
        self.submit(EndStep(attempt=attempt, result=result))


def _turn_of(task: TaskInput, state: TaskState, seat: Seat, turn_id: TurnId) -> TurnInput:
    commit = task.commit_spec(turn_id, len(state.attempts) + 1)
    return TurnInput(
        turn_id=turn_id,
        session_id=seat.session_id,
        owner=StreamId(task.workflow_id),
        thread_id=task.thread_id,
        role=seat.role,
        agent=seat.agent,
        model=seat.model,
        options=seat.options or (task.options if seat.agent == task.agent else {}),
        prompt=prompt_of(task, state),
        primer=primer_of(task, state),
        workspace=task.workspace_of(seat),
        agent_session=seat.agent_session,
        commit=None if seat.role in READERS else commit,
        reviewed=state.reviewed,
        tools=ToolFilter(allowed=task.task.allowed_tools, denied=task.task.denied_tools),
        port_ids=tuple(port.id for port in task.task.ports),
        refusals=state.refusals,
        is_urgent=state.is_urgent,
        answered=state.questions.answers_left(seat.session_id),
        time_limit=time_left(state),
        has_plan_files=task.has_plan_files,
    )
