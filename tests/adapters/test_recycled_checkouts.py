"""Clean checkouts that are used again: whatever was done in one, the next holds its commit and nothing else."""

import asyncio
import os
import shutil
import time
from pathlib import Path

import pytest

from adapters.git import spares, trash, worktrees
from adapters.git.workspaces import GitWorkspaces
from domain.verification.checkouts import Recipe
from tests.adapters.task_specs import commit_of, settle_of, spec_of


@pytest.fixture(autouse=True)
def small_repositories_have_spares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spares, "LEAST_INDEX_BYTES", 0)
    monkeypatch.setattr(spares, "LEAST_FREE_BYTES", 0)
    monkeypatch.setattr(spares, "KEPT", 1)


@pytest.fixture
def repository(repository, git):
    """With folders, a link, a program and ignored names."""
    (repository / ".gitignore").write_text("*.log\n")
    (repository / "src" / "deep").mkdir(parents=True)
    (repository / "src" / "deep" / "a.py").write_text("a = 1\n")
    (repository / "src" / "b.py").write_text("b = 1\n")
    (repository / "run.sh").write_text("true\n")
    (repository / "run.sh").chmod(0o755)
    (repository / "link").symlink_to("src/b.py")
    (repository / ".gitattributes").write_text("* text=auto\n*.bat text eol=crlf\n")
    (repository / "go.bat").write_text("go\r\n")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=more")
    return repository


def state_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return mode and content of all that is in a folder, but for git's pointer."""
    found = {".": (folder.lstat().st_mode, b"")}
    for path in sorted(folder.rglob("*")):
        if path.name != ".git":
            content = bytes(path.readlink()) if path.is_symlink() else b""
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else content
            found[str(path.relative_to(folder))] = path.lstat().st_mode, content
    return found


def keep_times(path: Path, text: str) -> None:
    """Change a file so that size and times tell nothing."""
    before = path.stat()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _swap_folder(folder: Path) -> None:
    shutil.move(folder / "src", folder.parent / "elsewhere")
    (folder / "src").symlink_to(folder.parent / "elsewhere")


def _link_out(folder: Path) -> None:
    os.link(folder / "src" / "b.py", folder.parent / "other-name")


def _own_repository(folder: Path) -> None:
    (folder / "nested" / ".git").mkdir(parents=True)
    (folder / "nested" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")


def _replace_pointer(folder: Path) -> None:
    (folder / ".git").unlink()
    (folder / ".git" / "hooks").mkdir(parents=True)


DEEDS = {
    "another content with the same times": lambda f: keep_times(f / "app.py", "print(9)\n"),
    "other line ends": lambda f: (f / "app.py").write_bytes(b"print(2)\r\n"),
    "line ends as they are stored": lambda f: (f / "go.bat").write_bytes(b"go\n"),
    "a file that is ignored": lambda f: (f / "noise.log").write_text("x"),
    "a file that is not": lambda f: (f / "src" / "new.py").write_text("x"),
    "a missing folder": lambda f: shutil.rmtree(f / "src"),
    "a folder for a file": lambda f: ((f / "app.py").unlink(), (f / "app.py").mkdir()),
    "a link for a folder": _swap_folder,
    "a link that leads elsewhere": lambda f: (
        (f / "link").unlink(),
        (f / "link").symlink_to("/etc/passwd"),
    ),
    "a second name of a file": _link_out,
    "a program that is none": lambda f: (f / "app.py").chmod(0o755),
    "a file that nobody may read": lambda f: (f / "app.py").chmod(0),
    "a checkout that all may write": lambda f: f.chmod(0o777),
    "a folder that all may write": lambda f: (f / "src").chmod(0o777),
    "a pipe": lambda f: os.mkfifo(f / "src" / "pipe"),
    "a repository in it": _own_repository,
    "a folder for git's pointer": _replace_pointer,
    "nothing": lambda _: None,
}


async def used_checkout(workspaces: GitWorkspaces, repository: Path, deed) -> tuple[Path, dict]:
    """Open a clean checkout, do something in it, and give it back."""
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "app.py").write_text("print(2)\n")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.spares.filled()
    for spare in (repository / ".git" / "worktrees").glob(f"{spares.PREFIX}*"):
        (spare / spares.MARKER).unlink()  # so that one lacks
    checkout = await workspaces.checkouts.open(spec, snapshot.commit, Recipe())
    pristine = state_of(checkout.directory)
    inode = checkout.directory.stat().st_ino
    deed(checkout.directory)
    await workspaces.checkouts.discard(spec)
    await workspaces.spares.filled()
    again = await workspaces.checkouts.open(spec, snapshot.commit, Recipe())
    assert again.directory.stat().st_ino == inode, "it is not the same folder"
    return again.directory, pristine


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
async def test_a_used_checkout_is_as_new_whatever_was_done_in_it(
    workspaces, repository, branch, git, deed
):
    directory, pristine = await used_checkout(workspaces, repository, deed)

    assert state_of(directory) == pristine
    assert git(directory, "status", "--porcelain", "--ignored") == ""
    assert all(p.lstat().st_nlink == 1 for p in directory.rglob("*") if not p.is_dir())
    assert git(repository, "fsck", "--strict") == ""


async def test_what_writes_to_another_name_of_a_file_changes_no_checkout(
    workspaces, repository, branch
):
    directory, _ = await used_checkout(workspaces, repository, _link_out)

    (directory.parent / "other-name").write_text("changed\n")

    assert (directory / "src" / "b.py").read_text() == "b = 1\n"


async def test_one_that_is_not_lacking_is_deleted(workspaces, repository, branch, data_dir):
    await workspaces.spares.filled()
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "app.py").write_text("print(2)\n")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    checkout = await workspaces.checkouts.open(spec, snapshot.commit, Recipe())
    await workspaces.spares.filled()

    await workspaces.checkouts.discard(spec)

    assert not checkout.directory.exists()
    assert not list((data_dir / "worktrees").glob(f"*/{spares.USED_PREFIX}*"))


async def test_what_a_killed_worker_left_to_be_made_as_new_is_deleted_later(workspaces, data_dir):
    left = data_dir / "worktrees" / "project" / f"{spares.USED_PREFIX}0-1"
    fresh = left.with_name(f"{spares.USED_PREFIX}0-2")
    for folder in (left, fresh):
        (folder / "src").mkdir(parents=True)
    os.utime(left, (time.time() - spares.UNFINISHED_SECONDS - 1,) * 2)

    await workspaces.spares.sweep_unused()

    assert (left.exists(), fresh.exists()) == (False, True)


async def test_a_large_worktree_is_deleted_in_the_background(
    workspaces, repository, branch, data_dir, monkeypatch
):
    monkeypatch.setattr(worktrees, "LARGE_INDEX_BYTES", 0)
    deleting = asyncio.Event()
    delete, path = trash.remove_tree, await workspaces.prepare(spec_of(repository, "task-1"))
    loop = asyncio.get_running_loop()

    def wait_and_delete(folder: Path) -> None:
        asyncio.run_coroutine_threadsafe(deleting.wait(), loop).result(60)
        delete(folder)

    monkeypatch.setattr(trash, "remove_tree", wait_and_delete)
    spec = spec_of(repository, "task-1")
    await workspaces.settle(settle_of(spec, (await workspaces.commit(spec, commit_of("t"))).commit))

    assert not path.exists()
    assert len(list((data_dir / "worktrees").glob(f"*/{trash.PREFIX}*"))) == 1
    deleting.set()
    await workspaces._worktrees.trash.empty()
    assert not list((data_dir / "worktrees").glob(f"*/{trash.PREFIX}*"))


async def test_what_a_killed_worker_threw_away_is_deleted_by_the_next(spawner, data_dir):
    left = data_dir / "worktrees" / "project" / f"{trash.PREFIX}0"
    (left / "src").mkdir(parents=True)
    workspaces = GitWorkspaces(spawner, data_dir)

    workspaces.spares.keep_sweeping = workspaces.spares.sweep_unused
    workspaces.layers.keep_sweeping = workspaces.layers.sweep
    await workspaces.keep_sweeping()

    assert not left.exists()
