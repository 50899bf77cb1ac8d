"""Which tools a filter lets through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.limits.tool_filters import ENDINGS, KINDS, ToolFilter, mcp_name

SEED = ToolFilter(allowed=("read_file", "write_file", "search_replace"), denied=("bash",))


@pytest.mark.parametrize(
    ("kind", "title", "may"),
    [
        ("read", "Read notes.md", True),
        ("edit", "Write notes.md", True),
        ("execute", "ls", False),
        ("execute", "`pytest -q`", False),
        ("search", "grep TODO", False),
        ("other", "Ask", False),
        ("", "", False),
        ("think", "Todo list", True),
        ("other", "mcp__github__create_issue", False),
        ("other", "mcp__treadle__request_port", True),
    ],
)
def test_the_seeds_example_is_enforced(kind, title, may):
    assert SEED.may_use(kind, title) is may


@pytest.mark.parametrize(
    ("denied", "kind", "title"),
    [
        ("bash", "execute", "make"),
        ("Execute", "execute", "make"),
        ("shell", "execute", "make"),
        ("bash", "other", "Bash"),
        ("edit", "edit", "Write x"),
        ("write_file", "edit", "Edit x"),
        ("mcp:github/*", "other", "mcp__github__create_issue"),
        ("mcp:github/create_*", "fetch", "create_issue (github MCP Server)"),
        ("mcp:*", "other", "mcp.github.list"),
        ("*", "read", "Read x"),
    ],
)
def test_a_denied_tool_is_refused_whatever_it_is_called(denied, kind, title):
    assert not ToolFilter(denied=(denied,)).may_use(kind, title)
    assert not ToolFilter(allowed=("*",), denied=(denied,)).may_use(kind, title)


def test_a_title_never_helps_a_call_through():
    only_reading = ToolFilter(allowed=("read",))
    assert not only_reading.may_use("execute", "read")
    assert not only_reading.may_use("execute", "read_file x; rm -rf /")
    assert not ToolFilter(allowed=("mcp:docs/*",)).may_use("execute", "mcp:docs/read")


@pytest.mark.parametrize("tool", sorted(ENDINGS))
def test_work_can_always_be_reported(tool):
    assert ToolFilter(denied=("*", f"mcp:treadle/{tool}"), allowed=("read",)).offers(tool)


def test_our_tools_are_taken_away_by_name_only():
    assert ToolFilter(allowed=("read",)).offers("request_port")
    assert not ToolFilter(denied=("mcp:treadle/*",)).offers("request_port")
    only_ports = ToolFilter(allowed=("read", "mcp:treadle/request_port"))
    assert only_ports.offers("request_port")
    assert not only_ports.offers("record_learning")


@pytest.mark.parametrize(
    "title",
    ["mcp__treadle__x; rm y", "rm -rf / # treadle_x", "treadle up", "x (treadle MCP Server) && y"],
)
def test_a_shell_line_is_no_tool_of_a_server(title):
    assert mcp_name(title) == ""


@given(
    st.lists(st.sampled_from(["bash", "edit", "*", "mcp:*", "read_file"])),
    st.lists(st.sampled_from(["bash", "edit", "*", "mcp:*", "read_file"])),
    st.sampled_from([*KINDS, "other", ""]),
    st.text(max_size=20),
)
def test_deny_wins_and_denying_more_never_allows_more(allowed, denied, kind, title):
    less = ToolFilter(allowed=tuple(allowed), denied=tuple(denied))
    more = ToolFilter(allowed=tuple(allowed), denied=(*denied, "bash"))
    assert less.may_use(kind, title) or not more.may_use(kind, title)
    if ToolFilter(denied=tuple(denied)).may_use(kind, title) is False:
        assert not less.may_use(kind, title)
