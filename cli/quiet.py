"""What `treadle logs` leaves out: how the work goes on inside; `--json` and an export have it."""

QUIET_UPDATES = frozenset(
    {
        "available_commands_update",
        "config_option_update",
        "session_info_update",
        "usage_update",
        "user_message_chunk",
    }
)
QUIET_EVENTS = frozenset(
    {
        "directory_asked",
        "directory_freed",
        "directory_granted",
        "document_due",
        "prompt_delivered",
        "task_progressed",
        "task_watched",
        "terminal_output",
        "turn_spent",
    }
)
