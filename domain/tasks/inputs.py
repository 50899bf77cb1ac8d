"""What a task's workflow starts with and ends with, and the prompts of its turns."""

from domain.agents import Prompt, PromptName
from domain.answered import Answered
from domain.events import Event, Headline
from domain.events.task import TaskEnd
from domain.ids import SessionId, TaskId, ThreadId, TurnId, session_stream, task_workflow_id
from domain.modes import guide
from domain.plans import PlannedTask
from domain.tasks.state import TaskState
from domain.verification import failure_report
from domain.wire import Wire
from domain.workspaces import CommitSpec, WorkspaceKind, WorkspaceSpec

REPORT_LIMIT = 16_000


class TaskBrief(Wire):
    """What a task is told beside itself: the plan's handoff packet, and what came before it."""

    handoff: str = ""
    upstream: str = ""


class TaskInput(Wire):
    """One run of a task. `carried` is the state of a run that continued as new."""

    thread_id: ThreadId
    project: str
    repository: str
    host: str
    base: str
    branch: str | None
    task: PlannedTask
    run: int
    agent: str
    model: str | None = None
    max_retries: int = 3
    is_gate_automatic: bool = False
    brief: TaskBrief = TaskBrief()
    carried: TaskState | None = None
    events_so_far: int = 0
    effects_so_far: int = 0
    answered: Answered = Answered()

    @property
    def workflow_id(self) -> str:
        """The task's workflow id and stream."""
        return task_workflow_id(self.thread_id, self.task.id)

    @property
    def session_id(self) -> SessionId:
        """The session of this run."""
        return session_stream(self.workflow_id, self.run)

    @property
    def workspace(self) -> WorkspaceSpec:
        """The worktree of this run."""
        return WorkspaceSpec(
            workspace_id=f"{self.workflow_id}/run-{self.run}",
            kind=WorkspaceKind.TASK,
            repository=self.repository,
            thread_id=self.thread_id,
            task_id=self.task.id,
            base=self.base,
            branch=self.branch,
        )

    def commit_spec(self, turn_id: TurnId, attempt: int) -> CommitSpec:
        """Return how a turn's changes are committed."""
        number = turn_id.rsplit("-", 1)[-1]
        return CommitSpec(
            key=turn_id,
            title=self.task.title,
            trailers=self.trailers(attempt),
            checkpoint_ref=f"refs/treadle/{self.workflow_id}/{self.run}/{number}",
        )

    def trailers(self, attempt: int) -> tuple[tuple[str, str], ...]:
        """Return what marks a commit as this run's."""
        return (
            ("Treadle-Thread", self.thread_id),
            ("Treadle-Task", self.task.id),
            ("Treadle-Attempt", f"{self.run}.{attempt}"),
        )


class TaskResult(Wire):
    """How a run ended; `events` and `headlines` are those that nobody has journaled yet."""

    task_id: TaskId
    run: int
    end: TaskEnd
    reason: str = ""
    commit: str | None = None
    attempts: int = 0
    duration_ms: int = 0
    events: tuple[Event, ...] = ()
    headlines: tuple[Headline, ...] = ()


def prompt_of(task: TaskInput, state: TaskState) -> Prompt:
    """Return the prompt of the next turn, by the state's cue."""
    name = state.cue
    if name is PromptName.TASK:
        return Prompt(name=name, fields=_task_fields(task))
    if name is PromptName.VERIFICATION_FAILED and state.attempt is not None:
        left = state.max_retries - state.failed_in_a_row + 1
        report = failure_report(state.steps, state.attempt)[:REPORT_LIMIT]
        number = str(state.attempt.attempt)
        fields = {"attempt": number, "attempts_left": str(left), "report": report}
        return Prompt(name=name, fields=fields)
    if name is PromptName.GATE_REJECTED:
        return Prompt(name=name, fields={"feedback": state.reason})
    if name is PromptName.MESSAGE:
        return Prompt(name=name, fields={"text": "\n\n".join(m.text for m in state.messages)})
    return Prompt(name=name)


def _task_fields(task: TaskInput) -> dict[str, str]:
    planned = task.task
    steps = "\n".join(f"- {s.label} [{s.type}: {s.subject}]" for s in planned.verification)
    ports = "\n".join(f"- {port.id}: {port.description}" for port in planned.ports)
    return {
        "task_id": planned.id,
        "title": planned.title,
        "description": planned.description,
        "mode_title": guide(planned.mode).title,
        "mode_guidance": guide(planned.mode).agent_guidance,
        "handoff": task.brief.handoff,
        "upstream": task.brief.upstream,
        "verification": steps,
        "ports": ports,
    }
