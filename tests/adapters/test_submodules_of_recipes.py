"""Submodules in workspaces and clean checkouts, by real git."""

import shutil
from pathlib import Path

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from domain.core.errors import RepositoryError
from domain.core.workspaces import MergeResult, WorkspaceSpec
from domain.forges.pull_requests import MergeMethod
from domain.recipes.errors import SetUpFailedError
from domain.recipes.recipe import WorkspaceRecipe
from domain.verification.checkouts import Recipe
from tests.adapters.recipe_checkouts import (
    Git,
    Recipes,
    commit_all,
    make_workspaces,
    recipes,
    spec,
    workspaces,
)
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, user_state

__all__ = ["recipes", "workspaces"]

LOCAL = ("-c", "protocol.file.allow=always")
"""Git refuses submodules at a local address; that of the test's user does not."""


def library(git: Git, folder: Path) -> Path:
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / "code.py").write_text(f"{folder.name} = 1\n")
    commit_all(git, folder)
    return folder


@pytest.fixture
def with_library(repository: Path, tmp_path: Path, git: Git, recipes: Recipes) -> Path:
    """A repository whose submodule `lib` has a submodule `deep`, as its user cloned it."""
    deep, lib = library(git, tmp_path / "deep"), library(git, tmp_path / "lib")
    git(lib, *LOCAL, "submodule", "--quiet", "add", str(deep), "deep")
    commit_all(git, lib)
    git(repository, *LOCAL, "submodule", "--quiet", "add", str(lib), "libs/lib")
    commit_all(git, repository)
    git(repository, *LOCAL, "submodule", "--quiet", "update", "--init", "--recursive")
    for source in (deep, lib):
        shutil.rmtree(source)  # nobody needs them any more
    recipes.recipe = WorkspaceRecipe(submodules="recursive")
    return repository


def module(repository: Path) -> Path:
    return repository / ".git" / "modules" / "libs" / "lib"


@pytest.fixture
async def task(workspaces: GitWorkspaces, with_library: Path) -> WorkspaceSpec:
    await workspaces.create_branch(str(with_library), BRANCH, "main")
    return spec(with_library)


async def test_submodules_are_checked_out_as_recorded_and_leave_nothing_behind(
    workspaces: GitWorkspaces, with_library: Path, task: WorkspaceSpec, git: Git, data_dir: Path
) -> None:
    before = user_state(git, with_library)
    path = await workspaces.prepare(task)
    assert (path / "libs/lib/code.py").read_text() == "lib = 1\n"
    assert (path / "libs/lib/deep/code.py").read_text() == "deep = 1\n"
    assert git(path, "status", "--porcelain") == ""
    assert git(path, "submodule", "status", "--recursive").count("\n") == 1
    assert not list((with_library / ".git/worktrees").glob("*/modules"))

    await workspaces.release(task)

    assert not [*module(with_library).glob("**/worktrees/*")]
    assert not [*(data_dir / "worktrees").glob("*/*")]
    assert git(module(with_library), "for-each-ref", "refs/treadle") == ""
    assert user_state(git, with_library) == before


async def test_they_are_kept_below_a_data_folder_that_is_a_link(
    spawner: Spawner, tmp_path: Path, recipes: Recipes, with_library: Path, git: Git
) -> None:
    (tmp_path / "linked").symlink_to(tmp_path / "data")
    workspaces = make_workspaces(spawner, tmp_path / "linked", recipes)
    await workspaces.create_branch(str(with_library), BRANCH, "main")
    path = await workspaces.prepare(spec(with_library))
    (path / "libs/lib/code.py").write_text("lib = 2\n")
    snapshot = await workspaces.commit(spec(with_library), commit_of("turn-1"))
    assert snapshot.files == ("libs/lib",)


async def test_without_recursion_a_submodule_of_a_submodule_stays_empty(
    workspaces: GitWorkspaces, task: WorkspaceSpec, recipes: Recipes
) -> None:
    recipes.recipe = WorkspaceRecipe(submodules=True)
    path = await workspaces.prepare(task)
    assert (path / "libs/lib/code.py").exists()
    assert not list((path / "libs/lib/deep").iterdir())


@pytest.mark.parametrize("method", [*MergeMethod])
async def test_edits_in_submodules_go_with_the_tasks_commit_into_a_clean_checkout_and_the_merge(
    workspaces: GitWorkspaces,
    with_library: Path,
    task: WorkspaceSpec,
    git: Git,
    method: MergeMethod,
) -> None:
    path = await workspaces.prepare(task)
    (path / "libs/lib/code.py").write_text("lib = 2\n")
    (path / "libs/lib/deep/new.py").write_text("deep = 2\n")

    snapshot = await workspaces.commit(task, commit_of("turn-1"))
    again = await workspaces.commit(task, commit_of("turn-1"))
    checkout = await workspaces.checkouts.open(task, snapshot.commit, Recipe())
    other = spec(with_library, 2)  # so that no method can only move the branch forward
    (await workspaces.prepare(other) / "other.py").write_text("1\n")
    sibling = await workspaces.commit(other, commit_of("turn-2"))
    await workspaces.settle(settle_of(other, sibling.commit, "merge-2"))
    call = settle_of(task, snapshot.commit).model_copy(update={"method": method})
    merged = await workspaces.settle(call)

    assert snapshot.files == ("libs/lib",)
    assert again == snapshot
    assert isinstance(merged, MergeResult)
    link = git(with_library, "rev-parse", f"{merged.commit}:libs/lib")
    kept = git(module(with_library), "for-each-ref", "--format=%(objectname)", "refs/treadle")
    assert kept == link
    assert git(module(with_library), "show", f"{link}:code.py") == "lib = 2"
    assert not checkout.directory.exists()
    # the user has it without a network, and without its address
    git(with_library, "merge", "--quiet", BRANCH)
    git(with_library, "submodule", "--quiet", "update", "--recursive", "--no-fetch")
    assert (with_library / "libs/lib/deep/new.py").read_text() == "deep = 2\n"


async def test_a_clean_checkout_has_them_and_what_a_step_changes_in_one_is_told(
    workspaces: GitWorkspaces, task: WorkspaceSpec
) -> None:
    path = await workspaces.prepare(task)
    (path / "libs/lib/deep/code.py").write_text("deep = 3\n")
    snapshot = await workspaces.commit(task, commit_of("turn-1"))

    checkout = await workspaces.checkouts.open(task, snapshot.commit, Recipe())
    assert (checkout.directory / "libs/lib/deep/code.py").read_text() == "deep = 3\n"
    assert await workspaces.checkouts.altered(task, snapshot.commit) == ()
    (checkout.directory / "libs/lib/deep/code.py").write_text("deep = 4\n")
    (checkout.directory / "libs/lib/new").write_text("")
    assert await workspaces.checkouts.altered(task, snapshot.commit) == ("libs/lib/deep/code.py",)


async def test_what_is_on_no_commit_is_kept_when_a_workspace_is_removed_or_put_back(
    workspaces: GitWorkspaces, with_library: Path, task: WorkspaceSpec, git: Git
) -> None:
    path = await workspaces.prepare(task)
    first = await workspaces.commit(task, commit_of("turn-1"))
    for text, leave in (("lib = 5", workspaces.check_out), ("lib = 6", None)):
        (path / "libs/lib/code.py").write_text(f"{text}\n")
        if leave is not None:
            await leave(task, first.commit)
            assert (path / "libs/lib/code.py").read_text() == "lib = 1\n"
        else:
            await workspaces.release(task)
        kept = git(module(with_library), "for-each-ref", "--format=%(refname)", "refs/treadle")
        assert text in [git(module(with_library), "show", f"{ref}:code.py") for ref in kept.split()]


async def test_a_worktree_that_lost_its_metadata_gets_its_submodules_back(
    workspaces: GitWorkspaces, with_library: Path, task: WorkspaceSpec
) -> None:
    path = await workspaces.prepare(task)
    (path / "libs/lib/code.py").write_text("lib = 7\n")
    shutil.rmtree(with_library / ".git/worktrees" / path.name)
    await workspaces.prepare(task)
    assert (path / "libs/lib/code.py").read_text() == "lib = 7\n"


async def test_commands_find_submodules_and_run_again_when_one_moves(
    workspaces: GitWorkspaces, with_library: Path, recipes: Recipes, git: Git, tmp_path: Path
) -> None:
    count = tmp_path / "count"
    command = f"mkdir out && cp libs/lib/code.py out/ && echo ran >> {count}"
    recipes.recipe = WorkspaceRecipe(submodules=True, setup=(command,))
    await workspaces.create_branch(str(with_library), BRANCH, "main")
    for number in (1, 2):
        path = await workspaces.prepare(spec(with_library, number))
        assert (path / "out/code.py").read_text() == "lib = 1\n"
    assert count.read_text() == "ran\n"
    (with_library / "libs/lib/code.py").write_text("lib = 8\n")
    commit_all(git, with_library / "libs/lib")
    commit_all(git, with_library)
    moved = spec(with_library, 3).model_copy(update={"base": "main"})
    path = await workspaces.prepare(moved)
    assert (path / "out/code.py").read_text() == "lib = 8\n"
    assert not [*module(with_library).glob("worktrees/set-up*")]


async def test_a_submodule_that_the_user_has_not_got_is_a_clear_fault(
    workspaces: GitWorkspaces, with_library: Path, task: WorkspaceSpec
) -> None:
    shutil.rmtree(module(with_library))
    with pytest.raises(SetUpFailedError, match=r"submodule update --init .*submodule_missing"):
        await workspaces.prepare(task)
    assert workspaces.set_ups is not None
    result = await workspaces.set_ups.layer(str(with_library), "main", "recipe", (), lambda: None)
    assert "submodule_missing" in result.failure


async def test_a_submodule_that_an_agent_clones_is_refused_and_its_workspace_stays(
    workspaces: GitWorkspaces, task: WorkspaceSpec, git: Git, tmp_path: Path
) -> None:
    path = await workspaces.prepare(task)
    mine = library(git, tmp_path / "mine")
    git(path, *LOCAL, "submodule", "--quiet", "add", str(mine), "mine")
    with pytest.raises(RepositoryError, match="submodule_cloned"):
        await workspaces.commit(task, commit_of("turn-1"))
    await workspaces.release(task)
    assert (path / "mine/code.py").exists()


async def test_a_submodule_removed_by_an_agent_is_removed_in_its_commit(
    workspaces: GitWorkspaces, task: WorkspaceSpec, git: Git
) -> None:
    path = await workspaces.prepare(task)
    git(path, "rm", "--quiet", "-r", "libs/lib")
    snapshot = await workspaces.commit(task, commit_of("turn-1"))
    assert set(snapshot.files) == {".gitmodules", "libs/lib"}
    await workspaces.release(task)


@pytest.mark.parametrize("setting", ["core.fsmonitor", "filter.x.clean", "remote.origin.promisor"])
async def test_git_does_not_run_by_a_submodules_own_settings(
    workspaces: GitWorkspaces, with_library: Path, task: WorkspaceSpec, git: Git, setting: str
) -> None:
    git(module(with_library), "config", setting, "true")
    with pytest.raises(RepositoryError, match="submodule_config"):
        await workspaces.prepare(task)


@pytest.mark.parametrize("place", ["libs", "libs/lib"])
async def test_no_submodule_is_written_through_a_link(
    workspaces: GitWorkspaces, task: WorkspaceSpec, tmp_path: Path, place: str
) -> None:
    path = await workspaces.prepare(task)
    first = await workspaces.commit(task, commit_of("turn-1"))
    precious = tmp_path / "precious"
    (precious / "lib").mkdir(parents=True)
    shutil.rmtree(path / place)
    (path / place).symlink_to(precious)
    await workspaces.commit(task, commit_of("turn-2"))
    await workspaces.check_out(task, first.commit)
    assert [p.name for p in precious.rglob("*")] == ["lib"]
    assert (path / "libs/lib/code.py").read_text() == "lib = 1\n"
