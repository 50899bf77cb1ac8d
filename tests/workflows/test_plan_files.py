"""A thread is the one writer of its plan files, whoever of its sessions and tasks changes them."""

import asyncio

import pytest

from adapters.files.plan_files import PlanFileFolders
from domain.conversations.commands import SendMessage
from domain.core.errors import NotFoundError
from domain.core.lifecycle.commands import DeleteThread
from domain.threads.plan_files.commands import ChangePlanFile, SetPlanFiles
from domain.threads.plan_files.edits import PlanFileOp
from domain.threads.plan_files.errors import (
    ConfirmNeededError,
    PlanFilesOffError,
    SectionNotFoundError,
)
from domain.threads.plan_files.files import PlanFile
from tests import played_agents
from tests.workflows.test_main_job import ONE

SECTIONS = 20
DONE = "# T\n\n**Status:** complete\n"


class Writers:
    """Agents of a thread that change its plan files."""

    def __init__(self, house, thread):
        self.house = house
        self.thread = thread
        self.store = PlanFileFolders(house.folder)
        self.calls = 0

    async def change(self, op, content="", *, session="session-1", **more):
        self.calls += 1
        command = ChangePlanFile(
            op=op,
            command_id=f"call-{self.calls}",
            session_id=f"{self.thread}/{session}",
            content_ref=await self.house.journal.put_text(content),
            **more,
        )
        return (await self.house.send(self.thread, command)).message

    async def write(self, which, content, **more):
        return await self.change(PlanFileOp.WRITE, content, which=which, **more)

    async def read(self, which, archive=""):
        return await self.store.read(self.thread, which, archive)

    def events(self, kind="plan_file_changed"):
        found = (e.body for e in self.house.journal.events if e.stream == self.thread)
        return [body for body in found if body.kind == kind]


@pytest.fixture
async def writers(house):
    thread = (await house.open(is_planned=False, has_plan_files=True)).id
    return Writers(house, thread)


async def test_writers_at_the_same_time_lose_nothing(writers):
    headings = [f"Part {n}" for n in range(SECTIONS)]
    whole = "\n\n".join(f"## {heading}\n\nopen" for heading in headings)
    await writers.write(PlanFile.FINDINGS, whole)

    await asyncio.gather(
        *(
            writers.change(
                PlanFileOp.UPDATE,
                f"found {n}",
                which=PlanFile.FINDINGS,
                section=heading,
                session=f"{'task-1/' * (n % 2)}session-{1 + n % 2}",
            )
            for n, heading in enumerate(headings)
        )
    )

    text = await writers.read(PlanFile.FINDINGS)
    assert [f"found {n}" in text for n in range(SECTIONS)] == [True] * SECTIONS
    assert "open" not in text
    await writers.house.seen(writers.thread, "plan_file_changed", number=SECTIONS + 1)
    changes = writers.events()
    assert {change.task_id for change in changes} == {None, "task-1"}
    kept = await writers.house.journal.text(changes[-1].content_ref)
    assert kept == text


async def test_a_completed_plan_is_archived_with_its_texts_in_the_journal(writers):
    await writers.change(PlanFileOp.INIT, title="First")
    await writers.write(PlanFile.TASK_PLAN, DONE)
    said = await writers.change(PlanFileOp.INIT, title="Second")

    archived = (await writers.house.seen(writers.thread, "plan_archived")).body
    assert archived.name in said
    assert set(archived.files) == set(PlanFile)
    kept = await writers.house.journal.text(archived.files[PlanFile.TASK_PLAN].content_ref)
    assert kept == DONE == await writers.read(PlanFile.TASK_PLAN, archived.name)
    assert "Second" in await writers.read(PlanFile.TASK_PLAN)


async def test_a_plan_that_the_disk_has_lost_comes_back_from_the_journal(writers):
    await writers.change(PlanFileOp.INIT, title="First")
    await writers.write(PlanFile.FINDINGS, "# Found\n")
    await writers.store.remove(writers.thread)

    said = await writers.change(PlanFileOp.INIT, title="Second")

    assert "stays as it is" in said
    assert await writers.read(PlanFile.FINDINGS) == "# Found\n"
    await writers.change(PlanFileOp.CLEAR, is_confirmed=True)
    assert "A new plan" in await writers.change(PlanFileOp.INIT, title="Third")


async def test_a_copy_of_an_old_change_changes_nothing(writers):
    await writers.write(PlanFile.PROGRESS, "old")
    await writers.write(PlanFile.PROGRESS, "new")
    writers.calls = 0

    await writers.write(PlanFile.PROGRESS, "old")

    assert await writers.read(PlanFile.PROGRESS) == "new"


async def test_a_refused_change_says_why_and_leaves_no_event(writers):
    await writers.write(PlanFile.PROGRESS, "# A\n")
    update = {"which": PlanFile.PROGRESS, "section": "B"}
    with pytest.raises(SectionNotFoundError, match="the file has: # A"):
        await writers.change(PlanFileOp.UPDATE, "x", **update)
    with pytest.raises(ConfirmNeededError):
        await writers.change(PlanFileOp.CLEAR)
    stranger = ChangePlanFile(op=PlanFileOp.INIT, session_id="thread-y/session-1")
    with pytest.raises(NotFoundError, match="no session of this thread"):
        await writers.house.send(writers.thread, stranger)

    await writers.write(PlanFile.PROGRESS, "# C\n")
    await writers.house.seen(writers.thread, "plan_file_changed", number=2)
    assert [change.op for change in writers.events()] == ["write", "write"]


async def test_nothing_is_changed_where_a_person_does_not_want_plan_files(house):
    writers = Writers(house, (await house.open(is_planned=False)).id)
    with pytest.raises(PlanFilesOffError, match="treadle plan-files"):
        await writers.change(PlanFileOp.INIT, title="x")

    await house.send(writers.thread, SetPlanFiles(is_on=True, command_id="on", by="ann"))
    await writers.change(PlanFileOp.INIT, title="x")
    await house.send(writers.thread, SetPlanFiles(is_on=False, command_id="off"))
    with pytest.raises(PlanFilesOffError):
        await writers.change(PlanFileOp.INIT, title="x")
    assert await writers.read(PlanFile.TASK_PLAN)


async def test_a_session_has_plan_files_from_the_next_message_on(house):
    turns = []

    async def play(call):
        turns.append((call.turn.has_plan_files, "plan-files" in call.prompt))
        return played_agents.ended()

    house.runner.play = play
    thread = (await house.open(is_planned=False)).id
    for number, is_on in enumerate((None, True, True, False), 1):
        if is_on is not None:
            await house.send(thread, SetPlanFiles(is_on=is_on, command_id=f"set-{number}"))
            await house.send(thread, SendMessage(text="on", command_id=f"say-{number}"))
        await house.seen(f"{thread}/session-1", "turn_ended", number=number)

    assert turns == [(False, False), (True, True), (True, False), (False, False)]


async def test_planners_and_tasks_have_the_plan_files_of_their_thread(house):
    thread = (await house.open(has_plan_files=True)).id
    await house.approve(thread, await house.proposed(thread, ONE))
    await house.seen(f"{thread}/task-1", "gate_opened")

    turns = [(call.turn.role, call.turn.has_plan_files) for call in house.runner.calls]
    assert turns == [("planner", True), ("task", True)]
    assert all("plan-files" in call.prompt for call in house.runner.calls)


async def test_the_files_of_a_deleted_thread_are_gone(writers):
    await writers.change(PlanFileOp.INIT, title="x")
    handle = writers.house.client.get_workflow_handle(writers.thread)
    await writers.house.send(writers.thread, DeleteThread(command_id="d", is_forced=True))

    await handle.result()
    assert await writers.store.listed(writers.thread) == ()
