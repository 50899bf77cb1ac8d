"""What a busy Temporal does not answer is sent again, as the same command, and told in our words."""

import asyncio

import pytest
from temporalio.client import WorkflowUpdateRPCTimeoutOrCancelledError
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal import RetryingDoor
from adapters.tools.server import ToolServer
from domain.conversations.commands import SendMessage
from domain.core.command import Answer
from domain.core.errors import UnavailableError
from domain.core.ids import CommandId
from tests.adapters.tool_lab import calling, task_grant, text

NAMED = SendMessage(command_id=CommandId("one"), text="hello")
BUSY = RPCError("context deadline exceeded", RPCStatusCode.DEADLINE_EXCEEDED, b"")


class Busy:
    """A door that fails as it is told before it answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.sent = []

    async def send(self, workflow_id, command):
        self.sent.append((workflow_id, command))
        if self.errors:
            raise self.errors.pop(0)
        return Answer(message="done")


@pytest.mark.parametrize("error", [BUSY, WorkflowUpdateRPCTimeoutOrCancelledError()])
async def test_what_was_not_answered_is_sent_again_as_the_same_command(error):
    busy = Busy(error, error)
    answer = await RetryingDoor(busy, pause_seconds=0).send("thread-x", NAMED)
    assert answer.message == "done"
    assert busy.sent == [("thread-x", NAMED)] * 3


async def test_what_has_no_id_is_sent_once_and_told_in_our_words():
    busy = Busy(BUSY)
    with pytest.raises(UnavailableError, match="too busy") as told:
        await RetryingDoor(busy, pause_seconds=0).send("thread-x", SendMessage(text="hello"))
    assert "deadline" not in told.value.message
    assert len(busy.sent) == 1


async def test_what_temporal_never_takes_is_not_sent_again():
    busy = Busy(RPCError("no", RPCStatusCode.PERMISSION_DENIED, b""))
    with pytest.raises(UnavailableError, match="refused"):
        await RetryingDoor(busy, pause_seconds=0).send("thread-x", NAMED)
    assert len(busy.sent) == 1


class Silent:
    """A door that never answers, and says of its cancellation what the SDK says."""

    async def send(self, workflow_id, command):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise WorkflowUpdateRPCTimeoutOrCancelledError from None


async def test_an_agent_is_told_to_call_again_and_nothing_of_temporal():
    door = RetryingDoor(Silent(), pause_seconds=0)
    async with ToolServer(door, call_limit_seconds=0.05) as server:
        grant = task_grant(server)
        async with calling(server, grant.token) as client:
            answer = await client.call_tool("report_done", {"summary": "half-way"})
    assert "Call report_done again with the same arguments" in text(answer)
