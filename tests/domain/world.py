"""A thread and the runs of its tasks, driven in process: the deciders, an event log, nothing else.

What a workflow does between two events is done here at once, so a test chooses every order. Each
command is sent twice: the same command with the same id must change nothing the second time.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from domain.agents.agents import DoneReport, StopReason, TurnResult
from domain.conversations.commands import BeginTurn, EndTurn
from domain.conversations.effects import RunTurn
from domain.core.decisions import Decided
from domain.core.errors import TreadleError
from domain.core.event import EventBody
from domain.core.ids import TaskId, ThreadId, session_stream, task_workflow_id
from domain.core.wire import Wire
from domain.core.workspaces import MergeResult, RepositoryFacts, Snapshot
from domain.plans.settings import PlannerSettings
from domain.plans.templates.template import GatePolicy, PlanTemplate
from domain.tasks import rules as task_rules
from domain.tasks.commands import EndStep, OpenTask
from domain.tasks.effects import RunStep
from domain.tasks.inputs import TaskInput
from domain.tasks.learnings import Learning, LearningKind
from domain.tasks.prompts import prompt_of
from domain.tasks.rules import evolve as evolve_task
from domain.tasks.running_commands import Abort
from domain.tasks.state import Phase, TaskState
from domain.threads import rules as thread_rules
from domain.threads.calls import OpenedThread
from domain.threads.commands import (
    EndTask,
    MarkDelivered,
    OpenThread,
    SettleTask,
    WakeUp,
)
from domain.threads.effects import (
    AbortTask,
    DeliverPrompt,
    MergeTask,
    RunTask,
    WaitUntil,
)
from domain.threads.state import ThreadState
from domain.verification.steps import StepResult

THREAD = ThreadId("thread-test-1")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
Run = tuple[str, int]
Action = tuple[str, Run]


class World:
    """Every state, and every event in the order in which it happened."""

    def __init__(self, slots: int, template: PlanTemplate) -> None:
        self.thread = ThreadState(thread_id=THREAD)
        self.now = NOW
        self.runs: dict[Run, TaskState] = {}
        self.trees: dict[Run, int] = {}
        self.log: list[tuple[str, EventBody]] = []
        self.template = template
        facts = RepositoryFacts(root="/repo", head="0" * 40)
        opened = OpenedThread(facts=facts, template=template, branch="treadle/x", host="here")
        self.send(
            OpenThread(
                thread_id=THREAD,
                goal="goal",
                agent="fake",
                opened=opened,
                planner=PlannerSettings(max_parallel_steps=slots),
            ),
            is_repeated=False,
        )

    # --- commands

    def send(self, command: Wire, *, is_repeated: bool = True) -> tuple[EventBody, ...] | None:
        """Give the thread a command; None when it is refused."""
        decided = self._decided(thread_rules.decide, self.thread, command)
        if decided is None:
            return None
        for event in decided.events:
            self.thread = thread_rules.evolve(self.thread, event)
            self.log.append((THREAD, event))
        if is_repeated:
            again = self._decided(thread_rules.decide, self.thread, command)
            assert again is None or again.events == (), f"{command!r} twice: {again}"
        return decided.events

    def send_task(
        self, run: Run, command: Wire, *, is_repeated: bool = True
    ) -> tuple[EventBody, ...] | None:
        """Give a run of a task a command; None when it is refused."""
        decided = self._decided(task_rules.decide, self.runs[run], command)
        if decided is None:
            return None
        for event in decided.events:
            self.runs[run] = evolve_task(self.runs[run], event)
            self.log.append((task_workflow_id(THREAD, TaskId(run[0])), event))
        if is_repeated:
            again = self._decided(task_rules.decide, self.runs[run], command)
            assert again is None or again.events == (), f"{command!r} twice: {again}"
        return decided.events

    def _decided(
        self, decide: Callable[[Any, Wire, datetime], Decided], state: Wire, command: Wire
    ) -> Decided | None:
        before = state.model_dump_json()
        try:
            return decide(state, command, self.now)
        except TreadleError:
            return None
        finally:
            assert state.model_dump_json() == before, f"{command!r} changed the state in place"

    # --- what can happen next

    def actions(self) -> list[Action]:
        """Return all that is required and not done, and all that is under way."""
        found: list[Action] = []
        for effect in thread_rules.effects(self.thread):
            match effect:
                case DeliverPrompt(prompt_key=key):
                    found.append(("deliver", (key, 0)))
                case RunTask(task_id=task_id, run=run):
                    found.append(self._of_run((task_id, run)))
                case AbortTask(task_id=task_id, run=run):
                    if self.is_live((task_id, run)):
                        found.append(("abort", (task_id, run)))
                case MergeTask(task_id=task_id, run=run):
                    found.append(("settle", (task_id, run)))
                case WaitUntil(what=what) if what.startswith("decision:"):
                    found.append(("wait", (what, 0)))
                case _:
                    pass
        return [action for action in found if action[0] != "idle"]

    def _of_run(self, run: Run) -> Action:
        state = self.runs.get(run)
        if state is None:
            return "start", run
        if state.phase is Phase.ENDED:
            return "report", run
        match next(iter(task_rules.effects(state)), None):
            case RunTurn():
                return ("end turn" if state.running_turn else "begin turn"), run
            case RunStep():
                return "step", run
            case None:
                return "idle", run

    def is_live(self, run: Run) -> bool:
        return run in self.runs and self.runs[run].phase is not Phase.ENDED

    # --- what activities and child workflows do

    def wait(self, what: str) -> tuple[EventBody, ...]:
        """Let time pass until the end of a wait."""
        waits = [e for e in thread_rules.effects(self.thread) if isinstance(e, WaitUntil)]
        self.now = max(self.now, next(wait.at for wait in waits if wait.what == what))
        return self.send(WakeUp()) or ()

    def deliver(self, key: str) -> None:
        self.send(MarkDelivered(key=key))

    def start(self, run: Run) -> tuple[EventBody, ...]:
        assert run not in self.runs, f"{run} is started twice"
        self.runs[run] = TaskState()
        task = self._input(run)
        command = OpenTask(
            task=task.task,
            run=task.run,
            session_id=task.session_id,
            agent=task.agent,
            branch=task.branch,
            max_retries=task.max_retries,
            is_gate_automatic=task.is_gate_automatic,
            keeps_asking=task.keeps_asking,
        )
        return self.send_task(run, command, is_repeated=False) or ()

    def _input(self, run: Run) -> TaskInput:
        task_id, number = run
        task = self.thread.tasks[TaskId(task_id)].task
        retries = task.max_retries
        return TaskInput(
            thread_id=THREAD,
            project="p",
            repository="/repo",
            host="here",
            base="treadle/x",
            branch=f"treadle/x--{task_id}-{number}",
            task=task,
            run=number,
            agent="fake",
            max_retries=self.template.verification.max_retries if retries is None else retries,
            is_gate_automatic=(task.gate or self.template.gate) is GatePolicy.AUTO,
            keeps_asking=True,
        )

    def begin_turn(self, run: Run) -> tuple[EventBody, ...]:
        if run[0] in self.thread.tasks:
            prompt_of(self._input(run), self.runs[run])
        return self.send_task(run, BeginTurn(), is_repeated=False) or ()

    def end_turn(
        self, run: Run, how: StopReason, failure: str | None, *, is_changed: bool, reports: bool
    ) -> tuple[EventBody, ...]:
        state = self.runs[run]
        assert state.running_turn is not None
        self.trees[run] = self.trees.get(run, 0) + is_changed
        result = TurnResult(
            turn_id=state.running_turn,
            stop_reason=how,
            failure=failure,
            report=DoneReport(summary="by the runner") if reports else None,
            snapshot=self.snapshot(run),
        )
        return self.send_task(run, EndTurn(result=result)) or ()

    def snapshot(self, run: Run) -> Snapshot:
        name = f"{run[0]}-{run[1]}-{self.trees.get(run, 0)}"
        return Snapshot(commit=f"commit {name}", tree=f"tree {name}", base="0" * 40)

    def step(self, run: Run, *, passed: bool) -> tuple[EventBody, ...]:
        effect = next(iter(task_rules.effects(self.runs[run])), None)
        assert isinstance(effect, RunStep)
        result = StepResult(step_id=effect.step.id, passed=passed)
        return self.send_task(run, EndStep(attempt=effect.attempt, result=result)) or ()

    def abort(self, run: Run) -> tuple[EventBody, ...]:
        return self.send_task(run, Abort(by="the thread")) or ()

    def report(self, run: Run) -> EndTask:
        state = self.runs[run]
        assert state.end is not None
        command = EndTask(
            task_id=TaskId(run[0]),
            run=run[1],
            end=state.end,
            reason=state.reason,
            commit=state.snapshot.commit if state.snapshot else None,
            attempts=len(state.attempts),
            learnings=(
                Learning(learning=LearningKind.WORKED, text="it", task_id=run[0], run=run[1]),
            ),
        )
        self.send(command)
        return command

    def settle(self, run: Run, *, is_conflict: bool) -> SettleTask:
        merge = MergeResult(failure="no") if is_conflict else MergeResult(commit="merged")
        command = SettleTask(task_id=TaskId(run[0]), run=run[1], merge=merge)
        self.send(command)
        return command

    def session_of(self, run: Run) -> str:
        return session_stream(task_workflow_id(THREAD, TaskId(run[0])), run[1])
