"""Events of a session's stream: prompts, turns, and every update the agent sends (ACP)."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from domain.agents.agents import Prompt, SessionRole, TurnResult
from domain.agents.limits.budgets import Budget
from domain.agents.offers import AgentOptions, OfferedOption
from domain.agents.sandbox import Level
from domain.agents.spending import Taken
from domain.conversations.place import FlowPlace
from domain.core.event import EventBody
from domain.core.ids import SessionId, TurnId
from domain.core.network import Network


class ConversationOpened(EventBody):
    """A conversation with an agent began; `commit` is what a reviewer of the work has before it."""

    kind: Literal["conversation_opened"] = "conversation_opened"
    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    budget: Budget = Budget()
    commit: str | None = None
    by: str = ""
    agent_session: str | None = Field(default=None, exclude_if=lambda session: session is None)
    """The agent's own session that it goes on with."""


class MessageQueued(EventBody):
    """A message, of a person or of Treadle itself, waits for its turn.

    In a task's stream, one without a session is for the agent that plans or does the work.
    """

    kind: Literal["message_queued"] = "message_queued"
    session_id: SessionId = SessionId("")
    message_id: str
    prompt: Prompt
    by: str = ""
    place: FlowPlace | None = None
    """Of a flow's message: where it stands in the flow."""
    has_plan_files: bool | None = None
    """Whether the session has the tools of plan files from now on; None leaves it as it is."""


class MessageWithdrawn(EventBody):
    """A message that waited is not sent any more; `by` is who took it back, empty for Treadle.

    One that `is_for_work` goes to the work of a plan, which takes the session's turns now.
    """

    kind: Literal["message_withdrawn"] = "message_withdrawn"
    message_id: str
    by: str = ""
    is_for_work: bool = False


class TurnStarted(EventBody):
    """A turn began; `prompt_name` is the prompt file it was made from.

    `attempt` is a task's next verification attempt.
    """

    kind: Literal["turn_started"] = "turn_started"
    session_id: SessionId
    turn_id: TurnId
    number: int
    prompt_name: str
    attempt: int = 0
    message_id: str | None = None
    place: FlowPlace | None = None


class PromptSent(EventBody):
    """The text that the agent got."""

    kind: Literal["prompt_sent"] = "prompt_sent"
    turn_id: TurnId
    text: str


class AgentUpdate(EventBody):
    """One `session/update` of the agent, as it came; neighbouring text chunks are joined."""

    kind: Literal["agent_update"] = "agent_update"
    turn_id: TurnId
    update: dict[str, Any]


class AgentSessionOpened(EventBody):
    """The agent's own session is there, new or resumed; known before the first prompt is sent.

    `options` are what it offers, modes and models among them, as they were set for this turn.
    """

    kind: Literal["agent_session_opened"] = "agent_session_opened"
    turn_id: TurnId
    agent_session: str
    is_resumed: bool = False
    version: str = ""
    options: tuple[OfferedOption, ...] = ()
    commands: tuple[str, ...] = ()


class SandboxApplied(EventBody):
    """The agent's process was started, and how it is confined; `summary` is for people."""

    kind: Literal["sandbox_applied"] = "sandbox_applied"
    turn_id: TurnId
    level: Level
    network: Network
    summary: str


class AgentNotice(EventBody):
    """Something about the agent's process: started, resumed, exited, a frame dropped."""

    kind: Literal["agent_notice"] = "agent_notice"
    turn_id: TurnId
    message: str


class ToolCalled(EventBody):
    """The agent called a tool of ours; a refusal's answer starts with its error type."""

    kind: Literal["tool_called"] = "tool_called"
    turn_id: TurnId | None = None
    tool: str
    arguments: dict[str, Any] = {}
    is_refused: bool = False
    answer: str = ""


class TurnDelayed(EventBody):
    """The provider refused the running turn; nothing is lost, it goes on at the time named.

    Of the `refusals` so many are `pauses`: those were for a person or a spending limit, and no provider refused.
    """

    kind: Literal["turn_delayed"] = "turn_delayed"
    session_id: SessionId
    turn_id: TurnId
    provider: str
    reason: str
    until: datetime
    refusals: int
    pauses: int = Field(default=0, exclude_if=lambda pauses: not pauses)
    agent_session: str | None = None
    taken: Taken | None = None


class TurnResumed(EventBody):
    """The wait is over: the time has come, or a person skipped it."""

    kind: Literal["turn_resumed"] = "turn_resumed"
    session_id: SessionId
    turn_id: TurnId
    is_skipped: bool = False
    by: str = ""


class AgentSwitched(EventBody):
    """A person gave the session another agent or model; it starts with a fresh context."""

    kind: Literal["agent_switched"] = "agent_switched"
    session_id: SessionId
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    by: str = ""


class ContextCompacted(EventBody):
    """The session's context was nearly full: its agent compacts it, or a fresh one goes on."""

    kind: Literal["context_compacted"] = "context_compacted"
    session_id: SessionId
    used: int
    size: int
    command: str = ""


class RoleChanged(EventBody):
    """The session has another role from its next turn on; one that `is_reset` begins with a fresh context.

    As a `task` it carries out the plan; when it is back from that it has taken so many `turns`.
    """

    kind: Literal["role_changed"] = "role_changed"
    session_id: SessionId
    role: SessionRole
    is_reset: bool = False
    turns: int | None = None


class TurnConcern(EventBody):
    """Something of the running turn worries; an empty message takes back what was told of that bound.

    With `is_asking` a person should look; the end of the turn takes all back.
    """

    kind: Literal["turn_concern"] = "turn_concern"
    turn_id: TurnId
    bound: str
    message: str = ""
    is_asking: bool = True


class TurnUsageUpdated(EventBody):
    """What the running turn has taken so far, of its present part; the newest one of a part holds."""

    kind: Literal["turn_usage_updated"] = "turn_usage_updated"
    turn_id: TurnId
    part: int = 0
    taken: Taken


class TurnEnded(EventBody):
    """A turn ended; success is decided elsewhere.

    In a task's stream the result's text is cut to its end, and empty where the agent only reads.
    """

    kind: Literal["turn_ended"] = "turn_ended"
    session_id: SessionId
    result: TurnResult


class TurnStopRequested(EventBody):
    """A person stopped the running turn; the session goes on."""

    kind: Literal["turn_stop_requested"] = "turn_stop_requested"
    session_id: SessionId
    turn_id: TurnId
    by: str = ""


class TurnSlept(EventBody):
    """The turn waits for a person without its agent: the process is closed, nothing is lost."""

    kind: Literal["turn_slept"] = "turn_slept"
    session_id: SessionId
    turn_id: TurnId
    refusals: int
    pauses: int = Field(default=0, exclude_if=lambda pauses: not pauses)
    agent_session: str | None = None
    taken: Taken | None = None


class TurnWoken(EventBody):
    """The turn goes on: somebody answered."""

    kind: Literal["turn_woken"] = "turn_woken"
    session_id: SessionId
    turn_id: TurnId


class ConversationClosed(EventBody):
    """The session takes no more messages."""

    kind: Literal["conversation_closed"] = "conversation_closed"
    reason: str = ""


SessionEvent = (
    ConversationOpened
    | MessageQueued
    | MessageWithdrawn
    | TurnStarted
    | PromptSent
    | AgentUpdate
    | AgentSessionOpened
    | SandboxApplied
    | AgentNotice
    | ToolCalled
    | TurnDelayed
    | TurnResumed
    | TurnConcern
    | TurnUsageUpdated
    | TurnEnded
    | AgentSwitched
    | ContextCompacted
    | RoleChanged
    | TurnStopRequested
    | TurnSlept
    | TurnWoken
    | ConversationClosed
)
