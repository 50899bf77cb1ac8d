"""Receipts as notes of commits, with real git."""

import pytest

from adapters.git.notes import NOTES, GitNotes
from domain.core.errors import TreadleError
from domain.evidence.envelope import opened, sealed
from tests.domain.receipt_lab import KEY, stated

SIGNED = sealed(stated(), KEY)


@pytest.fixture
async def notes(spawner, data_dir, workspaces, repository):
    await workspaces.inspect(str(repository))  # a person opened a thread, which trusts the metadata
    return GitNotes(spawner, data_dir)


@pytest.fixture
def head(repository, git):
    return git(repository, "rev-parse", "HEAD").strip()


async def test_a_note_is_the_receipt_to_the_byte(notes, repository, head):
    await notes.keep(str(repository), head, SIGNED)

    kept = await notes.kept(str(repository), head)
    assert kept == SIGNED
    assert opened(kept, [KEY.public])


async def test_a_second_note_replaces_the_first(notes, repository, head, git):
    await notes.keep(str(repository), head, b"old\n")
    await notes.keep(str(repository), head, SIGNED)

    assert await notes.kept(str(repository), head) == SIGNED
    assert len(git(repository, "notes", f"--ref={NOTES}", "list").splitlines()) == 1


async def test_a_commit_without_a_note_has_none(notes, repository, head):
    assert await notes.kept(str(repository), head) is None


async def test_a_commit_that_is_not_there_is_refused(notes, repository):
    with pytest.raises(TreadleError):
        await notes.keep(str(repository), "d" * 40, SIGNED)


async def test_the_branch_and_the_files_stay_as_they_are(notes, repository, head, git):
    await notes.keep(str(repository), head, SIGNED)

    assert git(repository, "rev-parse", "HEAD").strip() == head
    assert git(repository, "status", "--porcelain") == ""


async def test_the_tree_of_a_commit_is_known_where_the_commit_is(notes, repository, head, git):
    tree = git(repository, "rev-parse", "HEAD^{tree}").strip()

    assert await notes.tree(str(repository), head) == tree
    assert await notes.tree(str(repository), "d" * 40) is None
    assert await notes.tree(str(repository), "--help") is None
