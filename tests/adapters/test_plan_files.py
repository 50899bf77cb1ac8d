"""Plan files on the disk: made, changed, archived whole, finished where they were cut off."""

import asyncio
import os
import stat
from datetime import timedelta

import pytest

from domain.core.errors import WorkspaceError
from domain.core.ids import ThreadId
from domain.threads.plan_files.completion import is_complete
from domain.threads.plan_files.edits import PlanFileEdit, PlanFileOp
from domain.threads.plan_files.errors import BadUnicodeError, NoPlanError, SectionNotFoundError
from domain.threads.plan_files.files import PlanFile
from tests.adapters.plan_file_lab import DONE, FINDINGS, NOW, PLAN, THREAD, Desk


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


async def test_a_plan_is_made_from_templates_for_its_owner_alone(desk):
    edited = await desk.init("  Add\n a `flag` # now ")

    assert set(edited.files) == set(PlanFile)
    assert desk.on_disk()["task_plan.md"].startswith("# Task plan: Add a `flag` # now\n")
    assert "## Session 2026-01-16" in desk.on_disk()["progress.md"]
    assert not is_complete(desk.on_disk()["task_plan.md"])
    modes = {stat.S_IMODE(p.lstat().st_mode) for p in desk.folder.rglob("*") if p.is_file()}
    folders = {stat.S_IMODE(p.lstat().st_mode) for p in desk.folder.rglob("*") if p.is_dir()}
    assert (modes, folders) == ({0o600}, {0o700})


async def test_an_open_plan_stays_as_it_is(desk):
    await desk.init()
    await desk.write(PLAN, "# Mine\n")
    (desk.plan / "findings.md").unlink()

    again = await desk.init("Other")

    assert desk.on_disk()["task_plan.md"] == "# Mine\n"
    assert again.files[PLAN] == "# Mine\n"
    assert "Findings: Other" in again.files[FINDINGS]
    assert "stays as it is" in again.message


async def test_a_completed_plan_is_archived_with_all_three_files_and_a_fresh_one_begins(desk):
    await desk.init()
    await desk.write(PLAN, DONE)
    await desk.write(FINDINGS, "# F\n")
    before = desk.on_disk()

    edited = await desk.init("Next")

    assert edited.archive == "plan-20260116-0217"
    assert desk.on_disk("plan-20260116-0217") == before
    assert edited.archived[FINDINGS] == "# F\n"
    assert "Task plan: Next" in desk.on_disk()["task_plan.md"]
    assert "Findings: Next" in desk.on_disk()["findings.md"]


async def test_two_plans_archived_in_one_minute_are_both_kept(desk):
    for number in range(3):
        await desk.init(f"Work {number}", is_forced=True)
    desk.at += timedelta(minutes=1)
    await desk.init("Last", is_forced=True)

    assert desk.archives == [
        "plan-20260116-0217",
        "plan-20260116-0217-2",
        "plan-20260116-0218",
    ]
    titles = [plan.title for plan in await desk.store.listed(THREAD)]
    assert titles == [f"Task plan: {title}" for title in ("Last", "Work 2", "Work 1", "Work 0")]


async def test_a_new_plan_that_is_forced_twice_is_made_once(desk):
    await desk.init("Old")
    await desk.init("New", is_forced=True)
    await desk.init("New", is_forced=True)

    assert desk.archives == ["plan-20260116-0217"]


async def test_cleared_files_are_gone_and_archived_ones_stay(desk):
    await desk.init("Old")
    await desk.init("New", is_forced=True)
    for _ in range(2):
        await desk.edit(PlanFileOp.CLEAR)

    assert desk.on_disk() == {}
    assert set(desk.on_disk("plan-20260116-0217")) == {f.file_name for f in PlanFile}
    assert "Old" in await desk.store.read(THREAD, PLAN, "plan-20260116-0217")
    with pytest.raises(NoPlanError, match="init_plan"):
        await desk.store.read(THREAD, PLAN)


async def test_a_section_is_replaced_on_the_disk_and_a_refusal_changes_nothing(desk):
    await desk.init()
    before = desk.on_disk()
    with pytest.raises(SectionNotFoundError, match="## Goal"):
        await desk.edit(PlanFileOp.UPDATE, which=PLAN, section="goal", content="x")
    assert desk.on_disk() == before

    await desk.edit(PlanFileOp.UPDATE, which=PLAN, section="Goal", content="A flag.")
    assert "## Goal\n\nA flag.\n\n## Now" in desk.on_disk()["task_plan.md"]


@pytest.mark.parametrize("moved", [0, 1, 3])
async def test_archiving_that_was_cut_off_is_finished_by_the_next_change(desk, moved):
    await desk.init("Old")
    before = desk.on_disk()
    moving = desk.plan / "archive" / ".moving"
    moving.mkdir(parents=True)
    for which in list(PlanFile)[:moved]:
        (desk.plan / which.file_name).rename(moving / which.file_name)

    edited = await desk.init("New", is_forced=True)

    assert desk.archives == ["plan-20260116-0217"] == [edited.archive]
    assert desk.on_disk(edited.archive) == before
    assert set(edited.archived) == set(PlanFile)
    assert "New" in desk.on_disk()["task_plan.md"]


@pytest.mark.parametrize("written", [0, 1, 3])
async def test_a_new_plan_that_was_cut_off_is_finished_by_the_same_call(desk, written):
    """The worker dies after the archive has its name, and before the call was answered."""
    await desk.init("Old")
    before = desk.on_disk()
    first = await desk.init("New", is_forced=True, key="call-1")
    for which in list(PlanFile)[written:]:
        (desk.plan / which.file_name).unlink()

    again = await desk.init("New", is_forced=True, key="call-1")

    assert again == first
    assert desk.archives == [first.archive]
    assert (
        desk.on_disk(first.archive) == before == {f.file_name: t for f, t in first.archived.items()}
    )
    assert desk.on_disk() == {f.file_name: text for f, text in first.files.items()}


async def test_a_file_that_is_no_utf8_is_shown_and_not_fixed_by_guesses(desk):
    await desk.init()
    (desk.plan / "findings.md").write_bytes(b"# F\n\xff\n")

    assert await desk.store.read(THREAD, FINDINGS) == "# F\n\ufffd\n"
    with pytest.raises(BadUnicodeError, match="write_plan"):
        await desk.edit(PlanFileOp.UPDATE, which=FINDINGS, section="F", content="x")


async def test_threads_never_share_files_and_one_is_removed_alone(desk):
    other = ThreadId("thread-y")
    await desk.init("Mine")
    await desk.store.edit(other, PlanFileEdit(op=PlanFileOp.INIT, at=NOW, title="Theirs"))

    await desk.store.remove(THREAD)
    await desk.store.remove(THREAD)

    assert "Theirs" in await desk.store.read(other, PLAN)
    assert [path.name for path in (desk.folder / "users").iterdir()] == ["thread-y"]


async def test_writers_beside_each_other_leave_whole_files(desk):
    await desk.init()
    texts = [f"# {n}\n" + f"{n}" * 50_000 for n in range(8)]

    await asyncio.gather(*(desk.write(FINDINGS, text) for text in texts))

    assert desk.on_disk()["findings.md"] in texts
    assert sorted(path.name for path in desk.plan.iterdir()) == [
        "findings.md",
        "progress.md",
        "task_plan.md",
    ]


async def test_a_full_disk_leaves_the_old_file(desk, monkeypatch):
    """A full disk shows when the draft is written or synced; the name is not touched before."""
    await desk.init()
    before = desk.on_disk()

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WorkspaceError, match="no space left on "):
        await desk.write(FINDINGS, "new")
    with pytest.raises(WorkspaceError, match="no space left on "):
        await desk.init("New", is_forced=True)

    assert desk.on_disk() == before
    assert not list(desk.plan.glob(".*"))
    assert not list((desk.plan / "archive").iterdir())
