"""What an agent that asks permission is answered."""

import pytest

from domain.agents import SessionRole
from domain.permissions import PermissionOption, answer_permission

OPTIONS = [
    PermissionOption(option_id="1", kind="allow_always"),
    PermissionOption(option_id="2", kind="allow_once"),
    PermissionOption(option_id="3", kind="reject_once"),
    PermissionOption(option_id="4", kind="reject_always"),
]
KINDS = [
    "read",
    "edit",
    "delete",
    "move",
    "search",
    "execute",
    "think",
    "fetch",
    "other",
    "",
    "new",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("role", [SessionRole.TASK, SessionRole.CHAT])
def test_who_works_in_a_worktree_of_its_own_is_allowed_once(role, kind):
    answer = answer_permission(role, kind, "", OPTIONS)
    assert (answer.option_id, answer.is_allowed) == ("2", True)


@pytest.mark.parametrize("kind", ["read", "search", "fetch", "think"])
def test_a_planner_may_look(kind):
    assert answer_permission(SessionRole.PLANNER, kind, "", OPTIONS).is_allowed


@pytest.mark.parametrize(
    "kind", ["edit", "delete", "move", "execute", "switch_mode", "other", "", "new"]
)
def test_a_planner_may_change_nothing_and_do_nothing_unknown(kind):
    answer = answer_permission(SessionRole.PLANNER, kind, "rm -rf /", OPTIONS)
    assert (answer.option_id, answer.is_allowed) == ("3", False)


@pytest.mark.parametrize(
    "title",
    [
        "mcp__treadle__propose_plan",
        "mcp.treadle.propose_plan",
        "treadle_propose_plan",
        "treadle: propose_plan",
        "propose_plan (treadle MCP Server)",
        "propose_plan",
    ],
)
@pytest.mark.parametrize("kind", ["other", "execute", ""])
def test_a_planner_may_call_our_tools(title, kind):
    assert answer_permission(SessionRole.PLANNER, kind, title, OPTIONS).is_allowed


@pytest.mark.parametrize(
    "title",
    ["mcp__treadle-evil__write", "rm -rf / # treadle_x", "treadle up; rm x", "treadle: a b"],
)
def test_a_name_like_ours_is_not_ours(title):
    assert not answer_permission(SessionRole.PLANNER, "other", title, OPTIONS).is_allowed


@pytest.mark.parametrize("role", list(SessionRole))
def test_nothing_is_ever_allowed_for_good(role):
    only_for_good = [OPTIONS[0], OPTIONS[3]]
    answer = answer_permission(role, "read", "", only_for_good)
    assert (answer.option_id, answer.is_allowed) == (None, False)
