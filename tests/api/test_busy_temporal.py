"""A Temporal that is too busy for a command, or not set up: told of in our own words."""

import pytest
from temporalio.service import RPCError, RPCStatusCode

from api.core import workflow_client as door
from api.core.answering import BUSY
from api.core.workflow_client import WorkflowClient
from domain.conversations.commands import SendMessage
from domain.core.command import Answer
from domain.core.errors import NotConfirmedError, UnavailableError
from domain.core.ids import CommandId

NAMED = SendMessage(command_id=CommandId("one"), text="hello")
RAW = "Unable to perform workflow execution update due to Workflow Task in failed state."


class Busy:
    """Temporal's side of the door, which refuses as often as it is told."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.sent = []

    async def send(self, workflow_id, command):
        self.sent.append(command)
        if self.errors:
            raise self.errors.pop(0)
        return Answer(message="done")


@pytest.fixture
def made(monkeypatch):
    """Make a door before a stand-in of Temporal."""
    monkeypatch.setattr(door, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(door, "ANSWER_SECONDS", 0.2)

    def make(busy: Busy) -> WorkflowClient:
        made = WorkflowClient(client=None, key=None)
        monkeypatch.setattr(made, "_workflows", busy)
        return made

    return make


@pytest.mark.parametrize("status", sorted(BUSY))
async def test_a_refusal_of_a_busy_temporal_is_tried_again_as_the_same_command(made, status):
    busy = Busy(RPCError(RAW, status, b""), RPCError(RAW, status, b""))
    answer = await made(busy).send("thread-x", NAMED)
    assert answer.message == "done"
    assert busy.sent == [NAMED] * 3


@pytest.mark.parametrize("command", [NAMED, SendMessage(text="hello")], ids=["named", "unnamed"])
async def test_one_that_stays_busy_is_not_confirmed_and_quotes_nothing_of_temporal(made, command):
    always = [RPCError(RAW, RPCStatusCode.FAILED_PRECONDITION, b"")] * 1_000_000
    with pytest.raises(NotConfirmedError) as told:
        await made(Busy(*always)).send("thread-x", command)
    assert "Workflow Task" not in told.value.message


async def test_what_temporal_never_takes_is_reported_at_once(made):
    busy = Busy(RPCError("no", RPCStatusCode.PERMISSION_DENIED, b""))
    with pytest.raises(UnavailableError, match="refused"):
        await made(busy).send("thread-x", NAMED)
    assert len(busy.sent) == 1


async def test_a_cluster_that_no_worker_has_set_up_yet_is_told_of_in_our_words(made):
    raw = "Namespace default has no mapping defined for search attribute TreadleAgent"
    with pytest.raises(UnavailableError, match="the first worker registers them"):
        await made(Busy(RPCError(raw, RPCStatusCode.INVALID_ARGUMENT, b""))).send("thread-x", NAMED)
