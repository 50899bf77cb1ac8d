"""A Temporal that is too busy for a command, or not set up: told of in our own words."""

import itertools
from contextlib import AsyncExitStack, nullcontext

import pytest
from temporalio.service import RPCError, RPCStatusCode

from api.core import answering
from api.core import workflow_client as door
from api.core.admission import AT_ONCE_OF_A_THREAD
from api.core.answering import BUSY
from api.core.pending import CommandPendingError
from api.core.workflow_client import WorkflowClient
from domain.conversations.commands import SendMessage, StopTurn
from domain.core.command import Answer
from domain.core.errors import NotConfirmedError, UnavailableError
from domain.core.ids import CommandId

NAMED = SendMessage(command_id=CommandId("one"), text="hello")
RAW = "Unable to perform workflow execution update due to Workflow Task in failed state."


ALWAYS = [RPCError(RAW, RPCStatusCode.FAILED_PRECONDITION, b"")] * 1_000_000


class Busy:
    """Temporal's side of the door, which refuses as often as it is told."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.sent = []
        self.left = []
        self.answered = None

    async def send(self, workflow_id, command):
        self.sent.append(command)
        if self.errors:
            raise self.errors.pop(0)
        return Answer(message="done")

    async def leave(self, workflow_id, command):
        self.left.append(command)
        return self.answered


@pytest.fixture
def made(monkeypatch):
    """Make a door before a stand-in of Temporal."""
    monkeypatch.setattr(answering, "PAUSE_SECONDS", 0)

    def make(busy: Busy) -> WorkflowClient:
        made = WorkflowClient(client=None, key=None)
        monkeypatch.setattr(made, "_workflows", busy)
        return made

    return make


@pytest.fixture
def impatient(monkeypatch):
    """Have an answer waited for only a moment."""
    monkeypatch.setattr(door, "ANSWER_SECONDS", 0.2)


@pytest.mark.parametrize("status", sorted(BUSY))
async def test_a_refusal_of_a_busy_temporal_is_tried_again_as_the_same_command(made, status):
    busy = Busy(RPCError(RAW, status, b""), RPCError(RAW, status, b""))
    answer = await made(busy).send("thread-x", NAMED)
    assert answer.message == "done"
    assert busy.sent == [NAMED] * 3


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("command", [NAMED, SendMessage(text="hello")], ids=["named", "unnamed"])
async def test_one_that_is_not_answered_is_left_for_its_workflow_to_take(made, command):
    busy = Busy(*ALWAYS)
    with pytest.raises(CommandPendingError) as told:
        await made(busy).send("thread-x/left", command)
    [left] = busy.left
    assert left.text == "hello"
    assert {each.command_id for each in busy.sent} == {left.command_id}
    assert told.value.pending.command_id == left.command_id
    assert told.value.pending.ask.startswith(f"/v1/commands/{left.command_id}?")
    assert told.value.pending.ask.endswith("workflow_id=thread-x%2Fleft")


@pytest.mark.usefixtures("impatient")
async def test_one_that_its_workflow_took_before_it_ended_is_answered(made):
    busy = Busy(*ALWAYS)
    busy.answered = Answer(message="approved")
    assert await made(busy).send("thread-x", NAMED) == busy.answered
    assert busy.left == [NAMED]


async def test_one_that_gets_no_place_in_time_is_left_as_well(made, monkeypatch):
    monkeypatch.setattr(door, "PATIENCE_SECONDS", 0.05)
    busy = Busy()
    client = made(busy)
    async with AsyncExitStack() as held:
        for _ in range(AT_ONCE_OF_A_THREAD):
            await held.enter_async_context(client._admission.place("thread-x"))
        with pytest.raises(CommandPendingError):
            await client.send("thread-x", NAMED)
    assert (busy.sent, busy.left) == ([], [NAMED])


@pytest.mark.usefixtures("impatient")
async def test_what_would_mean_another_thing_later_is_not_left(made):
    busy = Busy(*ALWAYS)
    with pytest.raises(NotConfirmedError) as told:
        await made(busy).send("thread-x", StopTurn(command_id=CommandId("stop")))
    assert "Workflow Task" not in told.value.message
    assert busy.left == []


async def test_what_temporal_never_takes_is_reported_at_once(made):
    busy = Busy(RPCError("no", RPCStatusCode.PERMISSION_DENIED, b""))
    with pytest.raises(UnavailableError, match="refused"):
        await made(busy).send("thread-x", NAMED)
    assert len(busy.sent) == 1


@pytest.mark.parametrize(("failures", "opens"), [(2, True), (1_000_000, False)])
async def test_a_thread_opens_once_temporal_answers_again(made, monkeypatch, failures, opens):
    errors = itertools.repeat(RPCError("shard is moving", RPCStatusCode.UNAVAILABLE, b""), failures)

    async def answers(_):
        if error := next(errors, None):
            raise error
        return True

    monkeypatch.setattr(door, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(door, "HEALTH_SECONDS", 60 if opens else 0.2)
    monkeypatch.setattr(door, "is_answering", answers)
    client = made(Busy())
    with nullcontext() if opens else pytest.raises(UnavailableError, match="reading still works"):
        await client._require_up()


async def test_a_cluster_that_no_worker_has_set_up_yet_is_told_of_in_our_words(made):
    raw = "Namespace default has no mapping defined for search attribute TreadleAgent"
    with pytest.raises(UnavailableError, match="the first worker registers them"):
        await made(Busy(RPCError(raw, RPCStatusCode.INVALID_ARGUMENT, b""))).send("thread-x", NAMED)
