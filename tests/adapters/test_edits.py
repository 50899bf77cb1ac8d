"""Suggested lines in a worktree of real git: all or nothing, never over what somebody else writes."""

import errno
import os

import pytest

from adapters.git import edits
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
        (line("none.py", 1), "is not a file"),
        (line("link", 1), "is not a file"),
        (line("shop", 1), "is not a file"),
        (line("blob", 1), "not UTF-8 text"),
        (line("shop/a.py", 9), "has 3 lines"),
    ],
)
async def test_what_cannot_be_applied_changes_nothing(workspaces, work, suggestion, why):
    spec, folder, commit = work

    with pytest.raises(InvalidError, match=why):
        await workspaces.edit(spec, commit, (line("run.sh", 1), suggestion))

    assert (folder / "run.sh").read_text() == "#!/bin/sh\necho hi\n"


@pytest.mark.parametrize(
    ("attribute", "why"), [("filter=lfs", "Git LFS"), ("working-tree-encoding=UTF-16", "UTF-16")]
)
async def test_a_file_that_is_not_there_as_it_is_stored_is_left_alone(
    workspaces, work, attribute, why
):
    spec, folder, _ = work
    (folder / ".gitattributes").write_text(f"far.txt {attribute}\n")
    (folder / "far.txt").write_bytes("one\ntwo\n".encode("utf-16" if "UTF" in why else "utf-8"))
    commit = (await workspaces.commit(spec, commit_of("turn-2"))).commit
    before = (folder / "far.txt").read_bytes()

    with pytest.raises(InvalidError, match=why):
        await workspaces.edit(spec, commit, (line("far.txt", 1), line("shop/a.py", 1)))

    assert (folder / "far.txt").read_bytes() == before
    assert (folder / "shop" / "a.py").read_text() == "one\ntwo\nthree\n"


async def test_where_one_file_cannot_be_written_the_others_are_put_back(
    workspaces, work, monkeypatch
):
    spec, folder, commit = work
    write = edits.safe_write

    def full(root, path, content, **how):
        if path == "shop/a.py" and b"new" in content:
            raise OSError(errno.ENOSPC, "no room")
        write(root, path, content, **how)

    monkeypatch.setattr(edits, "safe_write", full)
    with pytest.raises(OSError, match="no room"):
        await workspaces.edit(spec, commit, (line("run.sh", 2), line("shop/a.py", 1)))

    assert (folder / "run.sh").read_text() == "#!/bin/sh\necho hi\n"
    assert os.access(folder / "run.sh", os.X_OK)


async def test_a_worktree_that_is_not_on_this_host_is_made_from_the_branch(
    workspaces, git, work, tmp_path
):
    spec, folder, commit = work
    await workspaces.release(spec)
    assert not folder.exists()

    await workspaces.edit(spec, commit, (line("shop/a.py", 2),))
    made = await workspaces.commit(spec, commit_of("edits-1"))

    assert git(folder, "show", f"{made.commit}:shop/a.py") == "one\nnew\nthree"
    assert git(folder, "rev-parse", f"{made.commit}^") == commit


SOME = (line("shop/a.py", 1, last=2), line("run.sh", 2))


@pytest.mark.parametrize("is_committed", [False, True])
async def test_taken_back_the_work_is_as_it_was(workspaces, git, work, is_committed):
    spec, folder, commit = work
    key = commit_of("edits-1").key
    await workspaces.edit(spec, commit, SOME)
    if is_committed:
        await workspaces.commit(spec, commit_of("edits-1"))

    await workspaces.take_back(spec, commit, SOME, key)
    await workspaces.take_back(spec, commit, SOME, key)  # the attempt that did was not heard of

    assert (folder / "shop" / "a.py").read_text() == "one\ntwo\nthree\n"
    assert os.access(folder / "run.sh", os.X_OK)
    assert git(folder, "rev-parse", "HEAD") == commit
    assert git(folder, "rev-parse", spec.branch) == commit
    other = (line("shop/a.py", 3),)
    await workspaces.edit(spec, commit, other)
    made = await workspaces.commit(spec, commit_of("edits-2"))
    assert git(folder, "show", f"{made.commit}:shop/a.py") == "one\ntwo\nnew"
    assert made.files[:1] == ("blob",)


async def test_taken_back_what_others_wrote_and_committed_stays(workspaces, git, work):
    spec, folder, commit = work
    await workspaces.edit(spec, commit, SOME)
    await workspaces.commit(spec, commit_of("edits-1"))
    (folder / "run.sh").write_text("#!/bin/sh\necho theirs\n")
    later = (await workspaces.commit(spec, commit_of("turn-2"))).commit

    await workspaces.take_back(spec, commit, SOME, commit_of("edits-1").key)

    assert (folder / "run.sh").read_text() == "#!/bin/sh\necho theirs\n"
    assert git(folder, "rev-parse", spec.branch) == later


async def test_taken_back_where_the_worktree_is_gone_it_is_made_without_them(workspaces, work):
    spec, folder, commit = work
    await workspaces.edit(spec, commit, SOME)
    await workspaces.commit(spec, commit_of("edits-1"))
    await workspaces.release(spec)

    await workspaces.take_back(spec, commit, SOME, commit_of("edits-1").key)

    assert (folder / "shop" / "a.py").read_text() == "one\ntwo\nthree\n"
