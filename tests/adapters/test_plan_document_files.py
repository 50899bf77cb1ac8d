import os

import pytest

from adapters.files.plan_documents import PlanDocumentFiles
from domain.core.errors import WorkspaceError
from domain.core.project_map import PlanFolders
from domain.threads.lifecycle.plan_document import PlanDocument

FOLDERS = PlanFolders(active="docs/plans/active", completed="docs/plans/completed")
MARKER = "<!-- treadle: thread-a/plan-1 -->"


def document(text="one", **more):
    return PlanDocument(name="a-plan-1.md", marker=MARKER, text=f"{MARKER}\n{text}\n", **more)


async def write(root, *args, **more):
    return await PlanDocumentFiles().write(str(root), FOLDERS, document(*args, **more))


async def test_a_plan_is_written_again_and_moved_when_it_is_over(tmp_path):
    first = await write(tmp_path)
    await write(tmp_path, "two")
    assert (tmp_path / first).read_text().endswith("two\n")
    last = await write(tmp_path, "three", is_over=True)
    await write(tmp_path, "three", is_over=True)

    assert (first, last) == (
        "docs/plans/active/a-plan-1.md",
        "docs/plans/completed/a-plan-1.md",
    )
    assert [p.name for p in (tmp_path / "docs/plans/active").iterdir()] == []
    assert [p.name for p in (tmp_path / "docs/plans/completed").iterdir()] == ["a-plan-1.md"]


async def test_a_plan_that_goes_on_after_its_end_comes_back(tmp_path):
    await write(tmp_path, is_over=True)
    await write(tmp_path)
    assert not (tmp_path / "docs/plans/completed/a-plan-1.md").exists()
    assert (tmp_path / "docs/plans/active/a-plan-1.md").exists()


@pytest.mark.parametrize("theirs", ["# my plan\n", "", "<!-- treadle: thread-b/plan-1 -->\n"])
async def test_a_file_of_somebody_else_is_never_replaced_or_removed(tmp_path, theirs):
    for folder in ("active", "completed"):
        file = tmp_path / f"docs/plans/{folder}/a-plan-1.md"
        file.parent.mkdir(parents=True)
        file.write_text(theirs)

    with pytest.raises(WorkspaceError, match="is not this plan's file"):
        await write(tmp_path)

    assert {p.read_text() for p in tmp_path.glob("docs/plans/*/*")} == {theirs}


async def test_nothing_is_written_through_a_link(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "repository"
    (root / "docs").mkdir(parents=True)
    (root / "docs/plans").symlink_to(outside)
    with pytest.raises(WorkspaceError, match="link"):
        await write(root)
    assert list(outside.iterdir()) == []

    (root / "docs/plans").unlink()
    (root / "docs/plans/active").mkdir(parents=True)
    (root / "docs/plans/active/a-plan-1.md").symlink_to(outside / "x")
    with pytest.raises(WorkspaceError, match="link"):
        await write(root)
    assert list(outside.iterdir()) == []


async def test_a_folder_that_cannot_be_written_is_reported(tmp_path):
    if os.geteuid() == 0:
        (tmp_path / "docs").write_text("a file in the way")
    else:
        tmp_path.chmod(0o500)
    with pytest.raises(WorkspaceError):
        await write(tmp_path)
