"""Clean checkouts: a commit's files, what a recipe carries over, and nothing else; gone afterwards."""

import os

import pytest

from activities.clean_steps import CleanSteps
from adapters.git.workspaces import GitWorkspaces
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.verification.verifier import StepVerifier
from domain.agents.sandbox import SandboxRules
from domain.verification.checkouts import Recipe
from domain.verification.ports import StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import commit_of, settle_of, spec_of

RECIPE = Recipe()
IGNORED = "*.log\nnode_modules/\n.venv\n__pycache__/\n.env\n"


@pytest.fixture
def repository(repository, git):
    """Whose base ignores the usual folders."""
    (repository / ".gitignore").write_text(IGNORED)
    git(repository, "commit", "--quiet", "--all", "--message=ignore")
    return repository


@pytest.fixture
async def work(workspaces, repository, branch):
    """A task's worktree with a commit that changes a file."""
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "app.py").write_text("print(2)\n")

    class Work:
        def __init__(self):
            self.spec, self.path = spec, path

        def put(self, name, text="x\n"):
            file = path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

        async def commit(self, key="turn-1"):
            return await workspaces.commit(spec, commit_of(key))

    return Work()


async def test_it_holds_the_commit_and_nothing_that_is_ignored(workspaces, work):
    work.put("GNUmakefile", "all:\n\ttrue\n")
    work.put(".gitignore", IGNORED + ".gitignore\nGNUmakefile\n")
    work.put("__pycache__/app.cpython-311.pyc")
    work.put("noise.log")
    snapshot = await work.commit()

    checkout = await workspaces.checkouts.open(work.spec, snapshot.commit, RECIPE)

    names = sorted(p.name for p in checkout.directory.iterdir())
    assert names == [".git", ".gitignore", "app.py"]
    assert (checkout.directory / "app.py").read_text() == "print(2)\n"
    assert (checkout.tree, checkout.shown_at) == (snapshot.tree, work.path)


async def test_dependencies_are_carried_where_the_base_ignores_them(workspaces, work):
    work.put("node_modules/a/index.js")
    work.put("web/node_modules/b/index.js")
    work.put(".venv/lib/mod.py")
    snapshot = await work.commit()

    checkout = await workspaces.checkouts.open(work.spec, snapshot.commit, RECIPE)

    assert checkout.carried == (".venv", "node_modules", "web/node_modules")
    assert (checkout.directory / "web/node_modules/b/index.js").read_text() == "x\n"
    (checkout.directory / "node_modules/a/index.js").write_text("changed\n")
    assert (work.path / "node_modules/a/index.js").read_text() == "x\n"


async def test_byte_code_and_caches_are_never_carried(workspaces, work):
    work.put(".venv/lib/mod.py")
    work.put(".venv/lib/__pycache__/mod.cpython-311.pyc")
    work.put(".venv/lib/other.pyc")
    work.put("node_modules/.cache/babel.json")
    snapshot = await work.commit()

    checkout = await workspaces.checkouts.open(work.spec, snapshot.commit, RECIPE)

    carried = [p.name for p in checkout.directory.rglob(".venv/**/*") if p.is_file()]
    assert carried == ["mod.py"]
    assert not (checkout.directory / "node_modules/.cache").exists()


async def test_what_only_the_task_ignores_is_not_carried(workspaces, work):
    work.put("vendor/forged.py")
    work.put(".gitignore", IGNORED + "vendor/\n")
    snapshot = await work.commit()

    checkout = await workspaces.checkouts.open(work.spec, snapshot.commit, RECIPE)

    assert checkout.carried == ()
    assert not (checkout.directory / "vendor").exists()


async def test_a_recipe_names_files_and_paths_and_none_outside(workspaces, work, tmp_path):
    (tmp_path / "secret").write_text("no\n")
    work.put(".env", "KEY=1\n")
    work.put("node_modules/a.js")
    snapshot = await work.commit()

    recipe = Recipe(carry=(".env", "../secret", "/etc/hostname", ".git/config"))
    checkout = await workspaces.checkouts.open(work.spec, snapshot.commit, recipe)

    assert checkout.carried == (".env",)
    assert not (checkout.directory / "node_modules").exists()


async def test_no_link_leads_out_on_either_side(workspaces, work, tmp_path):
    outside = tmp_path / "outside"
    (outside / "node_modules").mkdir(parents=True)
    (outside / "node_modules/secret").write_text("s\n")
    (work.path / "web").symlink_to(outside)
    work.put("node_modules/a.js")
    (work.path / "node_modules/link").symlink_to(outside / "node_modules/secret")
    os.mkfifo(work.path / "node_modules/pipe")
    snapshot = await work.commit()

    recipe = Recipe(carry=("node_modules", "web/node_modules"))
    checkout = await workspaces.checkouts.open(work.spec, snapshot.commit, recipe)

    assert checkout.carried == ("node_modules",)
    assert (checkout.directory / "node_modules/link").is_symlink()
    assert not (checkout.directory / "node_modules/pipe").exists()
    assert sorted(p.name for p in outside.rglob("*")) == ["node_modules", "secret"]


async def test_it_is_found_again_and_another_commit_gets_another(workspaces, work):
    first = await work.commit()
    checkout = await workspaces.checkouts.open(work.spec, first.commit, RECIPE)
    (checkout.directory / "built").write_text("")
    await workspaces.checkouts.prepared(work.spec)

    again = await workspaces.checkouts.open(work.spec, first.commit, RECIPE)
    assert again.is_prepared
    assert (again.directory / "built").exists()

    work.put("app.py", "print(3)\n")
    second = await work.commit("turn-2")
    other = await workspaces.checkouts.open(work.spec, second.commit, RECIPE)
    assert not other.is_prepared
    assert not (other.directory / "built").exists()


async def test_one_that_a_killed_attempt_left_half_made_is_made_anew(
    workspaces, work, data_dir, git
):
    snapshot = await work.commit()
    checkout = await workspaces.checkouts.open(work.spec, snapshot.commit, RECIPE)
    (checkout.directory / "app.py").unlink()
    (marker,) = work.path.parents[3].glob("project/.git/worktrees/*/treadle-clean")
    marker.unlink()

    again = await workspaces.checkouts.open(work.spec, snapshot.commit, RECIPE)

    assert (again.directory / "app.py").exists()


@pytest.mark.parametrize("is_settled", [True, False])
async def test_nothing_of_it_is_left_once_its_workspace_is_released(
    workspaces, work, repository, git, is_settled
):
    snapshot = await work.commit()
    checkout = await workspaces.checkouts.open(work.spec, snapshot.commit, RECIPE)
    if is_settled:
        await workspaces.settle(settle_of(work.spec, snapshot.commit))
    else:
        await workspaces.release(work.spec)

    assert not checkout.directory.exists()
    assert list(checkout.directory.parent.iterdir()) == []
    assert git(repository, "worktree", "list").count("\n") == 0


async def test_files_that_a_step_changed_are_seen(workspaces, work):
    snapshot = await work.commit()
    checkout = await workspaces.checkouts.open(work.spec, snapshot.commit, RECIPE)
    (checkout.directory / "new.py").write_text("")
    assert await workspaces.checkouts.altered(work.spec, snapshot.commit) == ()

    (checkout.directory / "app.py").write_text("fixed\n")
    assert await workspaces.checkouts.altered(work.spec, snapshot.commit) == ("app.py",)


@pytest.fixture
def sandboxed(data_dir, tmp_path):
    """Steps as a worker runs them."""
    folders = HostFolders(data_dir, data_dir / "programs", tmp_path / "config")
    spawner = host_spawner(folders, BASE_ENVIRONMENT)
    return StepVerifier(spawner, rules=SandboxRules())


@pytest.fixture
def run(workspaces, sandboxed, spawner, work, monkeypatch):
    """Run a command as a task's step, in a sandbox or without one."""
    monkeypatch.setattr("activities.clean_steps.activity.heartbeat", lambda: None)

    async def run(command, commit, recipe=RECIPE, *, verifier=None, kind=StepType.COMMAND):
        steps = CleanSteps(workspaces, verifier or sandboxed)
        step = VerificationStep(id="s", type=kind, label="s", command=command)
        return (await steps.run(step, StepPlace(work.path, work.spec), commit, recipe))[0]

    return run


@pytest.mark.parametrize("is_confined", [True, False])
async def test_a_step_sees_the_checkout_in_the_worktrees_place(run, work, spawner, is_confined):
    work.put("hidden.log")
    work.put("node_modules/.bin/tool", f"#!{work.path}/node_modules/.bin/sh\necho tool\n")
    (work.path / "node_modules/.bin/sh").symlink_to("/bin/sh")
    (work.path / "node_modules/.bin/tool").chmod(0o755)
    work.put("check.sh", "#!/bin/sh\npwd\nls\ngit rev-parse HEAD\nnode_modules/.bin/tool\n")
    (work.path / "check.sh").chmod(0o755)
    snapshot = await work.commit()
    verifier = None if is_confined else StepVerifier(spawner)

    result = await run("./check.sh", snapshot.commit, verifier=verifier, kind=StepType.SCRIPT)

    told = ["app.py", "check.sh", "node_modules", snapshot.commit, "tool"]
    assert result.output.splitlines() == [str(work.path), *told]
    assert (result.passed, result.tree, result.carried) == (True, snapshot.tree, ("node_modules",))


async def test_where_there_are_no_namespaces_copies_name_the_checkout(
    group_spawner, data_dir, work, run
):
    work.put(".venv/bin/tool", f"#!{work.path}/.venv/bin/sh\npwd\n")
    (work.path / ".venv/bin/sh").symlink_to("/bin/sh")
    (work.path / ".venv/bin/tool").chmod(0o755)
    snapshot = await work.commit()
    alone = GitWorkspaces(group_spawner, data_dir)
    checkout = await alone.checkouts.open(work.spec, snapshot.commit, RECIPE)

    first = (checkout.directory / ".venv/bin/tool").read_text().splitlines()[0]
    result = await run(".venv/bin/tool", snapshot.commit, verifier=StepVerifier(group_spawner))

    assert first == f"#!{checkout.directory}/.venv/bin/sh"
    assert (result.passed, result.output) == (True, f"{work.path}\n")


async def test_prepare_runs_once_and_its_failure_is_the_steps(run, work):
    snapshot = await work.commit()
    recipe = Recipe(prepare=("echo made >> made.txt",))
    for _ in range(2):
        result = await run("cat made.txt", snapshot.commit, recipe)
        assert result.output == "made\n"

    await work.commit("turn-2")
    work.put("app.py", "print(9)\n")
    other = await work.commit("turn-3")
    failed = await run("true", other.commit, Recipe(prepare=("echo no network; exit 3",)))
    assert not failed.passed
    assert failed.output.startswith("prepare: echo no network; exit 3\nno network\nexit code 3")


async def test_a_failure_says_what_of_the_ignored_files_was_there(run, work):
    work.put("node_modules/a.js")
    snapshot = await work.commit()

    result = await run("cat missing", snapshot.commit)

    assert not result.passed
    assert "that git ignores except node_modules" in result.output
