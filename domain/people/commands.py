"""Which role each command of people needs, whichever door it comes through."""

from collections.abc import Mapping

from domain.people.roles import Role

_PROPOSER = ("send_message", "enqueue")
"""What programs do for people, too: nothing else that a person may do."""

_AUTHOR = (
    *("withdraw_message", "open_session", "merge_session", "switch_agent"),
    "update_base",
    *("skip_wait", "stop_turn", "close", "forget_rule", "decide"),
    *("request_plan", "add_planner", "edit_plan", "combine_plans", "request_critique"),
    *("request_amendment", "amend", "set_plan_files", "set_own_turns"),
    *("pause", "resume", "cancel", "abort", "abort_all", "retry", "resolve_conflict"),
    "apply_suggestions",
    "add_candidate",
    *("retry_set_up", "skip_set_up", "rename", "assign", "archive", "unarchive", "pin", "unpin"),
    *("resume_flow", "answer_flow", "stop_flow"),
    *("look_at_pull_request", "watch_pull_request", "unwatch_pull_request"),
    *("dismiss_pull_request_item", "cancel_pull_request_merge", "keep_issue"),
    *("move_entry", "release_entry", "hold_entry", "remove_entry"),
)
_APPROVER = (
    *(
        "approve",
        "take",
        "put_together",
        "reject",
        "answer_permission",
        "set_auto",
        "publish",
        "merge_branch",
        "merge_pull_request",
        "rework_pull_request_item",
        "raise_limit",
        "stop_at_limit",
    ),
)
_ADMIN = ("delete_thread", "set_limits", "set_monthly_limits", "pause_tracker", "resume_tracker")

ROLES: Mapping[str, Role] = {
    **dict.fromkeys(_PROPOSER, Role.PROPOSER),
    **dict.fromkeys(_AUTHOR, Role.AUTHOR),
    **dict.fromkeys(_APPROVER, Role.APPROVER),
    **dict.fromkeys(_ADMIN, Role.ADMIN),
}
"""The roles by the names of the commands, which are those of their signals and updates."""


def role_for(door: str) -> Role:
    """Return the role that a command needs; `admin` for one that is not in the table."""
    return ROLES.get(door, Role.ADMIN)
