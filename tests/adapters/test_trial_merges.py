"""Trial merges tell a coming conflict and leave nothing behind."""

import pytest

from domain.core.workspaces import Collision, Work
from tests.adapters.task_specs import BRANCH, commit_of, spec_of


@pytest.fixture
async def works(workspaces, repository, branch):
    """Three tasks at work: the first two change one file, the third another."""
    found = []
    for number, name in enumerate(("app.py", "app.py", "other.py")):
        spec = spec_of(repository, f"task-{number}")
        path = await workspaces.prepare(spec)
        (path / name).write_text(f"print({number + 10})\n")
        snapshot = await workspaces.commit(spec, commit_of(f"turn-{number}"))
        found.append(Work(name=f"task-{number}", commit=snapshot.commit))
    return found


async def test_tasks_that_change_the_same_lines_are_told_before_they_are_merged(
    workspaces, repository, git, works
):
    before = set((repository / ".git" / "objects").rglob("*"))

    found = await workspaces.collisions(str(repository), works[0], works[1:])

    assert found == (Collision(first="task-1", second="task-0", files=("app.py",)),)
    assert set((repository / ".git" / "objects").rglob("*")) == before


async def test_a_task_that_conflicts_with_what_was_merged_is_reported(
    workspaces, repository, git, works
):
    branch = Work(name=BRANCH, commit=works[1].commit)

    found = await workspaces.collisions(str(repository), works[0], [branch, works[2]])

    assert [(c.first, c.files) for c in found] == [(BRANCH, ("app.py",))]


async def test_a_commit_that_is_gone_collides_with_nothing(workspaces, repository, works):
    gone = Work(name="task-9", commit="1" * 40)

    assert await workspaces.collisions(str(repository), works[0], [gone]) == ()


def test_a_collision_is_the_same_whatever_the_order_and_the_commits():
    one = Collision(first="a", second="b", files=("x", "y"))
    other = Collision(first="b", second="a", files=("y", "x"))

    assert one.key == other.key
    assert one.key != Collision(first="a", second="b", files=("x",)).key
