"""Plan files that something else lies in the place of, and names and paths that lead elsewhere."""

import os
from contextlib import suppress

import pytest

from adapters.acp.client_files import ClientFiles
from adapters.acp.requests import ServedError
from domain.core.errors import NotFoundError, WorkspaceError
from domain.core.ids import ThreadId
from domain.threads.plan_files.edits import PlanFileEdit, PlanFileOp
from domain.threads.plan_files.errors import NoPlanError, TangledTextError, UnusableFileError
from tests.adapters.plan_file_lab import DONE, FINDINGS, NOW, PLAN, PROGRESS, THREAD, Desk


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def plant(kind, place, outside):
    place.unlink(missing_ok=True)
    match kind:
        case "link":
            place.symlink_to(outside)
        case "fifo":
            os.mkfifo(place)
        case "folder":
            place.mkdir()
        case "large":
            place.write_bytes(b"x" * (256 * 1024 + 1))


@pytest.mark.parametrize("kind", ["link", "fifo", "folder", "large"])
async def test_what_lies_in_the_place_of_a_file_is_not_followed(desk, tmp_path, kind):
    outside = tmp_path / "outside"
    outside.write_text(DONE)
    await desk.init()
    plant(kind, desk.plan / "task_plan.md", outside)

    for attempt in (desk.store.read(THREAD, PLAN), desk.init(), desk.edit(PlanFileOp.UPDATE)):
        with pytest.raises(UnusableFileError, match="person"):
            await attempt
    assert {p.name: list(p.files) for p in await desk.store.listed(THREAD)} == {
        "": [FINDINGS, PROGRESS]
    }
    if kind != "folder":
        await desk.write(PLAN, "# Mine\n")
        assert desk.on_disk()["task_plan.md"] == "# Mine\n"
    assert outside.read_text() == DONE


@pytest.mark.parametrize("part", ["users", f"users/{THREAD}", f"users/{THREAD}/plan"])
async def test_a_link_in_the_place_of_a_folder_is_not_followed(desk, tmp_path, part):
    outside = tmp_path / "outside"
    outside.mkdir()
    (desk.folder / part).parent.mkdir(parents=True, exist_ok=True)
    (desk.folder / part).symlink_to(outside)

    with pytest.raises(WorkspaceError):
        await desk.init()
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    "thread", ["..", ".", "", "a/b", "../x", "a\0", "x" * 300, "thread-x/plan"]
)
async def test_no_thread_s_name_leads_elsewhere(desk, thread):
    edit = PlanFileEdit(op=PlanFileOp.INIT, at=NOW)
    for attempt in (
        desk.store.edit(ThreadId(thread), edit),
        desk.store.read(ThreadId(thread), PLAN),
        desk.store.remove(ThreadId(thread)),
    ):
        with pytest.raises(NotFoundError):
            await attempt
    assert list(desk.folder.iterdir()) == []


@pytest.mark.parametrize(
    "archive", ["..", "../../other/plan", "plan-20260116-0217/../..", ".moving"]
)
async def test_no_archive_s_name_leads_elsewhere(desk, archive):
    await desk.init()
    with pytest.raises(NoPlanError):
        await desk.store.read(THREAD, PLAN, archive)


@pytest.mark.parametrize(
    "spelling",
    [
        "{data}/users/thread-x/plan/task_plan.md",
        "{here}/../../users/thread-x/plan/task_plan.md",
        "{here}/./../../users//thread-x/plan/./task_plan.md",
        "{here}/soft/thread-x/plan/task_plan.md",
        "{here}/file.md",
        "{here}/plan/task_plan.md",
        "{here}/PLAN/TASK_PLAN.md",
        "{data}/USERS/thread-x/PLAN/task_plan.md",
        "users/thread-x/plan/task_plan.md",
        "/proc/self/root{data}/users/thread-x/plan/task_plan.md",
    ],
)
async def test_the_client_s_files_do_not_reach_the_plan_by_any_spelling(desk, spelling):
    await desk.init()
    before = desk.on_disk()
    here = desk.folder / "worktrees" / "w"
    here.mkdir(parents=True)
    (here / "soft").symlink_to(desk.folder / "users")
    (here / "file.md").symlink_to(desk.plan / "task_plan.md")
    path = spelling.format(data=desk.folder, here=here)

    async def may(*_asked):
        return True

    files = ClientFiles(here, may)
    with pytest.raises(ServedError):
        await files.read({"path": path})
    with suppress(ServedError):  # a file of that name in the workspace is its own
        await files.write({"path": path, "content": "mine"})
    assert desk.on_disk() == before


async def test_a_text_that_takes_too_long_to_read_is_refused_and_the_file_stays(desk):
    await desk.init()
    before = desk.on_disk()
    with pytest.raises(TangledTextError):
        await desk.write(PLAN, "===\n>```\n" * 2_000)
    assert desk.on_disk() == before
    # one that came there by another way hinders no list
    (desk.plan / "task_plan.md").write_text("===\n>```\n" * 2_000)
    assert [plan.title for plan in await desk.store.listed(THREAD)] == [""]
