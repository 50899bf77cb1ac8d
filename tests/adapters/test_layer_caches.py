"""Who may write to the caches that all tasks of a repository share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.command import Command, Finished
from adapters.processes.spawner import Spawner
from domain.verification.checkouts import Recipe
from tests.adapters.layer_lab import Recipes, means, recipes, repository, spec, workspaces
from tests.adapters.task_specs import commit_of

__all__ = ["means", "recipes", "repository", "workspaces"]


@pytest.fixture
def writing(spawner: Spawner, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each command of a set-up: may it write to the caches? If not, what it writes is thrown away."""
    said: list[bool] = []
    run = spawner.run

    async def seen(command: Command, **more: object) -> Finished:
        if command.writes or command.caches:
            assert {path.parent.name for path in (*command.writes, *command.caches)} == {"caches"}
            said.append(bool(command.writes))
        return await run(command, **more)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(spawner, "run", seen)
    return said


async def test_the_set_up_of_what_an_agent_committed_does_not_write_to_them(
    workspaces: GitWorkspaces,
    repository: Path,
    branch: str,
    git: Callable[..., str],
    recipes: Recipes,
    writing: list[bool],
) -> None:
    task = spec(repository, base=git(repository, "rev-parse", "HEAD"))
    recipes.change(setup=("echo made >> $COUNT && mkdir -p deps",), cleanup=("true",))
    path = await workspaces.prepare(task)
    assert writing == [True]

    (path / "uv.lock").write_text("an agent's\n")
    made = await workspaces.commit(task, commit_of("one"))
    await workspaces.checkouts.open(task, made.commit, Recipe())
    assert recipes.runs == 2
    await workspaces.release(task)

    assert writing == [True, False, False]
