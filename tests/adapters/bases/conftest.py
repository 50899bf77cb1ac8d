"""A thread's repository, its remote, and somebody else who pushes there."""

from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from adapters.git.bases import GitBases
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from domain.forges.pull_requests import MergeMethod
from domain.threads.bases.calls import BaseCall
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import (
    BRANCH,
    THREAD,
    commit_of,
    settle_of,
    spec_of,
)


@pytest.fixture
def remote(tmp_path, repository, git):
    """A bare repository with the same `main`, as the remote `origin`."""
    bare = tmp_path / "remote.git"
    bare.mkdir()
    git(bare, "init", "--quiet", "--bare", "--initial-branch=main")
    git(repository, "remote", "add", "origin", str(bare))
    git(repository, "push", "--quiet", "origin", "main")
    return bare


@pytest.fixture
def others(tmp_path, remote, git):
    """A clone in which somebody else works."""
    clone = tmp_path / "others"
    git(tmp_path, "clone", "--quiet", str(remote), str(clone))
    git(clone, "config", "user.email", "else@example.org")
    git(clone, "config", "user.name", "else")
    return clone


@pytest.fixture
async def ours(workspaces, repository, branch):
    """The thread's branch with something of its own; returns its tip."""
    return await work(workspaces, repository, "ours.py", "1\n")


@pytest.fixture
def push(others, git):
    """Have somebody push a file to the base; returns the commit."""

    def push(name, text="x\n", *options):
        (others / name).write_text(text)
        git(others, "add", "--all")
        git(others, "commit", "--quiet", f"--message=Add {name}")
        git(others, "push", "--quiet", *options, "origin", "HEAD:main")
        return git(others, "rev-parse", "HEAD")

    return push


@pytest.fixture
def bases(spawner, data_dir, tmp_path):
    environment = {**BASE_ENVIRONMENT, "HOME": str(tmp_path)}
    return GitBases(spawner, data_dir, environment, limit_seconds=60)


@pytest.fixture
async def call(workspaces, repository, remote, branch):
    known = (await workspaces.inspect(str(repository))).remotes
    return BaseCall(
        key=f"{THREAD}/base",
        thread_id=THREAD,
        repository=str(repository),
        branch=BRANCH,
        base="main",
        known=known,
        workspace=WorkspaceSpec(
            workspace_id=f"{THREAD}/base",
            kind=WorkspaceKind.CHAT,
            repository=str(repository),
            thread_id=THREAD,
            base=BRANCH,
        ),
    )


@dataclass
class Refusing:
    """A server that wants to know who asks, and what it was asked for."""

    url: str
    asked: list[str]


@pytest.fixture
def refusing():
    asked = []

    class Locked(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="forge"')
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Locked) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield Refusing(f"http://127.0.0.1:{server.server_port}/octo/work.git", asked)
        server.shutdown()


async def work(workspaces, repository, name, text, method=MergeMethod.MERGE):
    """Have a task of the thread change a file."""
    spec = spec_of(Path(repository), f"task-{name}", branch=f"{BRANCH}--{name}")
    (await workspaces.prepare(spec) / name).write_text(text)
    snapshot = await workspaces.commit(spec, commit_of(f"turn-{name}"))
    settled = settle_of(spec, snapshot.commit, f"merge-{name}")
    return (await workspaces.settle(settled.model_copy(update={"method": method}))).commit
