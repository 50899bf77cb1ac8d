"""Messages that reach a session by update before a worker has begun its workflow: none is lost."""

import asyncio
from pathlib import Path

import pytest
from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.update.v1 import UpdateRef
from temporalio.api.workflowservice.v1 import PollWorkflowExecutionUpdateRequest
from temporalio.service import RPCError, RPCStatusCode
from temporalio.testing import WorkflowEnvironment

from domain.agents.agents import Prompt
from domain.conversations.commands import SendMessage
from domain.conversations.events import ConversationOpened, MessageQueued
from domain.conversations.sessions.inputs import SessionInput
from queues import SHARED_QUEUE
from tests.workflows.conftest import House
from tests.workflows.test_pending_commands import working

THREAD = "thread-early"
SESSION = f"{THREAD}/session-1"


async def admitted(house: House, update_id: str) -> None:
    """Wait until the server holds an update for a workflow that no worker has."""
    ref = UpdateRef(workflow_execution=WorkflowExecution(workflow_id=SESSION), update_id=update_id)
    asked = PollWorkflowExecutionUpdateRequest(namespace="default", update_ref=ref)
    async with asyncio.timeout(60):
        while True:
            try:
                await house.client.workflow_service.poll_workflow_execution_update(asked)
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:
                    raise
                await asyncio.sleep(0.05)
            else:
                return


async def test_a_message_of_the_first_workflow_task_is_said_after_the_first_prompt(
    server: WorkflowEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workflows.session.check_start", lambda *_, **__: None)
    monkeypatch.setattr("adapters.temporal.door.fingerprint", lambda _: "sent")
    house = House(server.client, tmp_path)
    session = SessionInput(
        thread_id=THREAD,
        project="/repo",
        repository="/repo",
        host="",
        base="main",
        session_id=SESSION,
        role="chat",
        agent="fake",
        has_own_worktree=True,
        first_key="first",
        first_prompt=Prompt(name="message", fields={"text": "one"}),
    )
    handle = await house.client.start_workflow(
        "Session", session, id=SESSION, task_queue=SHARED_QUEUE
    )
    sending = asyncio.create_task(
        house.send(SESSION, SendMessage(command_id="early", text="two", by="tester"))
    )
    await admitted(house, "early/sent")
    async with working(house):
        await sending
        await house.seen(SESSION, "message_queued", number=2)
        await handle.terminate()

    events = [e.body for e in house.journal.events if e.stream == SESSION]
    assert isinstance(events[0], ConversationOpened)
    queued = [each.prompt.fields for each in events if isinstance(each, MessageQueued)]
    assert [fields["text"] for fields in queued] == ["one", "two"]
