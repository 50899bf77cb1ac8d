"""Pushes to a bare repository: unforced, once, to the address that is known."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from adapters.git.pushes import GitPushes
from domain.core.errors import RepositoryError
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.errors import PushError, PushNotThroughError
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, spec_of


@pytest.fixture
def remote(tmp_path, repository, git):
    """A bare repository, as the remote `origin`."""
    bare = tmp_path / "remote.git"
    bare.mkdir()
    git(bare, "init", "--quiet", "--bare", "--initial-branch=main")
    git(repository, "remote", "add", "origin", str(bare))
    return bare


@pytest.fixture
async def work(workspaces, repository, branch):
    """A merged task; returns the commit on the thread's branch."""
    spec = spec_of(repository, "task-1")
    (await workspaces.prepare(spec) / "new.py").write_text("x")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    return (await workspaces.settle(settle_of(spec, snapshot.commit))).commit


@pytest.fixture
def pushes(spawner, data_dir, tmp_path):
    environment = {**BASE_ENVIRONMENT, "HOME": str(tmp_path)}
    return GitPushes(spawner, data_dir, environment, limit_seconds=60)


async def call_of(workspaces, repository, **more) -> PushCall:
    known = (await workspaces.inspect(str(repository))).remotes
    return PushCall(repository=str(repository), branch=BRANCH, **{"known": known, **more})


async def test_a_branch_that_moved_since_it_was_shown_is_not_pushed(
    workspaces, repository, git, remote, work, pushes
):
    shown = await call_of(workspaces, repository, commit=work)
    later = spec_of(repository, "task-2")
    (await workspaces.prepare(later) / "unseen.py").write_text("x")
    snapshot = await workspaces.commit(later, commit_of("turn-2"))
    newer = await workspaces.settle(settle_of(later, snapshot.commit, "merge-2"))

    with pytest.raises(RepositoryError, match=f"is at {newer.commit[:12]} now, not at {work[:12]}"):
        await pushes.push(shown)

    assert git(remote, "for-each-ref") == ""
    pushed = await pushes.push(await call_of(workspaces, repository, commit=newer.commit))
    assert pushed.commit == newer.commit


async def test_the_branch_is_pushed_and_pushing_it_again_is_fine(
    workspaces, repository, git, remote, work, pushes
):
    call = await call_of(workspaces, repository)
    before = git(repository, "for-each-ref"), (repository / ".git" / "config").read_text()

    first = await pushes.push(call)
    second = await pushes.push(call)

    assert first == second
    assert (first.remote, first.address, first.commit) == ("origin", str(remote), work)
    assert git(remote, "rev-parse", BRANCH) == work
    assert git(remote, "for-each-ref", "--format=%(refname)") == f"refs/heads/{BRANCH}"
    config = (repository / ".git" / "config").read_text()
    assert [r for r in git(repository, "for-each-ref").splitlines() if "remotes" not in r] == [
        *before[0].splitlines()
    ]
    assert config == before[1]


async def test_what_others_pushed_there_is_never_overwritten(
    workspaces, repository, git, remote, work, pushes
):
    call = await call_of(workspaces, repository)
    await pushes.push(call)
    git(remote.parent, "clone", "--quiet", "--branch", BRANCH, str(remote), "theirs")
    git(remote.parent / "theirs", "commit", "--quiet", "--allow-empty", "--message=theirs")
    git(remote.parent / "theirs", "push", "--quiet")
    theirs = git(remote, "rev-parse", BRANCH)
    git(repository, "update-ref", f"refs/heads/{BRANCH}", "main")
    await rework(workspaces, repository)

    with pytest.raises(PushError, match="commits on treadle/greet that are not here") as told:
        await pushes.push(call)

    assert not told.value.is_retryable
    assert git(remote, "rev-parse", BRANCH) == theirs


async def rework(workspaces, repository) -> None:
    spec = spec_of(repository, "task-2")
    (await workspaces.prepare(spec) / "other.py").write_text("y")
    snapshot = await workspaces.commit(spec, commit_of("turn-2"))
    await workspaces.settle(settle_of(spec, snapshot.commit, "merge-2"))


async def test_a_hook_of_the_remote_that_declines_is_quoted(
    workspaces, repository, remote, work, pushes
):
    hook = remote / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'branches need a ticket' >&2\nexit 1\n")
    hook.chmod(0o755)

    with pytest.raises(PushError, match=r"declined(.|\n)*branches need a ticket"):
        await pushes.push(await call_of(workspaces, repository))


async def test_the_persons_own_hooks_and_settings_do_not_act(
    workspaces, repository, git, remote, work, pushes
):
    home = remote.parent
    hook = home / "hooks" / "pre-push"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch {home}/ran\n")
    hook.chmod(0o755)
    git(repository, "tag", "--annotate", "--message=one", "v1")
    (home / ".gitconfig").write_text(
        f"[core]\n\thooksPath = {home}/hooks\n[push]\n\tfollowTags = true\n\tgpgSign = true\n"
    )

    await pushes.push(await call_of(workspaces, repository))

    assert not (home / "ran").exists()
    assert git(remote, "tag") == ""


class Locked(BaseHTTPRequestHandler):
    """A remote that wants a password."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="git"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


async def test_a_credential_helper_of_the_persons_own_is_asked_and_nobody_else(
    workspaces, repository, git, work, pushes, tmp_path
):
    helper = tmp_path / "helper"
    helper.write_text(f"#!/bin/sh\ncat >> {tmp_path}/asked\n")
    helper.chmod(0o755)
    (tmp_path / ".gitconfig").write_text(f"[credential]\n\thelper = {helper}\n")
    with ThreadingHTTPServer(("127.0.0.1", 0), Locked) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/octo/work.git"
        git(repository, "remote", "add", "origin", address)

        with pytest.raises(PushError, match="without a question") as told:
            await pushes.push(await call_of(workspaces, repository))
        server.shutdown()

    assert not told.value.is_retryable
    assert "host=127.0.0.1" in (tmp_path / "asked").read_text()


async def test_a_remote_that_is_not_reached_is_tried_again(
    workspaces, repository, git, work, pushes
):
    git(repository, "remote", "add", "origin", "http://127.0.0.1:9/octo/work.git")

    with pytest.raises(PushNotThroughError, match="does not answer"):
        await pushes.push(await call_of(workspaces, repository))


async def test_an_address_that_changed_since_the_thread_was_opened_is_refused(
    workspaces, repository, git, remote, work, pushes
):
    call = await call_of(workspaces, repository)
    other = remote.parent / "elsewhere.git"
    git(remote.parent, "init", "--quiet", "--bare", str(other))
    git(repository, "remote", "set-url", "origin", str(other))

    with pytest.raises(RepositoryError, match=f"--address {other}"):
        await pushes.push(call)

    assert git(other, "for-each-ref") == ""
    allowed = call.model_copy(update={"address": str(other)})
    assert (await pushes.push(allowed)).address == str(other)


@pytest.mark.parametrize("name", ["nowhere", "--all", "../x"])
async def test_a_remote_that_is_not_there_is_reported_with_those_that_are(
    workspaces, repository, remote, work, pushes, name
):
    with pytest.raises(RepositoryError, match="it has: origin"):
        await pushes.push(await call_of(workspaces, repository, remote=name))


async def test_without_any_remote_a_person_is_told_how_to_add_one(
    workspaces, repository, work, pushes
):
    with pytest.raises(RepositoryError, match="no remote to push to; it has: none"):
        await pushes.push(await call_of(workspaces, repository))


async def test_of_several_remotes_origin_or_the_named_one_is_pushed_to(
    workspaces, repository, git, remote, work, pushes
):
    fork = remote.parent / "fork.git"
    git(remote.parent, "init", "--quiet", "--bare", str(fork))
    git(repository, "remote", "add", "fork", str(fork))
    usual = await pushes.push(await call_of(workspaces, repository))
    named = await pushes.push(await call_of(workspaces, repository, remote="fork"))
    git(repository, "remote", "rename", "origin", "upstream")

    assert (usual.remote, named.remote, named.address) == ("origin", "fork", str(fork))
    assert git(fork, "rev-parse", BRANCH) == work
    with pytest.raises(RepositoryError, match="no remote to push to; it has: upstream, fork"):
        await pushes.push(await call_of(workspaces, repository))


async def test_a_repository_that_an_agent_changed_is_not_pushed_from(
    workspaces, repository, git, remote, work, pushes
):
    call = await call_of(workspaces, repository)
    git(repository, "config", "remote.origin.receivepack", "evil")

    with pytest.raises(RepositoryError, match="not what you trusted"):
        await pushes.push(call)


async def test_a_remote_that_hangs_is_given_up(
    workspaces, repository, remote, work, spawner, data_dir
):
    hook = remote / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\nsleep 60\n")
    hook.chmod(0o755)
    pushes = GitPushes(spawner, data_dir, BASE_ENVIRONMENT, limit_seconds=1)

    with pytest.raises(PushNotThroughError, match="longer than 1 s"):
        await pushes.push(await call_of(workspaces, repository))


async def test_no_password_of_an_address_is_kept(workspaces, repository, git):
    git(repository, "remote", "add", "origin", "https://ann:ghp_secret@github.com/octo/work.git")

    remotes = (await workspaces.inspect(str(repository))).remotes

    assert remotes == {"origin": "https://github.com/octo/work.git"}
