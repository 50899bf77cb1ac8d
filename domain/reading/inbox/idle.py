"""Kinds of events that tell nothing new to those who only want to know how a thread stands."""

CHATTER = frozenset({"agent_update", "agent_notice", "prompt_sent", "terminal_output"})
"""What agents and programs say: the bulk of every journal, and part of no state."""

IDLE = CHATTER | {
    "agent_session_opened",
    "directory_asked",
    "directory_freed",
    "directory_granted",
    "plan_file_changed",
    "port_leased",
    "port_released",
    "prompt_delivered",
    "prompt_queued",
    "sandbox_applied",
    "task_progressed",
    "task_watched",
    "terminal_ended",
    "terminal_opened",
    "turn_usage_updated",
    "tool_called",
}
"""What asks nothing and answers nothing."""
