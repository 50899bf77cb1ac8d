"""Where a file of a worktree is, for an editor: never outside of it."""

import pytest

from domain.core.errors import NotFoundError
from tests.adapters.task_specs import spec_of

HOSTILE = """a b#%?"'.py"""


@pytest.fixture
def spec(repository, branch):
    return spec_of(repository, "task-1")


@pytest.mark.parametrize("name", [HOSTILE, "ü/日本 語.py", "-rf", "two\nlines", "a:5", "$(x)`y`"])
async def test_a_file_is_where_it_is_whatever_it_is_called(workspaces, spec, name):
    folder = await workspaces.prepare(spec)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("x")
    assert await workspaces.place(spec, name) == str(folder.resolve() / name)


async def test_no_name_is_the_worktree(workspaces, spec):
    folder = await workspaces.prepare(spec)
    assert await workspaces.place(spec, "") == str(folder.resolve())


async def test_before_it_is_made_and_after_its_release_there_is_none(workspaces, spec):
    with pytest.raises(NotFoundError, match="no worktree now"):
        await workspaces.place(spec, "")
    await workspaces.prepare(spec)
    await workspaces.release(spec)
    with pytest.raises(NotFoundError, match="no worktree now"):
        await workspaces.place(spec, "")


@pytest.mark.parametrize(
    "name",
    [
        "gone.py",
        "../..",
        "../../host-id",
        "/etc/passwd",
        "way-out/secret",
        "link",
        "loop",
        ".git",
        "a\x00b",
        "n" * 5000,
        "./.git",
        "inner/../.git",
    ],
)
async def test_nothing_outside_is_found_and_nothing_of_git(workspaces, spec, tmp_path, name):
    folder = await workspaces.prepare(spec)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("x")
    (folder / "inner").mkdir()
    (folder / "way-out").symlink_to(tmp_path / "outside")
    (folder / "link").symlink_to("/etc/passwd")
    (folder / "loop").symlink_to("loop")
    with pytest.raises(NotFoundError, match="no such file"):
        await workspaces.place(spec, name)


async def test_a_link_that_stays_inside_is_followed(workspaces, spec):
    folder = await workspaces.prepare(spec)
    (folder / "here").symlink_to("app.py")
    assert await workspaces.place(spec, "here") == str(folder.resolve() / "app.py")
