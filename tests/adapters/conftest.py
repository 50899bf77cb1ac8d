"""A real spawner and real git repositories."""

import os
import shutil
import subprocess
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.isolation import Isolation
from adapters.processes.spawner import Spawner
from tests.adapters.several_lab import SeveralLab
from tests.adapters.task_specs import BRANCH
from tests.deploy.debian import debian
from tests.postgresql.server import new_database

__all__ = ["debian"]

BASE_ENVIRONMENT = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def spawner(data_dir: Path) -> Spawner:
    return Spawner(data_dir / "runs", BASE_ENVIRONMENT)


@pytest.fixture
def git() -> Callable[..., str]:
    """Run the user's own git in a folder."""

    def run(folder: Path, *arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(folder), "-c", "user.name=Ann", "-c", "user.email=ann@x", *arguments],
            capture_output=True,
            check=True,
        )
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    return run


@pytest.fixture
def repository(tmp_path: Path, git: Callable[..., str]) -> Path:
    """A repository with one commit on `main`."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / "app.py").write_text("print(1)\n")
    (folder / ".gitignore").write_text("*.log\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=first")
    return folder


@pytest.fixture
def workspaces(spawner, data_dir) -> GitWorkspaces:
    return GitWorkspaces(spawner, data_dir)


@pytest.fixture
async def branch(workspaces, repository) -> str:
    """The thread's branch."""
    await workspaces.create_branch(str(repository), BRANCH, "main")
    return BRANCH


@pytest.fixture
async def lab(spawner, data_dir, git, repository) -> SeveralLab:
    """A thread on the repository and on another one, `api`, beside it."""
    api = repository.with_name("api")
    api.mkdir()
    git(api, "init", "--quiet", "--initial-branch=main")
    (api / "serve.py").write_text("serve(1)\n")
    git(api, "add", ".")
    git(api, "commit", "--quiet", "--message=first of api")
    lab = SeveralLab(spawner, data_dir, git, repository, api)
    await lab.open()
    return lab


@pytest.fixture
def group_spawner(data_dir: Path) -> Spawner:
    """What a machine without user namespaces gets."""
    setpriv = shutil.which("setpriv")
    prefix = (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()
    return Spawner(data_dir / "runs", BASE_ENVIRONMENT, Isolation("process group", prefix))


POSTGRES = os.environ.get("TREADLE_TEST_POSTGRES")
"""URL of a PostgreSQL server whose databases may be made and dropped; without it only SQLite.

What only a server can show is in tests/postgresql.
"""


@pytest.fixture(params=["sqlite", *(["postgresql"] if POSTGRES else [])])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[str]:
    """The URL of a journal's database that is not there yet."""
    if request.param == "sqlite" or POSTGRES is None:
        yield f"sqlite:///{tmp_path / 'data' / 'journal.db'}"
        return
    async with new_database(POSTGRES) as there:
        yield there
