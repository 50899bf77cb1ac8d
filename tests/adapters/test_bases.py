"""The base of a thread's branch on real git: fetched from the known address, and taken in or left."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from adapters.git.bases import GitBases
from domain.core.workspaces import MergeCandidate, WorkspaceKind, WorkspaceSpec
from domain.forges.pull_requests import MergeMethod
from domain.plans.templates.template import BaseUpdate
from domain.threads.bases.calls import BaseCall
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import (
    BRANCH,
    THREAD,
    commit_of,
    settle_of,
    spec_of,
    user_state,
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
    return GitBases(spawner, data_dir, environment, limit_seconds=20)


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


class Locked(BaseHTTPRequestHandler):
    """A server that wants to know who asks."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="forge"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def refusing():
    with ThreadingHTTPServer(("127.0.0.1", 0), Locked) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/octo/work.git"
        server.shutdown()


async def work(workspaces, repository, name, text, method=MergeMethod.MERGE):
    """Have a task of the thread change a file."""
    spec = spec_of(Path(repository), f"task-{name}", branch=f"{BRANCH}--{name}")
    (await workspaces.prepare(spec) / name).write_text(text)
    snapshot = await workspaces.commit(spec, commit_of(f"turn-{name}"))
    settled = settle_of(spec, snapshot.commit, f"merge-{name}")
    return (await workspaces.settle(settled.model_copy(update={"method": method}))).commit


async def test_a_base_that_moved_is_merged_once_and_the_user_s_things_stay(
    bases, call, workspaces, repository, git, push
):
    await work(workspaces, repository, "ours.py", "1\n")
    push("one.py")
    newest = push("two.py")
    before = user_state(git, repository)

    look = await bases.look(call)
    first = await bases.update(call, look)
    again = await bases.update(call, look)

    assert (look.behind, look.commit, look.is_rewritten, look.note) == (2, newest, False, "")
    assert first == again
    assert git(repository, "rev-parse", BRANCH) == first.commit
    for name in ("ours.py", "one.py", "two.py"):
        git(repository, "cat-file", "-e", f"{BRANCH}:{name}")
    assert (await bases.look(call)).behind == 0
    assert user_state(git, repository) == before


async def test_only_a_verified_tree_is_taken_in(bases, call, workspaces, repository, git, push):
    tip = await work(workspaces, repository, "ours.py", "1\n")
    push("one.py")
    look = await bases.look(call)

    candidate = await bases.update(call, look, set())

    assert isinstance(candidate, MergeCandidate)
    assert git(repository, "rev-parse", BRANCH) == tip
    done = await bases.update(call, look, {candidate.tree})
    assert git(repository, "rev-parse", f"{done.commit}^{{tree}}") == candidate.tree


async def test_a_conflict_leaves_the_branch_where_it_is(
    bases, call, workspaces, repository, git, push
):
    tip = await work(workspaces, repository, "app.py", "ours\n")
    push("app.py", "theirs\n")

    done = await bases.update(call, await bases.look(call))

    assert (done.commit, done.conflicts) == (None, ("app.py",))
    assert git(repository, "rev-parse", BRANCH) == tip


async def test_a_rebased_branch_keeps_the_words_of_its_commits(
    bases, call, workspaces, repository, git, push
):
    await work(workspaces, repository, "ours.py", "1\n", MergeMethod.SQUASH)
    newest = push("one.py")
    rebasing = call.model_copy(update={"update": BaseUpdate.REBASE})
    words = git(repository, "log", "-1", "--format=%B", BRANCH)

    done = await bases.update(rebasing, await bases.look(rebasing))

    assert git(repository, "rev-parse", f"{done.commit}^") == newest
    assert git(repository, "log", "-1", "--format=%B", BRANCH).strip() == words.strip()
    assert git(repository, "show", f"{BRANCH}:ours.py") == "1"


async def test_a_branch_of_merges_is_merged_where_the_policy_says_rebase(
    bases, call, workspaces, repository, git, push
):
    await work(workspaces, repository, "ours.py", "1\n", MergeMethod.MERGE)
    push("one.py")
    rebasing = call.model_copy(update={"update": BaseUpdate.REBASE})

    done = await bases.update(rebasing, await bases.look(rebasing))

    parents = git(repository, "log", "-1", "--format=%P", done.commit).split()
    assert len(parents) == 2


async def test_a_force_pushed_base_is_told_and_rebased_without_what_was_dropped(
    bases, call, workspaces, git, push, others
):
    repository = call.repository
    dropped = push("dropped.py")
    look = await bases.look(call)
    await bases.update(call, look)
    await work(workspaces, repository, "ours.py", "1\n", MergeMethod.SQUASH)
    git(others, "reset", "--quiet", "--hard", "HEAD^")
    newest = push("kept.py", "x\n", "--force")
    seen = call.model_copy(update={"previous": dropped, "update": BaseUpdate.REBASE})

    look = await bases.look(seen)
    done = await bases.update(seen, look)

    assert look.is_rewritten
    names = git(repository, "ls-tree", "--name-only", done.commit).splitlines()
    assert {"kept.py", "ours.py"} <= set(names)
    assert "dropped.py" not in names
    assert git(repository, "rev-parse", f"{done.commit}^") == newest


async def test_a_replaced_history_is_refused(bases, call, repository, git, push, others):
    git(others, "checkout", "--quiet", "--orphan", "fresh")
    push("new.py", "x\n", "--force")

    done = await bases.update(call, await bases.look(call))

    assert "no commit in common" in done.failure


async def test_a_shallow_clone_says_how_to_get_the_rest(bases, call, git, push, tmp_path, remote):
    for number in range(3):
        push(f"{number}.py")
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{remote}", str(shallow))
    git(shallow, "branch", BRANCH, "main")
    push("later.py")
    known = {"origin": f"file://{remote}"}
    there = call.model_copy(update={"repository": str(shallow), "known": known})

    look = await bases.look(there)
    done = await bases.update(there, look)

    assert look.behind == 1
    assert git(shallow, "rev-parse", BRANCH) == done.commit == look.commit


async def test_a_branch_that_is_gone_names_the_default_one(bases, call, git, remote):
    git(remote, "branch", "--move", "main", "trunk")

    look = await bases.look(call)

    assert "has no branch main any more; its default branch is trunk" in look.note
    assert look.behind == 0


async def test_a_remote_that_is_gone_is_told_and_what_is_here_counts(
    bases, call, push, remote, repository, git
):
    push("one.py")
    await bases.look(call)
    remote.rename(remote.with_name("elsewhere.git"))

    look = await bases.look(call)

    assert look.note.startswith("origin was not fetched: ")
    assert look.behind == 1


async def test_another_address_than_the_known_one_is_never_asked(
    bases, call, push, repository, git, others
):
    push("one.py")
    git(repository, "remote", "set-url", "origin", str(others))

    look = await bases.look(call)

    assert "not the one of when the thread was opened" in look.note
    assert (look.behind, look.commit) == (0, "")


async def test_a_repository_without_remote_has_nothing_to_look_at(
    bases, workspaces, repository, branch, call, git
):
    git(repository, "remote", "remove", "origin")

    look = await bases.look(call)

    assert (look.behind, look.note) == (0, "there is no remote any more")


async def test_a_new_branch_begins_at_the_newest_base(bases, call, push, repository, git):
    newest = push("one.py")

    assert await bases.begin(call) == newest
    assert git(repository, "rev-parse", BRANCH) == newest
    assert await bases.begin(call) == ""


async def test_a_server_that_wants_a_password_is_not_asked_twice_and_nobody_is_prompted(
    bases, call, repository, git, refusing
):
    git(repository, "remote", "set-url", "origin", refusing)
    there = call.model_copy(update={"known": {"origin": refusing}})

    look = await bases.look(there)

    assert "was not fetched" in look.note
    assert "terminal prompts disabled" in look.note or "could not read" in look.note
