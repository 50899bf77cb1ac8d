"""Set-up of workspaces: made once, given to each, made anew when what it depends on changes."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.command import Command
from adapters.processes.spawner import Spawner
from adapters.setup import layers
from adapters.setup.commands import Place, SetUpCommands
from adapters.setup.means import SetUpMeans
from domain.agents.sandbox import Level, SandboxRules
from domain.core.workspaces import WorkspaceKind
from domain.recipes.errors import SetUpFailedError
from domain.recipes.recipe import WorkspaceRecipe
from domain.verification.checkouts import Recipe
from tests.adapters.layer_lab import (
    SETUP,
    TOOL,
    Recipes,
    found,
    means,
    recipes,
    repository,
    said,
    spec,
    workspaces,
)
from tests.adapters.task_specs import commit_of

__all__ = ["means", "recipes", "repository", "workspaces"]


async def test_it_is_made_once_and_each_workspace_has_its_own(
    workspaces: GitWorkspaces, repository: Path, branch: str, recipes: Recipes
) -> None:
    one, two = [await workspaces.prepare(spec(repository, n)) for n in (1, 2)]
    assert recipes.runs == 1
    for path in (one, two):
        assert said(path / TOOL) == str(path)
        assert (path / "deps" / "link").resolve() == path / TOOL
    (one / TOOL).write_text("#!/bin/sh\necho mine\n")
    three = await workspaces.prepare(spec(repository, 3))
    assert said(three / TOOL) == str(three)
    assert not (three / "deps" / "link").samefile(one / "deps" / "link")


async def test_commands_get_the_environment_that_they_are_given_below_the_recipes(
    spawner: Spawner, tmp_path: Path
) -> None:
    given = {"SSL_CERT_FILE": "/own.pem", "PIP_CERT": "/own.pem"}
    commands = SetUpCommands(spawner, SandboxRules(level=Level.OFF), given)
    recipe = WorkspaceRecipe(
        setup=("echo $SSL_CERT_FILE $PIP_CERT",), environment={"PIP_CERT": "x"}
    )
    place = Place(tmp_path, tmp_path, tmp_path / "caches")
    printed = await commands.run(recipe, place, {}, lambda: None)
    assert printed.output.endswith("\n/own.pem x\n")


async def test_empty_folders_of_a_sandbox_are_not_of_the_layer(
    workspaces: GitWorkspaces, repository: Path, branch: str, recipes: Recipes
) -> None:
    recipes.change(setup=("mkdir .vscode .idea made && echo {} > .idea/own.json",))
    path = await workspaces.prepare(spec(repository))
    assert not (path / ".vscode").exists()
    assert (path / ".idea" / "own.json").exists()
    assert (path / "made").is_dir()


async def test_four_at_once_make_one(
    workspaces: GitWorkspaces, repository: Path, branch: str, recipes: Recipes
) -> None:
    await asyncio.gather(*(workspaces.prepare(spec(repository, n)) for n in range(4)))
    assert recipes.runs == 1


async def test_a_lock_file_that_changes_has_it_made_anew_and_a_source_does_not(
    workspaces: GitWorkspaces,
    repository: Path,
    branch: str,
    recipes: Recipes,
    git: Callable[..., str],
) -> None:
    await workspaces.prepare(spec(repository))
    for file, runs in (("app.py", 1), ("uv.lock", 2)):
        (repository / file).write_text("two\n")
        git(repository, "commit", "--quiet", "--all", f"--message={file}")
        await workspaces.prepare(spec(repository, runs + 10 + len(file), base="main"))
        assert recipes.runs == runs


async def test_commands_that_fail_are_told_with_what_they_printed_and_run_again(
    workspaces: GitWorkspaces, repository: Path, branch: str, recipes: Recipes, data_dir: Path
) -> None:
    recipes.change(setup=(*SETUP, "echo no network >&2; exit 3"))
    with pytest.raises(SetUpFailedError, match=r"exit code 3(.|\n)*no network"):
        await workspaces.prepare(spec(repository))
    with pytest.raises(SetUpFailedError):
        await workspaces.prepare(spec(repository))
    assert recipes.runs == 2
    assert found(data_dir, "worktrees/*/set-up-*") == []
    recipes.change(setup=SETUP)
    assert said(await workspaces.prepare(spec(repository)) / TOOL)


async def test_one_that_was_killed_half_way_is_made_anew(
    workspaces: GitWorkspaces, repository: Path, branch: str, recipes: Recipes, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    os.mkfifo(go)
    recipes.change(setup=(*SETUP, f"read line < {go}"))
    making = asyncio.create_task(workspaces.prepare(spec(repository)))
    held = await asyncio.to_thread(os.open, go, os.O_WRONLY)  # until the command reads
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    os.close(held)
    recipes.change(setup=(*SETUP, f"test -p {go}"))
    assert said(await workspaces.prepare(spec(repository)) / TOOL)


async def test_ignored_files_of_the_checkout_are_copied_and_no_others(
    workspaces: GitWorkspaces, repository: Path, branch: str, recipes: Recipes
) -> None:
    (repository / ".env").write_text("A=1\n")
    (repository / "modules" / "a").mkdir(parents=True)
    (repository / "modules" / "a" / "x.js").write_text("1\n")
    (repository / "notes.txt").write_text("mine\n")
    recipes.change(setup=(), copied=(".env", "modules", "notes.txt", "app.py"))
    path = await workspaces.prepare(spec(repository))
    assert (path / ".env").read_text() == "A=1\n"
    assert (path / "modules" / "a" / "x.js").exists()
    assert not (path / "notes.txt").exists()
    (repository / ".env").write_text("A=22\n")
    assert (await workspaces.prepare(spec(repository, 2)) / ".env").read_text() == "A=22\n"


async def test_what_is_not_ignored_is_no_work_of_an_agents(
    workspaces: GitWorkspaces,
    repository: Path,
    branch: str,
    recipes: Recipes,
    git: Callable[..., str],
) -> None:
    recipes.change(setup=("mkdir venv && touch venv/x", "touch stray", "echo 2 >> app.py"))
    assert workspaces.set_ups is not None
    result = await workspaces.set_ups.layer(str(repository), "main", "recipe", (), lambda: None)
    assert (result.changed, result.left_out) == (("app.py",), ("stray",))
    path = await workspaces.prepare(spec(repository))
    assert (path / "venv" / "x").exists()
    assert git(path, "status", "--porcelain") == ""


async def test_steps_run_with_it_and_not_with_what_the_agent_made_of_it(
    workspaces: GitWorkspaces, repository: Path, branch: str, recipes: Recipes
) -> None:
    task = spec(repository)
    path = await workspaces.prepare(task)
    (path / TOOL).write_text("#!/bin/sh\necho mine\n")
    (path / "new.py").write_text("1\n")
    made = await workspaces.commit(task, commit_of("one"))
    checkout = await workspaces.checkouts.open(task, made.commit, Recipe())
    assert said(checkout.directory / TOOL) == str(checkout.shown_at)
    assert checkout.carried == ()
    assert recipes.runs == 1


async def test_those_used_last_are_kept(
    workspaces: GitWorkspaces,
    repository: Path,
    branch: str,
    recipes: Recipes,
    data_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(layers, "KEPT", 1)
    for number in (1, 2):
        recipes.change(inputs=(str(number),), setup=(*SETUP, f"echo {number}"))
        await workspaces.prepare(spec(repository, number))
    await workspaces.layers.sweep()
    assert len(found(data_dir, "layers/*/*/about.json")) == 1
    await workspaces.prepare(spec(repository, 3))
    assert recipes.runs == 2


async def test_links_lead_to_the_checkout_and_are_no_work(
    workspaces: GitWorkspaces,
    repository: Path,
    branch: str,
    recipes: Recipes,
    git: Callable[..., str],
) -> None:
    (repository / "modules").mkdir()
    (repository / "modules" / "x.js").write_text("1\n")
    recipes.change(setup=(), linked=("modules",))
    path = await workspaces.prepare(spec(repository))
    assert (path / "modules" / "x.js").readlink() == repository / "modules" / "x.js"
    assert git(path, "status", "--porcelain") == ""
    assert workspaces.environments is not None
    around = await workspaces.environments.of(spec(repository), "agent")
    assert around.reads == (repository / "modules",)


async def test_a_workspace_is_cleaned_up_before_it_is_removed(
    spawner: Spawner,
    data_dir: Path,
    repository: Path,
    branch: str,
    recipes: Recipes,
    means: SetUpMeans,
) -> None:
    told: list[str] = []

    async def tell(_thread: str, message: str) -> None:
        told.append(message)

    workspaces = GitWorkspaces(spawner, data_dir, tell=tell, making=means)
    recipes.change(cleanup=(f'test -x {TOOL} && echo over >> "$COUNT"', "exit 4"))
    path = await workspaces.prepare(spec(repository))
    await workspaces.release(spec(repository))
    await workspaces.release(spec(repository))
    assert recipes.count.read_text().splitlines() == ["made", "over"]
    assert not path.exists()
    assert len(told) == 1
    assert "exit 4: exit code 4" in told[0]


async def test_folders_of_a_workspace_come_first_in_the_path_of_what_runs_there(
    workspaces: GitWorkspaces, repository: Path, branch: str, recipes: Recipes, spawner: Spawner
) -> None:
    recipes.change(path=("deps/bin/",), setup=(*SETUP, "test $(tool) = $PWD"))
    path = await workspaces.prepare(spec(repository))
    assert workspaces.environments is not None
    around = await workspaces.environments.of(spec(repository), "agent")
    for argv in (("tool",), ("/bin/sh", "-c", "tool")):
        done = await spawner.run(Command(argv, path, path=around.path))
        assert done.output.text() == f"{path}\n"


async def test_chats_go_on_without_what_failed_and_do_not_try_it_again(
    workspaces: GitWorkspaces, repository: Path, branch: str, recipes: Recipes
) -> None:
    recipes.change(setup=(SETUP[0], "exit 3"))
    for number in (1, 2):
        chat = spec(repository, number, kind=WorkspaceKind.CHAT)
        assert not (await workspaces.prepare(chat) / "deps").exists()
    assert recipes.runs == 1
    with pytest.raises(SetUpFailedError, match="exit 3: exit code 3"):
        await workspaces.prepare(spec(repository, 3))
    assert recipes.runs == 2
