"""Damaged events come back from Temporal's history, as far as it has them."""

import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from activities.journal import Journaling
from adapters.journal import open_journal
from adapters.redacted_ports import RedactedJournal
from adapters.redaction import Redactor
from adapters.temporal import JournalFirst
from domain.conversations.events import AgentNotice
from domain.core.damage_events import EventRebuilt
from domain.core.effects import JournalCall
from domain.core.ids import TurnId
from tests.adapters.journal_writer import notice
from tests.workflows.carrying_workflow import CarryingWorkflow
from treadle.journal_repair import rebuild

SECRET = "correct-horse-battery"


async def test_what_a_workflow_carried_is_rebuilt_and_the_rest_is_named(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    name, file = f"thread-{uuid4().hex[:8]}", tmp_path / "journal.db"
    redactor = Redactor({"TOKEN": SECRET})
    told = AgentNotice(turn_id=TurnId("t"), message=f"it is {SECRET}")
    carried = notice("carried", 1, name).model_copy(update={"body": told})
    below, alone = notice("below", 1, f"{name}/session-1"), notice("alone", 1, name)
    async with open_journal(f"sqlite:///{file}") as journal:
        first = JournalFirst(RedactedJournal(journal, redactor))
        async with Worker(
            server.client,
            task_queue=name,
            workflows=[CarryingWorkflow],
            activities=[Journaling().append_events],
            interceptors=[first],
        ):
            call = JournalCall(events=(carried, below))
            await server.client.execute_workflow(
                CarryingWorkflow.run, call, id=name, task_queue=name
            )
        await journal.append([alone])
        before = await journal.read()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE events SET body = substr(body, 2)")

    async with open_journal(f"sqlite:///{file}") as journal:
        done = await rebuild(journal, server.client, redactor)
        after = await journal.read()

    assert sorted(damaged.position for damaged in done.rebuilt) == [1, 2]
    assert [damaged.event.id for damaged in done.lost] == [alone.id]
    assert after[:2] == before[:2]
    assert SECRET not in after[0].model_dump_json()
    rebuilt = [entry.event.body for entry in after[3:]]
    assert sorted(body.position for body in rebuilt if isinstance(body, EventRebuilt)) == [1, 2]


async def test_an_event_of_no_workflow_is_lost(server: WorkflowEnvironment, tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    async with open_journal(f"sqlite:///{file}") as journal:
        await journal.append([notice("a", 1, "thread-that-never-was/task-1")])
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE events SET body = '', stream = 'no ''such/stream'")
    async with open_journal(f"sqlite:///{file}") as journal:
        done = await rebuild(journal, server.client, Redactor({}))
    assert not done.rebuilt
    assert len(done.lost) == 1
