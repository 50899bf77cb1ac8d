"""What makes two requests for permission the same question."""

import pytest

from adapters.acp.permission_requests import describe_request
from adapters.acp.tool_calls import Request
from domain.agents.permissions import ToolUse


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
