"""What is carried into a clean checkout: real dependencies as npm and pip install them, never caches."""

import asyncio
import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from domain.verification.checkouts import Recipe
from tests.adapters.clean_lab import Steps, Work
from tests.adapters.task_specs import commit_of, spec_of

RECIPE = Recipe()
NPM = shutil.which("npm", path=f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}")  # noqa: PTH120
PATH = os.pathsep.join(filter(None, (NPM and os.path.dirname(NPM), os.environ["PATH"])))  # noqa: PTH120
ENVIRONMENT = {"PATH": PATH, "HOME": os.environ["HOME"]}


@pytest.fixture
def repository(repository, git):
    """Whose base ignores the usual folders."""
    (repository / ".gitignore").write_text("node_modules/\n.venv\n__pycache__/\n")
    git(repository, "commit", "--quiet", "--all", "--message=ignore")
    return repository


@pytest.fixture
async def work(workspaces, repository, branch):
    """A task's worktree with a commit that changes a file."""
    made = Work(workspaces, repository, await workspaces.prepare(spec_of(repository, "task-1")))
    made.put("app.py", "print(2)\n")
    return made


@pytest.fixture
def steps(workspaces, data_dir, tmp_path, monkeypatch):
    """Steps as a worker runs them."""
    monkeypatch.setattr("activities.clean_steps.activity.heartbeat", lambda: None)
    return Steps(workspaces, data_dir, tmp_path / "config", ENVIRONMENT)


async def installed(work, *argv):
    """Run what an agent runs in its worktree, to a good end."""
    done = await asyncio.to_thread(
        subprocess.run, argv, cwd=work.path, env=ENVIRONMENT, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


def wheel(folder):
    """Write a package with a module and a program, as it would come from an index."""
    file = folder / "greet-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("greet.py", "def main(): print('hello from greet')\n")
        about = "greet-1.0.dist-info"
        packed.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: greet\nVersion: 1.0\n")
        packed.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        packed.writestr(f"{about}/entry_points.txt", "[console_scripts]\ngreet = greet:main\n")
        packed.writestr(f"{about}/RECORD", "")
    return file


async def test_what_pip_installed_into_a_venv_works_in_the_checkout(work, steps, tmp_path):
    await installed(work, sys.executable, "-m", "venv", ".venv")
    pip = ("-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check")
    await installed(work, ".venv/bin/python", *pip, str(wheel(tmp_path)))
    await installed(work, ".venv/bin/greet")
    assert list((work.path / ".venv").rglob("greet*.pyc"))
    snapshot = await work.commit()

    command = ".venv/bin/greet && .venv/bin/python -c 'import greet, sys; print(sys.prefix)'"
    listing = "find .venv -name '*.pyc' | grep -c . || true"
    result = await steps.run(work, f"{listing}; {command}", snapshot.commit)

    told = ["0", "hello from greet", str(work.path / ".venv")]
    assert (result.passed, result.output.splitlines()) == (True, told)
    assert result.carried == (".venv",)


@pytest.mark.skipif(NPM is None, reason="there is no npm here")
async def test_what_npm_installed_works_in_the_checkout(work, steps, tmp_path):
    package = tmp_path / "greet"
    package.mkdir()
    (package / "package.json").write_text(
        '{"name": "greet", "version": "1.0.0", "bin": {"greet": "cli.js"}}'
    )
    (package / "cli.js").write_text(
        "#!/usr/bin/env node\nconsole.log('hello from', __dirname.split('/').pop())\n"
    )
    await asyncio.to_thread(_pack, package)
    work.put(
        "package.json",
        '{"name": "app", "version": "1.0.0", "scripts": {"test": "greet && node -e \'require.resolve(`greet/cli.js`)\'"}}',
    )
    await installed(work, NPM, "install", "--offline", "--silent", str(package / "greet-1.0.0.tgz"))
    snapshot = await work.commit()

    result = await steps.run(work, "npm --silent test", snapshot.commit)

    assert (result.passed, result.output) == (True, "hello from greet\n"), result.output
    assert result.carried == ("node_modules",)


def _pack(package):
    subprocess.run([NPM, "pack", "--silent"], cwd=package, env=ENVIRONMENT, check=True)


async def test_caches_are_not_carried_where_a_template_names_them(workspaces, work):
    work.put("__pycache__/app.cpython-311.pyc")
    work.put("node_modules/.tmp/tsconfig.app.tsbuildinfo")
    work.put("node_modules/a.js")
    snapshot = await work.commit()

    recipe = Recipe(carry=("__pycache__", "node_modules", "__pycache__/app.cpython-311.pyc"))
    checkout = await workspaces.checkouts.open(work.spec, snapshot.commit, recipe)

    assert checkout.carried == ("node_modules",)
    files = [p.name for p in (checkout.directory / "node_modules").rglob("*") if p.is_file()]
    assert files == ["a.js"]
    assert not (checkout.directory / "__pycache__").exists()


async def test_a_folder_that_is_in_the_commit_in_part_is_carried(
    workspaces, repository, git, branch
):
    (repository / ".gitignore").write_text("vendor/*\n!vendor/.gitkeep\n")
    (repository / "vendor").mkdir()
    (repository / "vendor" / ".gitkeep").write_text("")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=vendor")
    spec = spec_of(repository, "task-2").model_copy(update={"base": "main"})
    path = await workspaces.prepare(spec)
    for number in range(300):
        (path / "vendor" / f"pkg{number}").mkdir()
        (path / "vendor" / f"pkg{number}" / "a.php").write_text("x\n")
    (path / "app.py").write_text("print(2)\n")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    checkout = await workspaces.checkouts.open(spec, snapshot.commit, RECIPE)

    assert checkout.carried == ("vendor",)
    assert len(list((checkout.directory / "vendor").glob("*/a.php"))) == 300
