"""Notes of receipts, pushed to a bare repository with the branch that they are of."""

from functools import partial

import pytest

from adapters.git.notes import NOTES, GitNotes
from adapters.git.pushes import GitPushes
from domain.core.errors import RepositoryError
from domain.evidence.envelope import opened, sealed
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.errors import PushError
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.domain.receipt_lab import KEY, stated

SIGNED = sealed(stated(), KEY)
NOBODY = ("-c", "user.name=t", "-c", "user.email=t@t")


@pytest.fixture
def remote(tmp_path, repository, git):
    """A bare repository, as the remote `origin`, with the branch."""
    bare = tmp_path / "remote.git"
    bare.mkdir()
    git(bare, "init", "--quiet", "--bare", "--initial-branch=main")
    git(repository, "remote", "add", "origin", str(bare))
    git(repository, "push", "--quiet", "origin", "main")
    return bare


@pytest.fixture
async def call(workspaces, repository, remote):
    known = (await workspaces.inspect(str(repository))).remotes
    return PushCall(repository=str(repository), branch="main", known=known, commit="e" * 40)


@pytest.fixture
def notes(spawner, data_dir, pushes):
    return GitNotes(spawner, data_dir, pushes)


@pytest.fixture
def head(repository, git):
    return git(repository, "rev-parse", "HEAD").strip()


def note_there(git, remote, commit: str) -> bytes:
    return git(remote, "cat-file", "blob", git(remote, "notes", f"--ref={NOTES}", "list", commit))


def clone_with_a_note(git, remote, name: str, of: str, text: str):
    """Have somebody else note a commit in place of all that is noted there."""
    theirs = remote.parent / name
    git(remote.parent, "clone", "--quiet", str(remote), name)
    git(theirs, *NOBODY, "notes", f"--ref={NOTES}", "add", "--message", text, of)
    git(theirs, "push", "--quiet", "--force", "origin", f"{NOTES}:{NOTES}")


async def test_the_note_is_on_the_remote_to_the_byte_and_again_changes_nothing(
    notes, call, repository, remote, head, git
):
    await notes.keep(str(repository), head, SIGNED)
    await notes.push(call)
    before = git(remote, "for-each-ref")
    await notes.keep(str(repository), head, SIGNED)
    await notes.push(call)

    blob = git(remote, "notes", f"--ref={NOTES}", "list", head).strip()
    assert git(remote, "cat-file", "-s", blob).strip() == str(len(SIGNED))
    assert opened(note_there(git, remote, head).encode().rstrip() + b"\n", [KEY.public])
    assert git(remote, "for-each-ref") == before
    assert git(remote, "rev-parse", "main").strip() == head


async def test_what_others_noted_there_stays(notes, call, repository, remote, head, git):
    git(repository, *NOBODY, "commit", "--quiet", "--allow-empty", "--message=next")
    later = git(repository, "rev-parse", "HEAD").strip()
    clone_with_a_note(git, remote, "first", head, "theirs")
    await notes.keep(str(repository), later, SIGNED)
    await notes.push(call)
    git(repository, "push", "--quiet", "origin", "main")
    second = clone_with_a_note_of_another(git, remote, head)
    await notes.keep(str(repository), later, SIGNED)
    await notes.push(call)

    listed = git(remote, "notes", f"--ref={NOTES}", "list").splitlines()
    assert {line.split()[1] for line in listed} == {head, later, second}
    assert "theirs" in note_there(git, remote, head)


def clone_with_a_note_of_another(git, remote, head: str) -> str:
    """Have somebody who has all notes add one to them; returns the commit that it is of."""
    theirs = remote.parent / "second"
    git(remote.parent, "clone", "--quiet", str(remote), "second")
    git(theirs, "fetch", "--quiet", "origin", f"{NOTES}:{NOTES}")
    tree = git(theirs, "rev-parse", f"{head}^{{tree}}").strip()
    other = git(theirs, *NOBODY, "commit-tree", "-m", "other", tree).strip()
    git(theirs, *NOBODY, "notes", f"--ref={NOTES}", "add", "--message", "more", other)
    git(theirs, "push", "--quiet", "origin", f"{NOTES}:{NOTES}")
    return other


async def test_our_receipt_takes_the_place_of_what_others_noted_of_its_commit(
    notes, call, repository, remote, head, git
):
    clone_with_a_note(git, remote, "forger", head, "forged")
    await notes.keep(str(repository), head, SIGNED)
    await notes.push(call)

    assert await notes.kept(str(repository), head) == SIGNED
    assert "forged" not in note_there(git, remote, head)


async def test_a_remote_that_refuses_notes_is_an_error_and_keeps_the_branch(
    notes, call, repository, remote, head, git
):
    hook = remote / "hooks" / "update"
    hook.write_text("#!/bin/sh\ncase $1 in refs/notes/*) echo 'no notes here' >&2; exit 1;; esac\n")
    hook.chmod(0o755)
    await notes.keep(str(repository), head, SIGNED)

    with pytest.raises(PushError, match=r"refuses refs/notes/treadle: (.|\n)*no notes here"):
        await notes.push(call)

    assert await notes.kept(str(repository), head) == SIGNED
    assert git(remote, "for-each-ref", "--format=%(refname)").strip() == "refs/heads/main"


async def test_a_remote_whose_address_an_agent_changed_gets_no_notes(
    notes, call, repository, remote, head, git
):
    await notes.keep(str(repository), head, SIGNED)
    elsewhere = remote.parent / "elsewhere.git"
    git(remote.parent, "init", "--quiet", "--bare", str(elsewhere))
    git(repository, "remote", "set-url", "origin", str(elsewhere))

    with pytest.raises(RepositoryError, match="an agent can change"):
        await notes.push(call)

    assert git(elsewhere, "for-each-ref") == ""


class Overtaken(GitPushes):
    """Is overtaken by somebody else's push of notes, as often as a test says."""

    faster: list = []

    async def send(self, out, *options, source=None) -> None:
        if self.faster:
            self.faster.pop()()
        await super().send(out, *options, source=source)


@pytest.fixture
def pushes(spawner, data_dir, tmp_path):
    environment = {**BASE_ENVIRONMENT, "HOME": str(tmp_path)}
    return Overtaken(spawner, data_dir, environment, limit_seconds=60)


@pytest.mark.parametrize("times", [1, 2, 3])
async def test_whoever_is_faster_is_taken_in_but_not_for_ever(
    notes, pushes, call, remote, git, times
):
    head = git(remote, "rev-parse", "main").strip()
    names = [f"faster-{number}" for number in range(times)]
    pushes.faster = [partial(clone_with_a_note, git, remote, name, head, name) for name in names]
    await notes.keep(call.repository, head, SIGNED)

    if is_pushed := times < 3:
        await notes.push(call)
    else:
        with pytest.raises(PushError, match="not here"):
            await notes.push(call)

    assert ("payloadType" in note_there(git, remote, head)) is is_pushed


@pytest.fixture
def kept_here(spawner, data_dir):
    return GitNotes(spawner, data_dir)


async def test_notes_stay_here_where_a_setting_says_so(
    kept_here, call, repository, remote, head, git
):
    await kept_here.keep(str(repository), head, SIGNED)
    await kept_here.push(call)

    assert git(remote, "for-each-ref", "--format=%(refname)").strip() == "refs/heads/main"
