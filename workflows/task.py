"""TaskWorkflow: one run of a task, from its first turn to its gate (architecture, section 4)."""

from functools import partial

from temporalio import workflow
from temporalio.exceptions import ActivityError, is_cancelled_exception
from temporalio.exceptions import TimeoutError as TimedOutError

from activities.threads import Settling
from activities.turns import Turns
from activities.verification import Verification
from domain.agents import SessionRole, StopReason, TurnInput, TurnResult
from domain.commands import TASK_COMMANDS, Answer, Command, RequestPort
from domain.decisions import Decided
from domain.effects import LeasePortCall, StepCall, TurnCall
from domain.errors import WORKER_LOST
from domain.events import EventBody, Headline
from domain.events.task import TaskEnd
from domain.ids import StreamId, host_queue
from domain.tasks import rules
from domain.tasks.commands import BeginTurn, EndStep, EndTurn, GrantPort, OpenTask
from domain.tasks.inputs import TaskInput, TaskResult, prompt_of
from domain.tasks.outcomes import RESOURCES
from domain.tasks.rules import RunStep, RunTurn
from domain.tasks.state import Phase, TaskState, evolve
from domain.verification import StepResult, VerificationStep
from domain.wire import Wire
from workflows import options
from workflows.attributes import Shown
from workflows.doors import doors
from workflows.loop import Loop, Start
from workflows.outbox import MAX_TITLE, Outbox
from workflows.starts import check_start


@workflow.defn(name="Task")
@doors(*TASK_COMMANDS)
class TaskWorkflow(Loop[TaskState]):
    """Turn, verification, gate; the thread merges what is accepted."""

    @workflow.init
    def __init__(self, task: TaskInput) -> None:
        prefix = f"{task.workflow_id}.{task.run}"
        super().__init__(
            Outbox(task.workflow_id, prefix, task.events_so_far, task.effects_so_far), task.answered
        )
        self._input = task
        self._state = task.carried or TaskState()
        self._queue = host_queue(task.host)
        self._shown = Shown("running")

    @workflow.run
    async def run(self, task: TaskInput) -> TaskResult:
        """Run until the work is accepted, failed or aborted; returns what nobody journaled yet."""
        is_carried = task.carried is not None
        check_start(task.workflow_id, task.thread_id, is_carried=is_carried, is_child=True)
        if not is_carried:
            self.submit(
                OpenTask(
                    task=task.task,
                    run=task.run,
                    session_id=task.session_id,
                    agent=task.agent,
                    model=task.model,
                    branch=task.branch,
                    max_retries=task.max_retries,
                    is_gate_automatic=task.is_gate_automatic,
                    conflict=task.conflict,
                )
            )
        if await self.live():
            carried = {
                "carried": self._state.without_old_texts(),
                "events_so_far": self._outbox.numbered,
                "effects_so_far": self._outbox.loads,
                "answered": self._answered,
            }
            workflow.continue_as_new(task.model_copy(update=carried))
        await self.drain()
        return self._result()

    def _result(self) -> TaskResult:
        state = self._state
        return TaskResult(
            task_id=self._input.task.id,
            run=state.run,
            end=state.end or TaskEnd.FAILED,
            reason=state.reason,
            commit=state.snapshot.commit if state.snapshot else None,
            attempts=len(state.attempts),
            duration_ms=state.work_ms,
            events=self._outbox.waiting,
            headlines=self._outbox.headlines,
        )

    # --- the loop's questions

    def decide(self, command: Wire) -> Decided:
        """See domain/tasks/rules.py."""
        return rules.decide(self._state, command)

    def evolve(self, event: EventBody) -> TaskState:
        """See domain/tasks/state.py."""
        return evolve(self._state, event)

    @property
    def is_over(self) -> bool:
        """Whether the run has ended."""
        return self._state.phase is Phase.ENDED

    def effects(self) -> dict[str, Start]:
        """The turn or the step that must be under way."""
        match rules.todo(self._state):
            case RunTurn(number=number):
                return {f"turn-{number}": self._run_turn}
            case RunStep(attempt=attempt, step=step):
                return {f"step-{attempt}-{step.id}": partial(self._run_step, attempt, step)}
            case None:
                return {}

    def cancellations(self) -> set[str]:
        """The turn that a person stopped."""
        return {f"turn-{self._state.turns}"} if self._state.is_stop_requested else set()

    def show(self) -> None:
        """Put the headline, the details and the attributes right."""
        state, task = self._state, self._input
        status = state.end or state.phase
        self._outbox.show(
            Headline(
                stream=StreamId(task.workflow_id),
                kind="task",
                title=task.task.title[:MAX_TITLE],
                project=task.repository,
                status=status,
                waiting_for=state.waiting_for[:MAX_TITLE],
            )
        )
        status = state.end or ("waiting" if state.waiting_for else "running")
        self._shown.show(status, state.waiting_for, self._details())

    def _details(self) -> str:
        state = self._state
        lines = [f"**{self._input.task.title}**: {state.phase}, turn {state.turns}"]
        if state.attempts:
            lines.append(f"verification attempt {len(state.attempts)}")
        if state.request is not None:
            lines.append(
                f"waits for {state.waiting_for}: `treadle show {self._input.thread_id} "
                f"{self._input.task.id}` prints the `temporal workflow signal` line to paste"
            )
        return "\n\n".join(lines)

    async def take(self, command: Command) -> Answer:
        """Take a command from a door; a port is leased before it is answered."""
        answer = await super().take(command)
        if not isinstance(command, RequestPort) or answer.data:
            return answer
        call = LeasePortCall(owner=self._input.workspace.workspace_id, port_id=command.port_id)
        number = await self.run_activity(
            Settling.lease_port,
            call,
            options.on(self._queue, options.SHORT),
        )
        self.submit(GrantPort(port_id=command.port_id, number=number))
        return rules.port_answer(command.port_id, number)

    # --- effects

    async def _run_turn(self) -> None:
        prompt = prompt_of(self._input, self._state)
        self.submit(BeginTurn())
        state, task = self._state, self._input
        turn_id = rules.turn_id(state, state.turns)
        turn = TurnInput(
            turn_id=turn_id,
            session_id=state.session_id,
            owner=StreamId(task.workflow_id),
            thread_id=task.thread_id,
            role=SessionRole.TASK,
            agent=task.agent,
            model=task.model,
            prompt=prompt,
            workspace=task.workspace,
            agent_session=state.agent_session,
            commit=task.commit_spec(turn_id, len(state.attempts) + 1),
        )
        try:
            result = await self.run_activity(
                Turns.run_agent_turn,
                TurnCall(turn=turn),
                options.on(self._queue, options.TURN),
            )
        except ActivityError as error:
            result = failed_turn(turn, error)
        self.submit(EndTurn(result=result))

    async def _run_step(self, attempt: int, step: VerificationStep) -> None:
        state = self._state
        ran = state.attempt.steps if state.attempt else ()
        is_first = all(result.step_id == RESOURCES for result in ran)
        call = StepCall(
            key=self._outbox.step_id(attempt, step.id),
            stream=StreamId(self._input.workflow_id),
            attempt=attempt,
            step=step,
            workspace=self._input.workspace,
            commit=state.snapshot.commit if is_first and state.snapshot else None,
            subject=state.snapshot.commit if state.snapshot else None,
            ports=state.ports,
        )
        where = options.on(self._queue, options.STEP)
        try:
            answer = await self.run_activity(Verification.run_verification_step, call, where)
            result = answer.result
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            output = f"could not run: {error.cause or error}"
            result = StepResult(step_id=step.id, label=step.label, passed=False, output=output)
        self.submit(EndStep(attempt=attempt, result=result))


def failed_turn(turn: TurnInput, error: ActivityError) -> TurnResult:
    """Return the result of a turn whose activity ended without one: cancelled, or failed.

    A lost or silent worker is tried again without end, so it ends a turn only where a person had
    stopped it by then.
    """
    is_lost = getattr(error.cause, "type", None) == WORKER_LOST
    if is_cancelled_exception(error) or is_lost or isinstance(error.cause, TimedOutError):
        return TurnResult(turn_id=turn.turn_id, stop_reason=StopReason.CANCELLED)
    reason = str(error.cause or error)
    return TurnResult(turn_id=turn.turn_id, stop_reason=StopReason.REFUSAL, failure=reason)
