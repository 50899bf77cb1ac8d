"""Texts of conversations with agents: messages, prompts, tools, the agent's process."""

from domain.agents.agents import PromptName, SessionRole
from domain.agents.sandbox import Level
from domain.conversations import events as session_events
from domain.core.directories.events import DirectoryAsked, DirectoryFreed, DirectoryGranted
from domain.core.event_text import EventText, Tone, cut, error
from domain.core.text import counted, spaced
from domain.reading.event_text.phrases import after, agent_name, by, quoted, session_name
from domain.reading.event_text.registry import describe, describes, silence
from domain.threads import events as thread_events

_PROMPT_LENGTH = 200


@describes(session_events.MessageQueued)
def _describe_message(event: session_events.MessageQueued) -> EventText:
    text = event.prompt.fields.get("text", "")
    if not text or event.prompt.name is PromptName.OWN_TURN:  # its thread says why it is taken
        return EventText(summary=f"Prompt {event.prompt.name} queued")
    message = quoted(event.by or "Treadle", text)
    return message.model_copy(update={"milestone": "message" if event.by else ""})


@describes(session_events.ConversationOpened)
def _describe_conversation(event: session_events.ConversationOpened) -> str | None:
    if event.session_id.count("/") == 1:
        return None  # a session's own stream: its thread or flow run says that it was opened
    agent = agent_name(event.agent, event.model)
    return f"{session_name(event.session_id)} opened{by(event.by)}: {spaced(event.role)}, {agent}"


describe(
    session_events.MessageWithdrawn,
    lambda event: (
        "Message goes to the work" if event.is_for_work else f"Message withdrawn{by(event.by)}"
    ),
)


@describes(session_events.PromptSent)
def _describe_prompt(event: session_events.PromptSent) -> str:
    first, _, rest = event.text.strip().partition("\n")
    more = f" … ({counted(len(rest.splitlines()), 'more line')})" if rest.strip() else ""
    return f"Prompt: {cut(' '.join(first.split()), _PROMPT_LENGTH)}{more}"


@describes(session_events.ToolCalled)
def _describe_tool_call(event: session_events.ToolCalled) -> EventText:
    answer = after(cut(" ".join(event.answer.split()), _PROMPT_LENGTH))
    if event.is_refused:
        return error(f"Tool {event.tool} refused{answer}")
    return EventText(summary=f"Tool {event.tool} called{answer}")


@describes(session_events.AgentSessionOpened)
def _describe_agent_session(event: session_events.AgentSessionOpened) -> str:
    how = "resumed" if event.is_resumed else "started"
    return f"Agent session {how}{f' ({event.version})' if event.version else ''}"


@describes(session_events.SandboxApplied)
def _describe_sandbox(event: session_events.SandboxApplied) -> EventText:
    tone = Tone.WARNING if event.level is Level.OFF else Tone.INFO
    return EventText(summary=f"Sandbox: {event.summary}", tone=tone)


describe(session_events.AgentNotice, lambda event: event.message)


@describes(session_events.TurnConcern)
def _describe_concern(event: session_events.TurnConcern) -> EventText | None:
    tone = Tone.WARNING if event.is_asking else Tone.INFO
    return EventText(summary=f"Concern: {event.message}", tone=tone) if event.message else None


@describes(session_events.RoleChanged)
def _describe_role(event: session_events.RoleChanged) -> EventText:
    if event.role is SessionRole.PLANNER:
        return EventText(summary="Planning: this session only reads until the plan is decided")
    if event.role is SessionRole.TASK:
        return EventText(summary="Context reset: this session carries out the approved plan")
    if event.turns is not None:
        return EventText(summary="Context reset: the work is over, this session is a chat again")
    if event.is_reset:
        return EventText(summary="Context reset: the agent starts with the approved plan")
    return EventText(summary="Planning ended: this session is a chat again")


@describes(thread_events.PromptQueued)
def _describe_queued_prompt(event: thread_events.PromptQueued) -> EventText:
    name = session_name(event.session_id)
    if event.prompt is not None:
        return EventText(summary=f"Prompt {event.prompt.name} queued for {name}")
    if event.role is SessionRole.TASK:
        return EventText(summary=f"{name} carries out the plan")
    if event.role is not None:
        return EventText(summary=f"{name} is a {event.role} again")
    return EventText(summary=f"Closing {name}")


silence(
    session_events.ConversationClosed,
    session_events.AgentUpdate,
    session_events.TurnUsageUpdated,
    thread_events.PromptDelivered,
    DirectoryAsked,
    DirectoryFreed,
    DirectoryGranted,
)
