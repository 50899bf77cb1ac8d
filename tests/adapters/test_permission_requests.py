"""What makes two requests for permission the same question."""

import pytest

from adapters.acp.permission_requests import describe_request
from adapters.acp.tool_calls import Request, ToolCalls
from domain.agents.agents import SessionRole
from domain.agents.permissions import ALLOW_ONCE, Rights, ToolUse


def hash_of(call_id, command="rm -r build", **more):
    content = [{"type": "terminal", "terminalId": call_id}]
    call = {"toolCallId": call_id, "rawInput": {"command": command, "callId": call_id, **more}}
    use = ToolUse(kind="execute", title=command, command=command)
    asked, _ = describe_request(
        Request(use=use, call={**call, "content": content}, options=(), answer=None)
    )
    return asked.input_hash


def test_a_restarted_agent_that_asks_under_another_id_asks_the_same():
    assert hash_of("call-1") == hash_of("call-2")


@pytest.mark.parametrize("other", [{"command": "rm -r /"}, {"cwd": "/elsewhere"}])
def test_whatever_else_differs_is_another_question(other):
    assert hash_of("call-1") != hash_of("call-1", **other)


@pytest.mark.parametrize(
    ("told", "asked", "is_ours"),
    [
        ("treadle-terminal_create", "terminal_create", True),
        ("treadle-terminal_create", "run_shell", False),
        ("other: terminal_create", "terminal_create", False),
        ("", "terminal_create", False),
    ],
)
def test_a_call_stays_one_of_ours_when_its_question_leaves_out_the_server(told, asked, is_ours):
    tools = frozenset({"terminal_create"})
    calls = ToolCalls(Rights(role=SessionRole.TASK, own=tools, commanding=tools))
    call = {"toolCallId": "one", "kind": "other", "rawInput": {"command": "sleep 9"}}
    calls.violation({**call, "sessionUpdate": "tool_call", "title": told})
    options = [{"optionId": "yes", "kind": ALLOW_ONCE}]
    read = calls.read({"toolCall": {**call, "title": asked}, "options": options})
    assert (read.answer is not None and read.answer.is_allowed) == is_ours
