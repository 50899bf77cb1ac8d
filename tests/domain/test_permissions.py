"""What an agent that asks permission is answered."""

import pytest

from domain.agents.agents import READERS, SessionRole
from domain.agents.limits.tool_filters import ToolFilter
from domain.agents.permissions import (
    PermissionMode,
    PermissionOption,
    Rights,
    ToolUse,
    answer_permission,
    is_looking,
    scope_of,
)

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


CONFINED = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch"]
WORKERS = [SessionRole.TASK, SessionRole.CHAT]


@pytest.mark.parametrize("kind", CONFINED)
@pytest.mark.parametrize("role", WORKERS)
def test_what_a_sandbox_keeps_inside_is_allowed_once(role, kind):
    answer = answered(Rights(role=role), kind)
    assert (answer.option_id, answer.is_allowed) == ("2", True)


@pytest.mark.parametrize("kind", ["other", "", "new", "switch_mode"])
@pytest.mark.parametrize("role", WORKERS)
def test_what_nobody_knows_is_asked(role, kind):
    assert answered(Rights(role=role), kind, "Deploy") is None


@pytest.mark.parametrize("role", WORKERS)
def test_tools_of_other_servers_are_asked_whatever_kind_they_show(role):
    assert answered(Rights(role=role), "read", "mcp__github__create_issue") is None


@pytest.mark.parametrize("kind", ["edit", "delete", "move", "execute"])
@pytest.mark.parametrize(
    "rights",
    [
        Rights(role=SessionRole.TASK, is_confined=False),
        Rights(role=SessionRole.CHAT, mode=PermissionMode.ASK),
    ],
)
def test_all_that_acts_is_asked_without_a_sandbox_or_by_the_users_wish(rights, kind):
    assert answered(rights, kind, "rm -rf build") is None
    assert answered(rights, "execute", "git status").is_allowed
    assert answered(rights, "read").is_allowed


@pytest.mark.parametrize("kind", KINDS)
def test_a_user_can_allow_everything_but_what_a_filter_or_a_role_forbids(kind):
    mode = PermissionMode.ALLOW
    no_shell = ToolFilter(denied=("bash",))
    assert answered(Rights(role=SessionRole.TASK, mode=mode), kind, "x").is_allowed
    assert not answered(
        Rights(role=SessionRole.TASK, mode=mode, tools=no_shell), "execute", "x"
    ).is_allowed
    assert not answered(Rights(role=SessionRole.PLANNER, mode=mode), "edit", "x").is_allowed


@pytest.mark.parametrize(
    ("use", "scope"),
    [
        (ToolUse(kind="execute", title="Run tests", command="npm test"), "execute: npm test"),
        (ToolUse(kind="other", title="mcp__GitHub__create"), "mcp:github/create"),
        (ToolUse(kind="edit", title="Edit a.py"), "edit: Edit a.py"),
        (ToolUse(kind="execute", title="mcp__x__y", command="rm x"), "execute: rm x"),
        (ToolUse(kind="execute", title="x", command="y" * 900), ""),
        (ToolUse(), ""),
    ],
)
def test_an_answer_is_remembered_for_exactly_what_was_asked(use, scope):
    assert scope_of(use) == scope


@pytest.mark.parametrize("title", ["propose_plan", "mcp__treadle__propose_plan"])
def test_a_shell_line_does_not_pass_for_a_tool_of_ours(title):
    own = frozenset({"propose_plan"})
    unconfined = Rights(role=SessionRole.TASK, own=own, is_confined=False)
    assert not answered(PLANNER, "execute", title, "rm x").is_allowed
    assert answered(unconfined, "execute", title, "rm x") is None
    assert answered(unconfined, "other", title).is_allowed


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
        "git diff --outp=x",
        "rg --hostname-bin=./x y",
        "file -C -m x",
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
        "mcp_treadle_propose_plan",
        "treadle-propose_plan",
        "treadle/propose_plan",
        "mcp_treadle.propose_plan",
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


def test_a_command_that_is_called_like_a_tool_of_ours_is_none():
    assert not answered(
        PLANNER, "execute", "treadle/propose_plan", "treadle/propose_plan"
    ).is_allowed


WORKER = Rights(
    role=SessionRole.TASK,
    own=frozenset({"terminal_create", "report_done"}),
    commanding=frozenset({"terminal_create"}),
    is_confined=False,
    mode=PermissionMode.ASK,
)


@pytest.mark.parametrize(
    "title",
    [
        "mcp__treadle__terminal_create",
        "terminal_create (treadle MCP Server)",
        "treadle_terminal_create",
        "mcp.treadle.terminal_create",
    ],
)
@pytest.mark.parametrize("kind", ["other", ""])
def test_a_tool_of_ours_that_takes_a_command_is_allowed_by_its_name(title, kind):
    assert answered(WORKER, kind, title, "npm run dev").is_allowed


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("execute", "mcp__treadle__terminal_create"),
        ("execute", "terminal_create (treadle MCP Server)"),
        ("other", "terminal_create"),
        ("other", "mcp__treadle__report_done"),
        ("other", "mcp__treadle-evil__terminal_create"),
        ("other", "mcp__treadle__terminal_create; rm x"),
        ("other", "mcp__treadle__terminal_kill"),
    ],
)
def test_a_shell_that_is_titled_like_a_tool_of_ours_that_takes_a_command_is_asked(kind, title):
    assert answered(WORKER, kind, title, "rm x") is None
    planner = WORKER.model_copy(update={"role": SessionRole.PLANNER, "own": frozenset()})
    assert not answered(planner, kind, title, "rm x").is_allowed


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
def test_nothing_is_ever_allowed_for_good_but_by_a_person(role):
    only_for_good = [OPTIONS[0], OPTIONS[3]]
    answer = answer_permission(Rights(role=role), ToolUse(kind="read"), only_for_good)
    if role in READERS:
        assert (answer.option_id, answer.is_allowed) == (None, False)
    else:
        assert answer is None
