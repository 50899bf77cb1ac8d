"""Publishing keeps and tells the receipt of what it pushed."""

from datetime import UTC, datetime

import pytest
from temporalio.testing import ActivityEnvironment

from activities.publishing import Publishing
from activities.receipts import PublishedReceipts
from domain.core.errors import RepositoryError, TreadleError
from domain.core.event import Event
from domain.evidence.envelope import opened
from domain.evidence.issuing import Receipts
from domain.evidence.section import BEGIN
from domain.forges.pull_requests import PullRequestDraft
from domain.threads.publishing.calls import PullRequestCall, PushCall
from domain.threads.publishing.errors import PushNotThroughError
from domain.threads.publishing.publication import PushedBranch
from tests.domain.receipt_lab import COMMIT, KEY, THREAD, TREE, published, whole
from tests.fakes import MemoryJournal
from tests.publishing_fakes import PaperForge, PaperRemotes


class Key:
    def read(self) -> bytes:
        return b"of a test"


class PaperNotes:
    """Notes on paper, or none at all as the test says."""

    def __init__(self) -> None:
        self.notes: dict[str, bytes] = {}
        self.failure: RepositoryError | None = None
        self.push_failure: TreadleError | None = None
        self.pushed: list[PushCall] = []

    async def keep(self, repository: str, commit: str, receipt: bytes) -> None:
        if self.failure is not None:
            raise self.failure
        self.notes[commit] = receipt

    async def push(self, call: PushCall) -> None:
        if self.push_failure is not None:
            raise self.push_failure
        self.pushed.append(call)

    async def tree(self, repository: str, commit: str) -> str | None:
        return None

    async def kept(self, repository: str, commit: str) -> bytes | None:
        return self.notes.get(commit)


class TreeRemotes(PaperRemotes):
    async def push(self, call: PushCall) -> PushedBranch:
        return (await super().push(call)).model_copy(update={"tree": TREE})


@pytest.fixture
def notes() -> PaperNotes:
    return PaperNotes()


@pytest.fixture
def forge() -> PaperForge:
    return PaperForge()


async def publishing_after(events: int | None, notes: PaperNotes, forge: PaperForge) -> Publishing:
    journal = MemoryJournal()
    at = datetime(2026, 3, 2, tzinfo=UTC)
    told = whole()[:events]
    await journal.append(
        [Event(id=f"e{n}", stream=s, at=at, body=b) for n, (s, b) in enumerate(told)]
    )
    receipts = Receipts(journal, Key(), lambda statement: statement)
    return Publishing(TreeRemotes(), forge, PublishedReceipts(receipts, notes))


def push() -> PushCall:
    return PushCall(repository="/r", branch="b", thread=THREAD)


def open_it(thread: str = THREAD) -> PullRequestCall:
    project = published().pushed.project
    assert project is not None
    draft = PullRequestDraft(project=project, head="b", base="main", title="t", body="what")
    return PullRequestCall(draft=draft, thread=thread)


async def test_a_push_keeps_its_receipt_as_the_note_of_the_commit(notes, forge):
    publishing = await publishing_after(-1, notes, forge)

    await ActivityEnvironment().run(publishing.push_branch, push())

    statement, _ = opened(notes.notes[COMMIT], [KEY.public])
    assert (statement.tree, statement.predicate.is_tree_verified) == (TREE, True)
    assert notes.pushed == [push()]


async def test_a_note_that_cannot_be_kept_fails_no_push(notes, forge):
    notes.failure = RepositoryError("the disk is read-only")
    publishing = await publishing_after(-1, notes, forge)

    done = await ActivityEnvironment().run(publishing.push_branch, push())

    assert done.pushed.commit == COMMIT
    assert done.pushed.note_failure == "the disk is read-only"


async def test_a_note_that_the_remote_refuses_fails_no_push_and_is_said(notes, forge):
    notes.push_failure = PushNotThroughError("origin does not answer")
    publishing = await publishing_after(-1, notes, forge)

    done = await ActivityEnvironment().run(publishing.push_branch, push())

    assert (done.pushed.commit, done.pushed.note_failure) == (COMMIT, "origin does not answer")
    assert COMMIT in notes.notes


async def test_a_call_of_before_there_were_receipts_has_no_note(notes, forge):
    publishing = await publishing_after(-1, notes, forge)

    await ActivityEnvironment().run(
        publishing.push_branch, push().model_copy(update={"thread": ""})
    )

    assert notes.notes == {}


async def test_a_pull_request_tells_its_receipt_in_its_body(notes, forge):
    publishing = await publishing_after(None, notes, forge)

    await ActivityEnvironment().run(publishing.open_pull_request, open_it())

    body = forge.drafts[0].body
    assert body.startswith("what")
    assert body.count(BEGIN) == 1
    assert TREE in body


async def test_a_pull_request_without_a_receipt_is_opened_as_it_is(notes, forge):
    publishing = await publishing_after(-1, notes, forge)

    await ActivityEnvironment().run(publishing.open_pull_request, open_it())

    assert forge.drafts[0].body == "what"
