"""The prompts that agents get, and what one turn takes and gives (ACP's words)."""

from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

from pydantic import Field

from domain.agents.limits.money import TurnLimits
from domain.agents.limits.tool_filters import ToolFilter
from domain.agents.offers import AgentOptions
from domain.agents.terminals import Terminal
from domain.core.attachments import AttachedFile, Attachment
from domain.core.ids import EventId, SessionId, StreamId, ThreadId, TurnId
from domain.core.money import Money
from domain.core.wire import Wire
from domain.core.workspaces import CommitSpec, Snapshot, WorkspaceSpec


class SessionRole(StrEnum):
    """What a session is for."""

    CHAT = "chat"
    PLANNER = "planner"
    TASK = "task"
    TASK_PLANNER = "task_planner"
    REVIEWER = "reviewer"
    CODE_REVIEWER = "code_reviewer"
    FLOW = "flow"


READERS = frozenset(
    {
        SessionRole.PLANNER,
        SessionRole.TASK_PLANNER,
        SessionRole.REVIEWER,
        SessionRole.CODE_REVIEWER,
    }
)
"""The roles that look and change nothing; what they change all the same is thrown away."""

ANSWERING = READERS | {SessionRole.FLOW}
"""The roles whose last message is read by a program of ours: it is kept whole, and their owner is told."""


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
    JUDGE = "judge"
    AMENDMENT_PLANNER = "amendment-planner"
    AMENDMENT_FEEDBACK = "amendment-feedback"
    AMENDMENT_MISSING = "amendment-missing"
    COORDINATOR = "coordinator"
    OWN_TURN = "own-turn"
    TASK_PLAN = "task-plan"
    TASK_PLAN_FEEDBACK = "task-plan-feedback"
    TASK_PLAN_MISSING = "task-plan-missing"
    TASK_PLAN_REVIEW = "task-plan-review"
    REVIEW = "review"
    REVIEW_MISSING = "review-missing"
    TASK = "task"
    VERIFICATION_FAILED = "verification-failed"
    GATE_REJECTED = "gate-rejected"
    REPORT_MISSING = "report-missing"
    CONFLICT = "conflict"
    CHAT_CONFLICT = "chat-conflict"
    COMPACTED = "compacted"
    INTERRUPTED = "interrupted"
    PLAN_FILES = "plan-files"
    FORKED = "forked"
    IMPORTED = "imported"
    FLOW_QUESTION = "flow-question"
    FLOW_QUESTION_AGAIN = "flow-question-again"


class Prompt(Wire):
    """A prompt file and what is put into it; `message` is the text alone.

    `texts` are fields whose text is in the journal, by reference; a long one is cut. `quotes` are those
    whose text an event in the journal has, by its id (domain/threads/quotes.py). `attachments` are
    files that go with it. `by` is the person whose words it is, empty where it is Treadle's own. With
    `merging` a commit is merged into the worktree before, and the turn resolves what conflicts.
    """

    name: PromptName = PromptName.MESSAGE
    fields: dict[str, str] = {}
    texts: dict[str, str] = {}
    quotes: dict[str, EventId] = Field(default={}, exclude_if=lambda quotes: not quotes)
    attachments: tuple[Attachment, ...] = ()
    by: str = ""
    merging: str = Field(default="", exclude_if=lambda commit: not commit)


class UsageSource(StrEnum):
    """Where the tokens of a turn were told, and so what they count."""

    TURN = "turn"
    """With the turn's end, for all of the turn (ACP's `usage`)."""

    LAST_CALL = "last_call"
    """The same, by an agent that tells of its last call of the model only."""

    CALLS = "calls"
    """With each call of the model, added up (Qwen's `_meta.usage`)."""

    QUOTA = "quota"
    """With the turn's end, in Gemini's own field."""

    UNTOLD = ""
    """Not at all; the cost may be known all the same."""


class Usage(Wire):
    """Tokens of one turn as the agent told them; add up those of one agent only, all count otherwise.

    `cached_tokens` were read from the provider's cache, and are not among the input where the agent tells
    enough to know; `cache_write_tokens` are those of the input that were written to it. `cost` is the turn's share of what the agent
    told of its session, None where it told nothing.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    thought_tokens: int = 0
    cost: float | None = None
    currency: str = ""
    source: UsageSource = UsageSource.TURN
    cache_write_tokens: int = Field(default=0, exclude_if=lambda tokens: not tokens)

    def plus(self, other: "Usage | None") -> "Usage":
        """Return the sum with what came later; of two currencies the later one is kept."""
        if other is None:
            return self
        is_sum = self.cost is not None and self.currency == other.currency
        counts = [name for name in Usage.model_fields if name.endswith("_tokens")]
        cost = self.cost if other.cost is None else other.cost
        if is_sum and self.cost is not None and other.cost is not None:
            cost = round(self.cost + other.cost, 6)
        sources = {self.source, other.source}
        source = other.source or self.source
        return Usage.model_validate(
            {
                **{name: getattr(self, name) + getattr(other, name) for name in counts},
                "cost": cost,
                "currency": self.currency if other.cost is None else other.currency,
                "source": UsageSource.LAST_CALL if UsageSource.LAST_CALL in sources else source,
            }
        )


class TurnInput(Wire):
    """One turn of one session.

    `agent_session` is the agent's own session id from an earlier turn, to be resumed where the
    process is gone. `idle_timeout` is the host's own where it is None. `commit` says how to commit
    what changed; None throws changes away. `reviewed` is what a person last sent back: what changed
    since is shown to them as well. `refusals` counts how often the provider refused this turn before, or it waited for
    a person or for money: `pauses` are these. `is_urgent` has it try although the provider may still refuse. The
    `primer` goes around the prompt where the agent knows nothing of the turns before. `port_ids` are the ports that
    its task declares; they are leased to the workspace before the agent starts. `answered` tells one that slept what a
    person answered it meanwhile. `time_limit` ends the turn as one that failed; waits for a provider do not count.
    `money` bounds what its task and thread may cost, `work` is the kind of work, to compare it. With `has_plan_files`
    its agent has the tools of plan files; with `explains_plan_files` it is told of them though it knows earlier turns.
    """

    turn_id: TurnId
    session_id: SessionId
    owner: StreamId
    thread_id: ThreadId
    role: SessionRole
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    prompt: Prompt
    primer: Prompt | None = None
    workspace: WorkspaceSpec
    agent_session: str | None = None
    commit: CommitSpec | None = None
    reviewed: str | None = None
    idle_timeout: timedelta | None = None
    time_limit: timedelta | None = None
    tools: ToolFilter = ToolFilter()
    port_ids: tuple[str, ...] = ()
    refusals: int = 0
    pauses: int = Field(default=0, exclude_if=lambda pauses: not pauses)
    is_urgent: bool = False
    answered: str = ""
    has_plan_files: bool = False
    explains_plan_files: bool = False
    money: TurnLimits | None = Field(default=None, exclude_if=lambda limits: limits is None)
    work: str = Field(default="", exclude_if=lambda work: not work)


class DoneReport(Wire):
    """The agent's word that its work is done; verification decides."""

    summary: str = ""


class ContextFill(Wire):
    """How full an agent's context is, in tokens, as it told last."""

    used: int
    size: int


class TurnResult(Wire):
    """How a turn ended.

    `failure` is set when the agent could not be started, exited or spoke garbage: then a person is
    asked. With `retry_at` the turn has not ended: its provider refused it, and it goes on then.
    Neither has one that is asleep: it goes on when a person has answered.
    `report` is set by runners whose agent cannot call tools and reports in its answer. `text` is the
    agent's last message, its newest 64 KiB for those whose words decide, 4 KiB for others. `discarded`
    are files that a session changed that may change nothing; `terminals` are how those of its owner
    stand at the turn's end, None where nobody looked. `doubts` are what can't be used of a plan that a
    planner wrote into its last message. `compact_command` is the agent's own
    command that compacts its context, empty where it offers none. `sandbox` says how its process was
    confined. What it took is that of its last `part`, in which `agent` worked: an earlier one ended when
    a provider refused it or it fell asleep, and was told then. `money` is what that cost, None where it was
    recorded before there were prices.
    """

    turn_id: TurnId
    agent: str = ""
    model: str | None = None
    part: int = 0
    stop_reason: StopReason = StopReason.END_TURN
    agent_session: str | None = None
    text: str = ""
    failure: str | None = None
    provider: str = ""
    retry_at: datetime | None = None
    is_asleep: bool = False
    limit_reason: str = ""
    report: DoneReport | None = None
    snapshot: Snapshot | None = None
    discarded: tuple[str, ...] = ()
    usage: Usage | None = None
    context: ContextFill | None = None
    compact_command: str = ""
    tool_calls: int = 0
    tool_failures: int = 0
    duration_ms: int = 0
    money: Money | None = Field(default=None, exclude_if=lambda money: money is None)
    sandbox: str = ""
    terminals: tuple[Terminal, ...] | None = None
    doubts: tuple[str, ...] = Field(default=(), exclude_if=lambda doubts: not doubts)


class AgentAnswer(Wire):
    """What a turn of an agent gave; `terminals` as a turn's result has them."""

    stop_reason: StopReason
    agent_session: str
    text: str = ""
    report: DoneReport | None = None
    usage: Usage | None = None
    context: ContextFill | None = None
    compact_command: str = ""
    tool_calls: int = 0
    tool_failures: int = 0
    sandbox: str = ""
    terminals: tuple[Terminal, ...] | None = None


class AgentCall(Wire):
    """One try at a turn: where, and what the agent is told.

    `prompt` is for the session that goes on, or for the first one; `fresh_prompt` for a new one in the
    place of `agent_session`, where that can't be reopened. `sandbox_ports` are its own ports.
    `files` go with either prompt. One that `tells_refusals` asks nobody for hosts: what its sandbox
    refuses is told in notices.
    """

    turn: TurnInput
    directory: Path
    prompt: str
    fresh_prompt: str = ""
    files: tuple[AttachedFile, ...] = ()
    sandbox_ports: tuple[int, ...] = ()
    agent_session: str | None = None
    tells_refusals: bool = False
