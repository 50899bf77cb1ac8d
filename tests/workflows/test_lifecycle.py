import pytest

from domain.conversations.commands import MergeSession
from domain.core.errors import WrongStateError
from domain.core.lifecycle.commands import Archive, DeleteThread, Rename, Unarchive
from domain.core.project_map import ProjectSurvey
from domain.core.workspaces import MergeResult, RepositoryFacts
from domain.plans.settings import PlannerSettings

PLAN = {"tasks": [{"id": "one", "title": "One"}, {"id": "two", "title": "Two"}]}
MAP = "- Active plans: docs/plans/active/\n- Completed plans: docs/plans/completed/\n"


def mapped(house, **planner):
    """Have the repository name folders for plans."""
    facts = RepositoryFacts(
        root="/repo",
        head="0" * 40,
        project_map=MAP,
        survey=ProjectSurvey(map_file="TREADLE.md"),
    )

    async def inspect(repository):
        return facts

    house.workspaces.inspect = inspect
    return {"planner": PlannerSettings(**planner)}


async def run_whole(house, thread):
    """Approve the plan and each of its tasks."""
    await house.approve(thread, await house.proposed(thread, PLAN))
    for task in ("one", "two"):
        await house.approve(f"{thread}/{task}", await house.seen(f"{thread}/{task}", "gate_opened"))
    await house.seen(thread, "plan_completed")


async def test_a_thread_is_called_and_placed_as_people_say(house):
    thread = (await house.open("add a flag")).id

    await house.send(thread, Rename(command_id="1", topic="  The\n flag ", by="ann"))
    await house.send(thread, Archive(command_id="2", by="ann"))
    again = await house.send(thread, Archive(command_id="3", by="ann"))
    await house.seen(thread, "thread_archived")
    [archive_sessions_of] = await house.journal.headlines("thread")
    await house.send(thread, Unarchive(command_id="4", by="ann"))
    await house.seen(thread, "thread_unarchived")
    [back] = await house.journal.headlines("thread")

    assert (archive_sessions_of.title, archive_sessions_of.goal) == ("The flag", "add a flag")
    assert (archive_sessions_of.is_archived, back.is_archived) == (True, False)
    assert again.message == "archived"
    assert [e.body.kind for e in house.journal.events].count("thread_archived") == 1


async def test_a_chat_s_changes_are_kept_or_it_is_told_why_not(house):
    thread = (await house.open(is_planned=False)).id
    session = f"{thread}/session-1"
    house.lifecycle.kept = MergeResult(conflicts=("a.py",))
    await house.send(thread, MergeSession(command_id="1", session_id=session))
    refused = (await house.seen(thread, "session_merge_ended")).body
    house.lifecycle.kept = MergeResult(commit="c")
    await house.send(thread, MergeSession(command_id="2", session_id=session))
    kept = (await house.seen(thread, "session_merge_ended", number=2)).body

    assert (refused.commit, refused.conflicts) == (None, ("a.py",))
    assert (kept.commit, kept.session_id) == ("c", session)
    assert len({call.key for call in house.lifecycle.merges}) == 2


async def test_a_plan_s_file_follows_the_plan_and_is_moved_at_its_end(house):
    thread = (await house.open(**mapped(house, plan_files_commit=True))).id
    await run_whole(house, thread)
    last_mark = 0
    while not house.lifecycle.committed:
        last_mark += 1
        await house.seen(thread, "document_written", number=last_mark)

    folders, last = house.lifecycle.documents[-1]
    _, first = house.lifecycle.documents[0]
    assert (first.is_over, last.is_over) == (False, True)
    assert first.text.startswith(first.marker)
    assert "- [x] `one` One: completed" in last.text
    assert "merged as" in last.text
    assert f"{folders.completed}/{last.name}" == house.lifecycle.committed[0][1]


async def test_a_plan_s_file_that_cannot_be_written_stops_nothing(house):
    house.lifecycle.refusal = "somebody's file is in its place"
    thread = (await house.open(**mapped(house))).id
    await run_whole(house, thread)

    written = (await house.seen(thread, "document_written")).body
    assert "somebody's file" in written.problem


async def test_no_file_is_written_where_persistence_is_off(house):
    thread = (await house.open(**mapped(house, enable_persistence=False))).id
    await run_whole(house, thread)
    assert house.lifecycle.documents == []


async def test_a_running_thread_is_deleted_only_by_force_and_leaves_nothing(house):
    handle = await house.open()
    thread = handle.id
    await house.approve(thread, await house.proposed(thread, PLAN))
    await house.seen(f"{thread}/one", "gate_opened")
    with pytest.raises(WrongStateError, match="--force"):
        await house.send(thread, DeleteThread(command_id="1"))
    house.lifecycle.stays = ("treadle/x",)

    await house.send(thread, DeleteThread(command_id="2", is_forced=True))

    assert "treadle/x" in await handle.result()
    [removal] = house.lifecycle.removals
    assert f"{thread}/session-1" in removal.sessions
    assert {f"{thread}/one", f"{thread}/two"} <= set(removal.workflows)
    assert house.lifecycle.forgotten == [thread]


async def test_an_idle_thread_is_deleted_and_takes_nothing_meanwhile(house):
    handle = await house.open()
    await house.proposed(handle.id, PLAN)

    await house.send(handle.id, DeleteThread(command_id="1"))

    assert await handle.result() == "deleted"
    assert house.lifecycle.forgotten == [handle.id]
