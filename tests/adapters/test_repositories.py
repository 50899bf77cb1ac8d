"""Repositories are looked at without a trace, and unusable ones say what to do."""

import pytest

from domain.core.errors import RepositoryError
from tests.adapters.task_specs import user_state


async def test_a_repository_is_looked_at_without_a_trace(workspaces, repository, git):
    (repository / "AGENTS.md").write_text("no")
    (repository / "CLAUDE.md").write_text("Map\n")
    git(repository, "add", "CLAUDE.md")
    git(repository, "commit", "--quiet", "--message=map")
    (repository / "app.py").write_text("print(2)\n")
    (repository / "sub").mkdir()
    before = user_state(git, repository)

    facts = await workspaces.inspect(str(repository / "sub"))

    assert facts.root == str(repository)
    assert facts.head == git(repository, "rev-parse", "HEAD")
    assert facts.head_branch == "main"
    assert facts.uncommitted == 2
    assert facts.project_map == "Map\n"
    assert user_state(git, repository) == before


async def test_a_detached_head_is_fine(workspaces, repository, git):
    git(repository, "checkout", "--quiet", "--detach")

    facts = await workspaces.inspect(str(repository))

    assert (facts.head_branch, facts.project_map) == (None, "")


async def test_a_project_map_is_cut_and_a_link_is_none(workspaces, repository, git):
    (repository / "TREADLE.md").symlink_to("/etc/passwd")
    (repository / "AGENTS.md").write_text("ä" * 20_000)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=map")

    facts = await workspaces.inspect(str(repository))

    assert facts.project_map == "ä" * 8192


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("missing", "does not exist"),
        ("file", "is a file"),
        ("relative", "whole path"),
        ("plain", "git init"),
        ("bare", "bare repository: clone it"),
        ("inside", "inside a git folder"),
        ("empty", "make a first commit"),
    ],
)
async def test_an_unusable_folder_says_what_to_do(
    workspaces, repository, git, tmp_path, kind, words
):
    (tmp_path / "file").write_text("")
    (tmp_path / "plain").mkdir()
    git(tmp_path, "init", "--quiet", "--bare", "bare")
    git(tmp_path, "init", "--quiet", "empty")
    folders = {"relative": "project", "inside": str(repository / ".git")}

    with pytest.raises(RepositoryError, match=words):
        await workspaces.inspect(folders.get(kind, str(tmp_path / kind)))


async def test_a_branch_that_exists_is_left_where_it_is(workspaces, repository, git, branch):
    (repository / "more.py").write_text("")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=second")

    await workspaces.create_branch(str(repository), branch, "main")

    assert git(repository, "rev-parse", branch) == git(repository, "rev-parse", "main~1")
