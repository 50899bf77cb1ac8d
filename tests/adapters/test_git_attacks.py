"""No command of Treadle's runs what an agent planted in git's metadata."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Awaitable, Callable

import pytest

from domain.core.errors import RepositoryError, WorkspaceError
from tests.adapters.git_attacks import ATTACKS
from tests.adapters.task_specs import commit_of, settle_of, spec_of

PLAIN = (
    *("status", "add --all", "diff HEAD", "commit -m x --no-edit", "log -p -n2", "stash"),
    *("checkout -f HEAD~0", "merge --no-edit other", "fetch --all", "show HEAD", "reset --hard"),
    *("commit --amend --allow-empty", "status"),
)
NEEDS_MORE = {"alternates", "submodule"}
"""Planted, but only other commands than these would run it."""


@pytest.fixture
async def target(workspaces, repository, branch):
    """A task to go on with, one to merge and its commit, in a repository."""
    specs = [spec_of(repository, name) for name in ("task-1", "task-2", "task-0")]
    for spec in specs:
        path = await workspaces.prepare(spec)
        (path / "app.py").write_text(f"print('{spec.task_id}')\n")
    commits = [await workspaces.commit(spec, commit_of(spec.task_id)) for spec in specs[1:]]
    # the other merge has to bring two changes of one file together
    assert (await workspaces.settle(settle_of(specs[2], commits[1].commit, "merge-0"))).commit
    (repository / "app.py").write_text("print('mine')\n")
    return specs[0], specs[1], commits[0]


@pytest.fixture
def canary(tmp_path):
    """A program that leaves a file when it runs, and that file."""
    ran, program = tmp_path / "ran", tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho ran >> {ran}\nexit 1\n")
    program.chmod(0o755)
    return ran, str(program)


def operations(workspaces, repository, target) -> dict[str, Callable[[], Awaitable[object]]]:
    """Return everything that the port can do, each in a moment of its own."""
    first, second, merged = target
    third = spec_of(repository, "task-3")
    return {
        "inspect": lambda: workspaces.inspect(str(repository)),
        "create_branch": lambda: workspaces.create_branch(str(repository), "treadle/b", "main"),
        "prepare a new one": lambda: workspaces.prepare(third),
        "prepare one again": lambda: workspaces.prepare(first),
        "commit": lambda: workspaces.commit(first, commit_of("turn-1")),
        "commit once more": lambda: workspaces.commit(first, commit_of("turn-3")),
        "diff": lambda: workspaces.diff(str(repository), merged.base, merged.commit),
        "settle a merge": lambda: workspaces.settle(settle_of(second, merged.commit)),
        "settle without a merge": lambda: workspaces.settle(settle_of(first, None)),
        "release": lambda: workspaces.release(first),
    }


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
async def test_no_operation_runs_a_planted_program(workspaces, repository, target, canary, attack):
    ran, program = canary
    path = await workspaces.prepare(target[0])

    attack(repository, path, program)

    executed = []
    for name, operation in operations(workspaces, repository, target).items():
        with contextlib.suppress(RepositoryError, WorkspaceError):
            await operation()
        if ran.exists():
            executed.append(name)
            ran.unlink()
    assert executed == []


def test_plain_git_runs_what_is_planted(repository, git, tmp_path, canary):
    """The control: without it the test above could pass because the attacks are none."""
    ran, program = canary
    git(repository, "checkout", "--quiet", "-b", "other")
    (repository / "app.py").write_text("print('other')\n")
    git(repository, "commit", "--quiet", "--all", "--message=other")
    git(repository, "checkout", "--quiet", "main")
    executed = set()
    for attack in ATTACKS:
        copy, worktree = tmp_path / attack.__name__, tmp_path / f"{attack.__name__}-worktree"
        shutil.copytree(repository, copy, symlinks=True)
        git(copy, "worktree", "add", "--detach", str(worktree))
        (worktree / "app.py").write_text("print(2)\n")
        attack(copy, worktree, program)
        for folder in (copy, worktree):
            for command in PLAIN:
                named = ("-c", "user.name=Ann", "-c", "user.email=ann@x")
                subprocess.run(
                    ["git", *named, *command.split()],
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    env={"PATH": os.environ["PATH"], "EDITOR": "true"},
                    capture_output=True,
                    check=False,
                    timeout=60,
                )
        if ran.exists():
            executed.add(attack.__name__)
            ran.unlink()
    assert executed >= {attack.__name__ for attack in ATTACKS} - NEEDS_MORE
