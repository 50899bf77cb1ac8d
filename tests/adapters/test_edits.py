"""Suggested lines in a worktree of real git: all or nothing, never over what somebody else writes."""

import os

import pytest

from domain.core.errors import InvalidError, StaleError
from domain.core.suggestions import Suggestion
from tests.adapters.task_specs import commit_of, spec_of


@pytest.fixture
async def work(workspaces, repository, branch):
    """A task's worktree with committed files; returns its spec, its folder, its commit."""
    await workspaces.inspect(str(repository))
    spec = spec_of(repository, "task-1")
    folder = await workspaces.prepare(spec)
    (folder / "shop").mkdir()
    (folder / "shop" / "a.py").write_text("one\ntwo\nthree\n")
    (folder / "run.sh").write_text("#!/bin/sh\necho hi\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "odd [name]\n.txt").write_text("odd\n")
    (folder / "blob").write_bytes(b"\xff\0")
    (folder / "link").symlink_to("shop/a.py")
    return spec, folder, (await workspaces.commit(spec, commit_of("turn-1"))).commit


def line(path: str, at: int, text: str | None = "new", last: int | None = None) -> Suggestion:
    return Suggestion(path=path, first=at, last=last or at, text=text)


async def test_they_are_in_the_files_and_in_the_next_commit(workspaces, git, work):
    spec, folder, commit = work
    some = (line("shop/a.py", 1, last=2), line("run.sh", 2), line("odd [name]\n.txt", 1))

    await workspaces.edit(spec, commit, some)
    made = await workspaces.commit(spec, commit_of("edits-1"))

    assert (folder / "shop" / "a.py").read_text() == "new\nthree\n"
    assert os.access(folder / "run.sh", os.X_OK)
    assert git(folder, "show", f"{made.commit}:shop/a.py") == "new\nthree"
    assert git(folder, "rev-parse", f"{made.commit}^") == commit


async def test_done_again_they_are_the_same(workspaces, work):
    spec, folder, commit = work
    some = (line("shop/a.py", 2),)
    await workspaces.edit(spec, commit, some)

    await workspaces.edit(spec, commit, some)
    first = await workspaces.commit(spec, commit_of("edits-1"))
    await workspaces.edit(spec, commit, some)  # the attempt that committed was not heard of
    again = await workspaces.commit(spec, commit_of("edits-1"))

    assert (folder / "shop" / "a.py").read_text() == "one\nnew\nthree\n"
    assert first.commit == again.commit


@pytest.mark.parametrize("path", ["shop/a.py", "run.sh", "new.py"])
async def test_files_that_somebody_writes_are_left_alone(workspaces, work, path):
    spec, folder, commit = work
    (folder / path).write_text("written meanwhile\n")

    with pytest.raises(StaleError, match="still writes"):
        await workspaces.edit(spec, commit, (line("shop/a.py", 2),))

    assert (folder / path).read_text() == "written meanwhile\n"
    if path != "shop/a.py":
        assert (folder / "shop" / "a.py").read_text() == "one\ntwo\nthree\n"


async def test_a_folder_that_became_a_link_is_not_followed(workspaces, work, tmp_path):
    spec, folder, commit = work
    outside = tmp_path / "outside"
    (folder / "shop").rename(outside)
    (folder / "shop").symlink_to(outside)

    with pytest.raises(StaleError):
        await workspaces.edit(spec, commit, (line("shop/a.py", 2),))

    assert (outside / "a.py").read_text() == "one\ntwo\nthree\n"


@pytest.mark.parametrize(
    ("suggestion", "why"),
    [
        (line("none.py", 1), "is no file"),
        (line("link", 1), "is no file"),
        (line("shop", 1), "is no file"),
        (line("blob", 1), "no text"),
        (line("shop/a.py", 9), "has 3 lines"),
    ],
)
async def test_what_cannot_be_applied_changes_nothing(workspaces, work, suggestion, why):
    spec, folder, commit = work

    with pytest.raises(InvalidError, match=why):
        await workspaces.edit(spec, commit, (line("run.sh", 1), suggestion))

    assert (folder / "run.sh").read_text() == "#!/bin/sh\necho hi\n"
