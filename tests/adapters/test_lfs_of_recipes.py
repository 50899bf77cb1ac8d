"""Files of Git LFS in workspaces and clean checkouts, by the real git-lfs where it is installed."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from domain.core.workspaces import WorkspaceSpec
from domain.forges.pull_requests import MergeMethod
from domain.recipes.errors import SetUpFailedError
from domain.recipes.recipe import WorkspaceRecipe
from domain.verification.checkouts import Recipe
from tests.adapters.recipe_checkouts import Git, Recipes, commit_all, make_workspaces, recipes, spec
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, user_state

__all__ = ["recipes"]

CONTENT = "large\n"
OID = hashlib.sha256(CONTENT.encode()).hexdigest()
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{OID}\nsize {len(CONTENT)}\n"
DRIVER = Path(__file__).with_name("lfs_driver.py")


@pytest.fixture(params=[pytest.param("real", marks=pytest.mark.e2e), "driver"])
def programs(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A PATH with git-lfs on it: the real one, or a small one of the tests."""
    path = os.environ["PATH"]
    if request.param == "real":
        if shutil.which("git-lfs") is None:
            pytest.skip("git-lfs is not installed")
        return path
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git-lfs").write_text(f'#!/bin/sh\nexec {sys.executable} {DRIVER} "$@"\n')
    (folder / "git-lfs").chmod(0o755)
    return f"{folder}:{path}"


@pytest.fixture
def without(tmp_path: Path) -> str:
    """A PATH with git and without git-lfs."""
    folder = tmp_path / "plain"
    folder.mkdir()
    for name in ("git", "sh", "cp"):
        (folder / name).symlink_to(shutil.which(name) or "")
    return str(folder)


def make(programs: str, data_dir: Path, recipes: Recipes) -> GitWorkspaces:
    home = {"HOME": str(data_dir), "PATH": programs}
    return make_workspaces(Spawner(data_dir / "runs", home), data_dir, recipes)


@pytest.fixture
def with_lfs(repository: Path, git: Git, recipes: Recipes) -> Path:
    """A repository that has a large file as a pointer, and its contents as git-lfs keeps them."""
    (repository / ".gitattributes").write_text("*.bin filter=lfs diff=lfs merge=lfs -text\n")
    (repository / "a.bin").write_text(POINTER)
    commit_all(git, repository)
    git(
        repository, "config", "lfs.repositoryformatversion", "0"
    )  # git-lfs writes it wherever it runs
    kept = repository / ".git/lfs/objects" / OID[:2] / OID[2:4] / OID
    kept.parent.mkdir(parents=True)
    kept.write_text(CONTENT)
    recipes.recipe = WorkspaceRecipe(lfs=True)
    return repository


async def task_of(workspaces: GitWorkspaces, repository: Path) -> WorkspaceSpec:
    await workspaces.create_branch(str(repository), BRANCH, "main")
    return spec(repository)


async def test_files_hold_their_contents_and_commits_hold_pointers(
    with_lfs: Path, data_dir: Path, recipes: Recipes, git: Git, programs: str
) -> None:
    workspaces = make(programs, data_dir, recipes)
    task = await task_of(workspaces, with_lfs)
    before = user_state(git, with_lfs)
    path = await workspaces.prepare(task)
    assert (path / "a.bin").read_text() == CONTENT
    (path / "b.bin").write_text("more\n")

    snapshot = await workspaces.commit(task, commit_of("turn-1"))
    checkout = await workspaces.checkouts.open(task, snapshot.commit, Recipe())

    assert snapshot.files == ("b.bin",)
    assert git(with_lfs, "show", f"{snapshot.commit}:b.bin").startswith("version https://git-lfs")
    assert (checkout.directory / "a.bin").read_text() == CONTENT
    assert (checkout.directory / "b.bin").read_text() == "more\n"
    assert await workspaces.checkouts.altered(task, snapshot.commit) == ()
    (path / "b.bin").unlink()
    await workspaces.check_out(task, snapshot.commit)
    assert (path / "b.bin").read_text() == "more\n"
    await workspaces.release(task)
    assert user_state(git, with_lfs) == before


@pytest.mark.parametrize("method", [*MergeMethod])
async def test_a_large_file_comes_in_as_its_pointer_and_outlives_its_task(
    with_lfs: Path, data_dir: Path, recipes: Recipes, git: Git, programs: str, method: MergeMethod
) -> None:
    workspaces = make(programs, data_dir, recipes)
    task = await task_of(workspaces, with_lfs)
    (await workspaces.prepare(task) / "a.bin").write_text("changed\n")
    snapshot = await workspaces.commit(task, commit_of("turn-1"))
    other = spec(with_lfs, 2)  # so that no method can only move the branch forward
    (await workspaces.prepare(other) / "b.bin").write_text("more\n")
    sibling = await workspaces.commit(other, commit_of("turn-2"))
    for number, (run, commit) in enumerate(((other, sibling), (task, snapshot))):
        call = settle_of(run, commit.commit, f"merge-{number}")
        await workspaces.settle(call.model_copy(update={"method": method}))

    for name in ("a.bin", "b.bin"):
        shown = git(with_lfs, "show", f"{BRANCH}:{name}")
        assert shown.startswith("version https://git-lfs")
        oid = shown.partition("oid sha256:")[2].split()[0]
        assert (with_lfs / ".git/lfs/objects" / oid[:2] / oid[2:4] / oid).is_file()
    checkout = await workspaces.checkouts.open(spec(with_lfs, 3), BRANCH, Recipe())
    assert (checkout.directory / "a.bin").read_text() == "changed\n"


async def test_what_is_not_here_and_cannot_be_fetched_is_a_clear_fault(
    with_lfs: Path, data_dir: Path, recipes: Recipes, programs: str
) -> None:
    workspaces = make(programs, data_dir, recipes)
    task = await task_of(workspaces, with_lfs)
    shutil.rmtree(with_lfs / ".git/lfs")
    with pytest.raises(SetUpFailedError, match=r"a\.bin.*git lfs fetch.*lfs_not_fetched"):
        await workspaces.prepare(task)


@pytest.mark.e2e
async def test_what_is_not_here_is_fetched_once_into_the_users_repository(
    with_lfs: Path, data_dir: Path, recipes: Recipes, git: Git, tmp_path: Path
) -> None:
    if shutil.which("git-lfs") is None:
        pytest.skip("git-lfs is not installed")
    origin, own = tmp_path / "origin.git", with_lfs / ".git/lfs"
    git(with_lfs, "clone", "--quiet", "--bare", str(with_lfs), str(origin))
    git(with_lfs, "remote", "add", "origin", f"file://{origin}")
    shutil.move(own, origin / "lfs")
    workspaces = make(os.environ["PATH"], data_dir, recipes)
    task = await task_of(workspaces, with_lfs)
    assert (await workspaces.prepare(task) / "a.bin").read_text() == CONTENT
    assert [file.name for file in (own / "objects").glob("*/*/*")] == [OID]
    shutil.rmtree(origin)
    other = await workspaces.prepare(spec(with_lfs, 2))
    assert (other / "a.bin").read_text() == CONTENT


async def test_without_the_program_its_absence_is_told_at_once(
    with_lfs: Path, data_dir: Path, recipes: Recipes, without: str
) -> None:
    workspaces = make(without, data_dir, recipes)
    task = await task_of(workspaces, with_lfs)
    with pytest.raises(SetUpFailedError, match=r"apt install git-lfs.*lfs_missing"):
        await workspaces.prepare(task)
    assert workspaces.set_ups is not None
    result = await workspaces.set_ups.layer(str(with_lfs), "main", "recipe", (), lambda: None)
    assert "lfs_missing" in result.failure


async def test_where_no_recipe_asks_for_them_pointers_stay_pointers(
    with_lfs: Path, data_dir: Path, recipes: Recipes, without: str
) -> None:
    recipes.recipe = WorkspaceRecipe()
    workspaces = make(without, data_dir, recipes)
    task = await task_of(workspaces, with_lfs)
    path = await workspaces.prepare(task)
    assert (path / "a.bin").read_text() == POINTER
    snapshot = await workspaces.commit(task, commit_of("turn-1"))
    assert not snapshot.is_changed
