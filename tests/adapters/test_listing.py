"""The files that a person may name: what git knows in a worktree, and what it would take up."""

import os

import pytest

from adapters.processes.masks import Masks
from tests.adapters.task_specs import spec_of


@pytest.fixture
def spec(repository, branch):
    return spec_of(repository, "task-1")


async def test_known_and_new_files_are_listed_but_no_ignored_and_no_removed_ones(workspaces, spec):
    path = await workspaces.prepare(spec)
    (path / "new file.md").write_text("x")
    (path / "a.log").write_text("x")
    (path / "app.py").unlink()

    assert sorted(await workspaces.files(spec)) == [".gitignore", "new file.md"]


async def test_before_the_first_turn_the_files_of_its_base_are_listed(workspaces, spec):
    assert await workspaces.files(spec) == (".gitignore", "app.py")


async def test_hostile_names_and_links_lead_nowhere_else(workspaces, spec, tmp_path):
    path = await workspaces.prepare(spec)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("x")
    (path / "way-out").symlink_to(outside)
    (path / "two\nlines").write_text("x")
    path.joinpath(os.fsdecode(b"\xff\xfe")).write_text("x")

    files = await workspaces.files(spec)

    assert {"way-out", "two\nlines"} < {*files}
    assert not [name for name in files if "secret" in name or "\ufffd" in name]


async def test_what_the_sandbox_puts_there_while_a_program_runs_is_no_file(workspaces, spec):
    path = await workspaces.prepare(spec)
    (path / ".envrc").write_text("mine")
    Masks().hold(path)

    assert sorted(await workspaces.files(spec)) == [".envrc", ".gitignore", "app.py"]
