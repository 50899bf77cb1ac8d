"""Sparse checkouts of recipes, by real git: what is left out is neither deleted nor lost."""

import shutil
from pathlib import Path

import pytest

from adapters.git import spares
from adapters.git.workspaces import GitWorkspaces
from domain.core.workspaces import MergeResult, WorkspaceSpec
from domain.recipes.recipe import WorkspaceRecipe
from domain.recipes.shape import is_in_cone
from domain.verification.checkouts import Recipe
from tests.adapters.recipe_checkouts import Git, Recipes, commit_all, recipes, spec, workspaces
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, user_state

__all__ = ["recipes", "workspaces"]

SEEN = {
    ".gitignore",
    "app.py",
    "web/index.js",
    "web/src/deep/page.js",
    "libs/readme",
    "libs/ui/a.js",
}
UNSEEN = {"libs/db/b.py", "server/main.py", "server/odd name/[x]"}


@pytest.fixture
async def task(
    workspaces: GitWorkspaces, repository: Path, git: Git, recipes: Recipes
) -> WorkspaceSpec:
    for name in (SEEN | UNSEEN) - {".gitignore", "app.py"}:
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(f"{name}\n")
    commit_all(git, repository)
    recipes.recipe = WorkspaceRecipe(sparse=("web/", "libs/ui"))
    await workspaces.create_branch(str(repository), BRANCH, "main")
    return spec(repository)


def files(path: Path) -> set[str]:
    return {str(p.relative_to(path)) for p in path.rglob("*") if p.is_file()} - {".git"}


def in_commit(git: Git, repository: Path, commit: str) -> set[str]:
    return set(
        git(repository, "ls-tree", "-r", "-z", "--name-only", commit).strip("\0").split("\0")
    )


async def test_workspaces_and_clean_checkouts_have_the_folders_and_commits_all_files(
    workspaces: GitWorkspaces, repository: Path, task: WorkspaceSpec, git: Git
) -> None:
    before = user_state(git, repository)
    path = await workspaces.prepare(task)
    assert files(path) == SEEN
    assert all(is_in_cone(name, ("web/", "libs/ui")) for name in SEEN)
    (path / "web/index.js").write_text("changed\n")
    (path / "libs/ui/a.js").unlink()
    (path / "server").mkdir()
    (path / "server/new.py").write_text("new\n")

    snapshot = await workspaces.commit(task, commit_of("turn-1"))
    checkout = await workspaces.checkouts.open(task, snapshot.commit, Recipe())

    assert set(snapshot.files) == {"web/index.js", "libs/ui/a.js", "server/new.py"}
    assert in_commit(git, repository, snapshot.commit) == (
        (SEEN | UNSEEN | {"server/new.py"}) - {"libs/ui/a.js"}
    )
    assert files(checkout.directory) == SEEN - {"libs/ui/a.js"}
    assert await workspaces.checkouts.altered(task, snapshot.commit) == ()
    (checkout.directory / "web/index.js").unlink()
    assert await workspaces.checkouts.altered(task, snapshot.commit) == ("web/index.js",)
    merged = await workspaces.settle(settle_of(task, snapshot.commit))
    assert isinstance(merged, MergeResult)
    assert in_commit(git, repository, str(merged.commit)) > UNSEEN
    assert git(repository, "for-each-ref", "refs/treadle/released") == ""
    assert user_state(git, repository) == before


@pytest.mark.parametrize("damage", ["marks", "index", "patterns", "metadata"])
async def test_nothing_left_out_is_deleted_when_its_marks_are_lost(
    workspaces: GitWorkspaces, repository: Path, task: WorkspaceSpec, git: Git, damage: str
) -> None:
    path = await workspaces.prepare(task)
    admin = repository / ".git/worktrees" / path.name
    (path / "web/index.js").unlink()
    if damage == "marks":
        git(path, "update-index", "--no-skip-worktree", *UNSEEN)
    elif damage == "index":
        (admin / "index").write_bytes(b"broken")
    elif damage == "patterns":
        (admin / "info/sparse-checkout").unlink()
    else:
        shutil.rmtree(admin)
        await workspaces.prepare(task)

    snapshot = await workspaces.commit(task, commit_of("turn-1"))

    assert snapshot.files == ("web/index.js",)


async def test_a_mark_that_hides_a_change_inside_is_taken_off(
    workspaces: GitWorkspaces, task: WorkspaceSpec, git: Git
) -> None:
    path = await workspaces.prepare(task)
    git(path, "update-index", "--skip-worktree", "web/index.js")
    (path / "web/index.js").unlink()
    snapshot = await workspaces.commit(task, commit_of("turn-1"))
    assert snapshot.files == ("web/index.js",)


async def test_what_is_left_out_is_deleted_where_an_agent_says_so_to_git(
    workspaces: GitWorkspaces, task: WorkspaceSpec, git: Git
) -> None:
    path = await workspaces.prepare(task)
    git(path, "rm", "--quiet", "--cached", "--sparse", "server/main.py")
    snapshot = await workspaces.commit(task, commit_of("turn-1"))
    assert snapshot.files == ("server/main.py",)


async def test_a_checkpoint_is_put_back_and_a_workspace_removed_without_the_rest(
    workspaces: GitWorkspaces, repository: Path, task: WorkspaceSpec, git: Git
) -> None:
    path = await workspaces.prepare(task)
    (path / "web/index.js").write_text("one\n")
    first = await workspaces.commit(task, commit_of("turn-1"))
    (path / "web/index.js").write_text("two\n")
    await workspaces.check_out(task, first.commit)
    assert files(path) == SEEN
    assert (path / "web/index.js").read_text() == "one\n"
    (path / "web/index.js").write_text("three\n")
    await workspaces.release(task)
    refs = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle/released").split()
    assert len(refs) == 2
    assert all(in_commit(git, repository, ref) > UNSEEN for ref in refs)


async def test_a_conflict_outside_of_the_folders_can_be_resolved(
    workspaces: GitWorkspaces, repository: Path, task: WorkspaceSpec, git: Git
) -> None:
    (repository / "server/main.py").write_text("theirs\n")
    theirs = commit_all(git, repository)
    git(repository, "checkout", "--quiet", "-b", "ours", BRANCH)
    (repository / "server/main.py").write_text("ours\n")
    ours = commit_all(git, repository)
    merging = task.model_copy(update={"base": ours, "merging": theirs})
    path = await workspaces.prepare(merging)
    assert "<<<<<<<" in (path / "server/main.py").read_text()
    (path / "server/main.py").write_text("both\n")
    snapshot = await workspaces.commit(merging, commit_of("turn-1"))
    assert git(repository, "show", f"{snapshot.commit}:server/main.py") == "both"
    assert in_commit(git, repository, snapshot.commit) == SEEN | UNSEEN


async def test_spares_are_made_of_no_sparse_checkout(
    workspaces: GitWorkspaces,
    repository: Path,
    task: WorkspaceSpec,
    recipes: Recipes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spares, "LEAST_INDEX_BYTES", 0)
    monkeypatch.setattr(spares, "QUIET_SECONDS", 0.0)
    path = await workspaces.prepare(task)
    snapshot = await workspaces.commit(task, commit_of("turn-1"))
    await workspaces.checkouts.open(task, snapshot.commit, Recipe())
    await workspaces.release(task)
    await workspaces.spares.filled()
    made = [*path.parent.glob("spare-*")]
    assert made
    assert all(files(spare) == SEEN | UNSEEN for spare in made)
    assert files(await workspaces.prepare(task)) == SEEN
    recipes.recipe = WorkspaceRecipe()
    recipes.texts.forget()
    assert files(await workspaces.prepare(spec(repository, 2))) == SEEN | UNSEEN
