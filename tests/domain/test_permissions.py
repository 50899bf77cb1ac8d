"""What an agent that asks permission is answered."""

import pytest

from domain.agents import READERS, SessionRole
from domain.limits.tool_filters import ToolFilter
from domain.permissions import PermissionOption, Rights, ToolUse, answer_permission, is_looking

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
PLANNER = Rights(role=SessionRole.PLANNER, own=frozenset({"propose_plan"}))


def answered(rights, kind="", title="", command=""):
    return answer_permission(rights, ToolUse(kind=kind, title=title, command=command), OPTIONS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("role", [SessionRole.TASK, SessionRole.CHAT])
def test_who_works_in_a_worktree_of_its_own_is_allowed_once(role, kind):
    answer = answered(Rights(role=role), kind)
    assert (answer.option_id, answer.is_allowed) == ("2", True)


@pytest.mark.parametrize("role", sorted(READERS))
@pytest.mark.parametrize("kind", ["read", "search", "fetch", "think"])
def test_a_reader_may_look(kind, role):
    assert answered(Rights(role=role), kind).is_allowed


@pytest.mark.parametrize("role", sorted(READERS))
@pytest.mark.parametrize(
    "kind", ["edit", "delete", "move", "execute", "switch_mode", "other", "", "new"]
)
def test_a_reader_may_change_nothing_and_do_nothing_unknown(kind, role):
    answer = answered(Rights(role=role), kind, "rm -rf /")
    assert (answer.option_id, answer.is_allowed) == ("3", False)


@pytest.mark.parametrize(
    "line",
    [
        "git log --oneline -5",
        "`git status`",
        "ls -la src",
        "rg 'def main' -n .",
        "find . -name '*.py'",
        "cat README.md",
    ],
)
def test_a_reader_may_run_what_only_reads(line):
    assert answered(PLANNER, "execute", line).is_allowed
    assert answered(PLANNER, "execute", "Look around", line).is_allowed


@pytest.mark.parametrize(
    "line",
    [
        "",
        "git",
        "git push",
        "git log; rm x",
        "cat a > b",
        "ls $(touch x)",
        "ls `touch x`",
        "cat a | sh",
        "cat a\nrm b",
        "git diff --output=x",
        "git grep -Oless x",
        "git -c core.pager=x log",
        "find . -delete",
        "find . -exec rm {} +",
        "rg --pre ./x y",
        "./cat x",
        "python -c 1",
        "ls 'unclosed",
    ],
)
def test_a_reader_may_run_nothing_else(line):
    assert not is_looking(line)
    assert not answered(PLANNER, "execute", "ls", line or "sh").is_allowed


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
def test_a_reader_may_call_the_tools_it_was_given(title, kind):
    assert answered(PLANNER, kind, title).is_allowed
    assert not answered(Rights(role=SessionRole.PLANNER), kind, title).is_allowed


@pytest.mark.parametrize(
    "title",
    [
        "mcp__treadle-evil__propose_plan",
        "rm -rf / # propose_plan",
        "treadle up; rm x",
        "treadle: a b",
    ],
)
def test_a_name_like_ours_is_not_ours(title):
    assert not answered(PLANNER, "other", title).is_allowed


def test_a_filter_holds_for_those_who_work_and_those_who_read():
    no_shell = ToolFilter(denied=("bash",))
    for role in SessionRole:
        assert not answered(Rights(role=role, tools=no_shell), "execute", "git log").is_allowed
    given = Rights(
        role=SessionRole.TASK, tools=ToolFilter(denied=("*",)), own=frozenset({"report_done"})
    )
    assert answered(given, "other", "mcp__treadle__report_done").is_allowed
    assert not answered(given, "read", "Read x").is_allowed


@pytest.mark.parametrize("role", list(SessionRole))
def test_nothing_is_ever_allowed_for_good(role):
    only_for_good = [OPTIONS[0], OPTIONS[3]]
    answer = answer_permission(Rights(role=role), ToolUse(kind="read"), only_for_good)
    assert (answer.option_id, answer.is_allowed) == (None, False)
