"""What Temporal's lists and histories tell without any key: titles, statuses, and what each event is about."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from temporalio.api.common.v1 import Payload
from temporalio.api.enums.v1 import EventType
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.client import Client, WorkflowExecutionDescription
from temporalio.common import SearchAttributeKey

from domain.core.event import Event
from domain.core.lifecycle.commands import Rename
from domain.core.listing import TITLE
from domain.tasks.state import AT_GATE
from domain.threads import patches
from domain.threads.running.events import TaskProgressed
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

NOW = {"patches": patches.ALL}
TOLD = {
    EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
    EventType.EVENT_TYPE_TIMER_STARTED,
    EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED,
}
CLEAR = {"encoding": b"json/plain"}


async def events(client: Client, workflow_id: str) -> AsyncIterator[Any]:
    async for event in client.get_workflow_handle(workflow_id).fetch_history_events():
        yield event


async def summaries(client: Client, workflow_id: str) -> list[str]:
    """Return what each event that can say something says; all of it plain JSON, without a mark of ours."""
    told: list[str] = []
    async for event in events(client, workflow_id):
        if event.event_type in TOLD:
            summary: Payload = event.user_metadata.summary
            assert dict(summary.metadata) == CLEAR, event
            told.append(summary.data.decode())
    return told


async def described(client: Client, workflow_id: str) -> WorkflowExecutionDescription:
    return await client.get_workflow_handle(workflow_id).describe()


async def test_every_activity_timer_and_child_says_what_it_is_about(house: House) -> None:
    thread = await house.open("Build the checkout", opened_by="ada", **NOW)
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    await house.approve(task, await house.seen(task, "gate_opened"))
    await house.seen(thread.id, "plan_completed")

    of_thread = await summaries(house.client, thread.id)
    of_task = await summaries(house.client, task)
    assert '"open repo for fake"' in of_thread
    assert any(text.startswith('"merge task-1 into ') for text in of_thread)
    assert '"one"' in of_thread
    assert '"task turn of session-1 with fake"' in of_task
    assert '"verify: step-1, attempt 1"' in of_task
    assert not any("make it so" in text for text in (*of_thread, *of_task))


async def test_a_workflow_has_its_title_in_lists_memo_and_description(house: House) -> None:
    thread = await house.open("Build the checkout\n\nwith care", opened_by="ada", **NOW)
    session = await house.seen(f"{thread.id}/session-1", "conversation_opened")
    about = await described(house.client, session.stream)
    raw = about.raw_description.execution_config.user_metadata

    assert dict(raw.summary.metadata) == dict(raw.details.metadata) == CLEAR
    assert b"planner with fake in session-1" in raw.summary.data
    assert b"opened by: ada" in raw.details.data
    memo = about.raw_description.workflow_execution_info.memo.fields["title"]
    assert dict(memo.metadata) == CLEAR
    values = about.typed_search_attributes
    assert values.get(SearchAttributeKey.for_keyword("TreadlePerson")) == "ada"
    assert values.get(SearchAttributeKey.for_keyword("TreadleAgent")) == "fake"


async def test_what_waits_is_found_by_its_status_and_a_word_of_its_title(house: House) -> None:
    thread = await house.open(**NOW)
    await house.proposed(thread.id, ONE)
    await house.send(thread.id, Rename(topic="Größe der Kasse", by="ada"))
    about = await described(house.client, thread.id)
    while not about.typed_search_attributes.get(SearchAttributeKey.for_text(TITLE)):
        about = await described(house.client, thread.id)
    values = about.typed_search_attributes

    assert values.get(SearchAttributeKey.for_keyword("TreadleStatus")) == "needs you"
    assert values.get(SearchAttributeKey.for_text(TITLE)) == "Größe der Kasse"
    memo = about.raw_description.workflow_execution_info.memo.fields["title"]
    assert memo.data.decode() == '"Größe der Kasse"'
    query = f"TreadleStatus = 'needs you' AND {TITLE} = 'kasse' AND WorkflowId = '{thread.id}'"
    found: list[str] = []
    while not found:  # the list follows the workflow
        found = [each.id async for each in house.client.list_workflows(query)]
    assert found == [thread.id]


async def test_no_later_title_shows_what_looks_like_a_secret(house: House) -> None:
    secret = "ghp_" + "Ab1" * 12
    thread = await house.open("Build the checkout", **NOW)
    await house.proposed(thread.id, ONE)
    await house.send(thread.id, Rename(topic=f"Use {secret}", by="ada"))
    title = SearchAttributeKey.for_text(TITLE)
    about = await described(house.client, thread.id)
    while not str(about.typed_search_attributes.get(title)).startswith("Use "):
        about = await described(house.client, thread.id)

    hidden = "Use [redacted:github-token]"
    assert about.typed_search_attributes.get(title) == hidden
    memo = about.raw_description.workflow_execution_info.memo.fields["title"]
    assert memo.data.decode() == f'"{hidden}"'
    assert hidden in await details(house, thread.id)
    assert secret.encode() not in about.raw_description.SerializeToString()


async def test_current_details_say_what_waits_and_how_to_answer(house: House) -> None:
    thread = await house.open(**NOW)
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    await house.seen(f"{thread.id}/task-1", "gate_opened")
    await house.journal.until(is_asked)
    asked = f"* `treadle approve {thread.id} task-1`"
    of_thread = await details_with(house, thread.id, asked)
    of_task = await details_with(house, f"{thread.id}/task-1", asked)

    assert "| task-1 | one | running | 1 |" in of_thread.replace("\u00a0", "")
    assert "code" not in of_task


def is_asked(event: Event) -> bool:
    """Tell whether a thread has learned that a task is at its gate."""
    return isinstance(event.body, TaskProgressed) and event.body.progress.asks == AT_GATE


async def details_with(house: House, workflow_id: str, line: str) -> str:
    """Wait until the current details have a line: what is journaled may be known before they are put right."""
    async with asyncio.timeout(60):
        while line not in (text := await details(house, workflow_id)):
            pass
    return text


async def details(house: House, workflow_id: str) -> str:
    """Return the current details as anybody sees them who has no key."""
    client = Client(house.client.service_client, namespace=house.client.namespace)
    handle = client.get_workflow_handle(workflow_id)
    metadata = await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
    return metadata.current_details
