"""Agents as data, the prompts they get, and what one turn takes and gives (ACP's words)."""

from datetime import timedelta
from enum import StrEnum

from pydantic import Field

from domain.ids import SessionId, StreamId, ThreadId, TurnId
from domain.wire import Wire
from domain.workspaces import CommitSpec, Snapshot, WorkspaceSpec


class AgentProfile(Wire):
    """How to run one agent: data, not code.

    `command` is its argument vector; `${treadle}` in it stands for this installation's Python and
    launcher. `environment` names the variables it is given beside the common ones. `files` are
    written into the agent's home before it starts, by relative path. Modes are ACP mode ids.
    `error_signs` are places in an update, with the value there that means that the turn failed,
    for agents that end a turn well after an error: `{"_meta.codex.threadStatus.type": "systemError"}`.
    """

    name: str
    title: str = ""
    command: tuple[str, ...] = Field(min_length=1)
    environment: tuple[str, ...] = ()
    set_environment: dict[str, str] = {}
    files: dict[str, str] = {}
    plan_mode: str | None = None
    work_mode: str | None = None
    error_signs: dict[str, str] = {}
    litter: tuple[str, ...] = ()
    install_hint: str = ""
    is_scripted: bool = False


class SessionRole(StrEnum):
    """What a session is for (features.md A4)."""

    CHAT = "chat"
    PLANNER = "planner"
    TASK = "task"


class StopReason(StrEnum):
    """Why a turn ended, in ACP's words; never success by itself."""

    END_TURN = "end_turn"
    MAX_TOKENS = "max_tokens"
    MAX_TURN_REQUESTS = "max_turn_requests"
    REFUSAL = "refusal"
    CANCELLED = "cancelled"


class PromptName(StrEnum):
    """The prompt files under templates/prompts/."""

    MESSAGE = "message"
    PLANNER = "planner"
    PLANNER_FEEDBACK = "planner-feedback"
    PLAN_MISSING = "plan-missing"
    PLAN_REFUSED = "plan-refused"
    COMBINE_PLANS = "combine-plans"
    CRITIC = "critic"
    AMENDMENT_PLANNER = "amendment-planner"
    COORDINATOR = "coordinator"
    TASK_PLAN = "task-plan"
    TASK_PLAN_FEEDBACK = "task-plan-feedback"
    TASK_PLAN_MISSING = "task-plan-missing"
    TASK_PLAN_REVIEW = "task-plan-review"
    TASK = "task"
    VERIFICATION_FAILED = "verification-failed"
    GATE_REJECTED = "gate-rejected"
    REPORT_MISSING = "report-missing"
    CONFLICT = "conflict"
    COMPACTED = "compacted"
    INTERRUPTED = "interrupted"


class Prompt(Wire):
    """A prompt file and what is put into it; `message` is the text alone."""

    name: PromptName = PromptName.MESSAGE
    fields: dict[str, str] = {}


class Usage(Wire):
    """Tokens of one turn as the agent told them; agents count differently, do not add them up."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


class TurnInput(Wire):
    """One turn of one session.

    `agent_session` is the agent's own session id from an earlier turn, to be resumed where the
    process is gone. `idle_timeout` is the host's own where it is None. `commit` says how to commit what changed; None throws changes away.
    """

    turn_id: TurnId
    session_id: SessionId
    owner: StreamId
    thread_id: ThreadId
    role: SessionRole
    agent: str
    model: str | None = None
    prompt: Prompt
    workspace: WorkspaceSpec
    agent_session: str | None = None
    commit: CommitSpec | None = None
    idle_timeout: timedelta | None = None


class DoneReport(Wire):
    """The agent's word that its work is done; verification decides."""

    summary: str = ""


class TurnResult(Wire):
    """How a turn ended.

    `failure` is set when the agent could not be started, exited or spoke garbage: then a person is
    asked. `report` is set by runners whose agent cannot call tools and reports in its answer.
    """

    turn_id: TurnId
    stop_reason: StopReason = StopReason.END_TURN
    agent_session: str | None = None
    text: str = ""
    failure: str | None = None
    report: DoneReport | None = None
    snapshot: Snapshot | None = None
    usage: Usage | None = None
    duration_ms: int = 0
