"""Looks at a pull request show whether its receipt is of what it has now."""

from datetime import UTC, datetime

import pytest
from temporalio.testing import ActivityEnvironment

from activities.receipts import PublishedReceipts
from activities.watching import Watching
from domain.core.errors import TreadleError
from domain.core.event import Event
from domain.evidence.issuing import Receipts
from domain.evidence.section import BEGIN, END, with_section
from domain.evidence.words import void_section_of
from domain.forges.errors import ForgeAccessError, ForgeBusyError
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import (
    MAX_FORGE_BODY,
    Check,
    CheckState,
    CommitStatus,
    PullRequestId,
    PullRequestState,
)
from domain.publications.calls import RECEIPT_CONTEXT, LookAnswer, LookCall
from domain.publications.seeing import found_in
from domain.publications.state import PublicationState
from tests.activities.test_published_receipts import Key, PaperNotes
from tests.domain.receipt_lab import COMMIT, OTHER_TREE, THREAD, TREE, whole
from tests.fakes import MemoryJournal
from tests.publishing_fakes import PaperPullRequests

OTHER = "f" * 40
OF = PullRequestId(project=ForgeProject(host="github.com", owner="o", name="r"), number=7)
BODY = with_section("What was done.", "## Receipt of before")


class StatusForge(PaperPullRequests):
    """A forge that has the one pull request, and refuses statuses or edits as the test says."""

    def __init__(self) -> None:
        super().__init__()
        self.status_failures: list[TreadleError] = []
        self.edit_failures: list[TreadleError] = []
        self.changes(head_commit=COMMIT)
        self.text = BODY

    async def set_status(self, project: ForgeProject, commit: str, status: CommitStatus) -> None:
        if self.status_failures:
            raise self.status_failures.pop(0)
        await super().set_status(project, commit, status)

    async def edit(
        self, of: PullRequestId, *, body: str | None = None, base: str | None = None
    ) -> None:
        if self.edit_failures:
            raise self.edit_failures.pop(0)
        await super().edit(of, body=body, base=base)


class TreeNotes(PaperNotes):
    """A repository that has the commit of somebody's push, with a tree as the test says."""

    def __init__(self) -> None:
        super().__init__()
        self.trees: dict[str, str] = {}

    async def tree(self, repository: str, commit: str) -> str | None:
        return self.trees.get(commit)


@pytest.fixture
def forge() -> StatusForge:
    return StatusForge()


@pytest.fixture
def notes() -> TreeNotes:
    return TreeNotes()


@pytest.fixture
async def look(forge, notes):
    journal = MemoryJournal()
    at = datetime(2026, 3, 2, tzinfo=UTC)
    told = [Event(id=f"e{n}", stream=s, at=at, body=b) for n, (s, b) in enumerate(whole())]
    await journal.append(told)
    receipts = PublishedReceipts(Receipts(journal, Key(), lambda statement: statement), notes)
    watching = Watching(forge, receipts.statuses(forge))

    async def look_at_it(**more: object) -> LookAnswer:
        call = LookCall(of=OF, thread=THREAD, repository="/r", pushed=COMMIT)
        environment = ActivityEnvironment()
        return await environment.run(
            watching.look_at_pull_request, call.model_copy(update=dict(more))
        )

    return look_at_it


async def test_the_head_that_was_proven_has_a_status_and_its_section(look, forge):
    answer = await look()

    ((commit, status),) = forge.statuses
    assert (commit, status.context, status.state) == (COMMIT, RECEIPT_CONTEXT, CheckState.PASSED)
    assert status.description.startswith("Verified: ")
    assert answer.receipted == COMMIT
    assert (answer.receipt.is_verified, answer.receipt.is_void) == (True, False)
    assert TREE in forge.text
    assert "Receipt of before" not in forge.text
    assert "What was done." in forge.text


async def test_a_head_that_has_its_status_gets_none_again(look, forge):
    first = await look()
    forge.changes(title="another title")
    second = await look(receipted=first.receipted)

    assert len(forge.statuses) == 1
    assert second.receipted == COMMIT


async def test_a_push_of_another_tree_makes_it_void_on_the_forge(look, forge, notes):
    notes.trees[OTHER] = OTHER_TREE
    forge.changes(head_commit=OTHER)

    answer = await look(receipted=COMMIT)

    ((commit, status),) = forge.statuses
    assert (commit, status.state) == (OTHER, CheckState.FAILED)
    assert status.description.startswith("Void: ")
    assert "**Void since " in forge.text
    assert forge.text.count(BEGIN) == 1
    assert answer.receipted == OTHER
    assert (answer.receipt.commit, answer.receipt.is_void) == (OTHER, True)


async def test_since_when_it_is_void_stays_when_it_is_shown_again(look, forge):
    forge.changes(head_commit=OTHER)
    section = void_section_of(TREE, OTHER, "2026-03-02")
    forge.text = before = with_section("What was done.", section)
    await look()
    assert forge.text == before

    forge.changes(head_commit="d" * 40)
    await look()
    assert "2026-03-02" not in forge.text


async def test_a_commit_that_nobody_here_has_makes_it_void(look, forge):
    forge.changes(head_commit=OTHER)
    await look()

    assert forge.statuses[0][1].state is CheckState.FAILED


async def test_another_commit_with_the_same_tree_keeps_it_valid(look, forge, notes):
    notes.trees[OTHER] = TREE
    forge.changes(head_commit=OTHER)
    await look()

    assert forge.statuses[0][1].state is CheckState.PASSED


async def test_what_was_pushed_a_moment_ago_waits_for_the_journal(look, forge):
    forge.changes(head_commit=OTHER)

    answer = await look(pushed=OTHER)

    assert forge.statuses == []
    assert (answer.receipted, answer.look.tags) == ("", {})


async def test_a_busy_forge_is_asked_again_with_a_whole_look(look, forge):
    forge.status_failures = [ForgeBusyError("502")]

    first = await look()
    second = await look(tags=first.look.tags, receipted=first.receipted)

    assert (first.receipted, second.receipted) == ("", COMMIT)
    assert len(forge.statuses) == 1


async def test_a_forge_that_refuses_statuses_is_looked_at_all_the_same(look, forge):
    forge.status_failures = [ForgeAccessError("the token may not set statuses")]

    answer = await look()

    assert answer.look.view == forge.view
    assert (answer.trouble, answer.receipted) == (None, COMMIT)


@pytest.mark.parametrize("body", ["", "somebody took it out", f"{BEGIN} cut"])
async def test_a_body_without_a_whole_section_stays_as_it_is(look, forge, body):
    forge.text = body
    await look()

    assert forge.text == body
    assert len(forge.statuses) == 1


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (9_000, (True, True)),
        (MAX_FORGE_BODY - 500, (True, False)),
        (MAX_FORGE_BODY - 10, (False, False)),
    ],
)
async def test_a_long_text_of_people_stays_whole_beside_the_section(look, forge, words, shown):
    theirs = "x" * words
    forge.text = f"{theirs}\n\n{BEGIN}\n## Stale\n{END}\n"
    await look()

    assert forge.text.startswith(theirs)
    assert "Stale" not in forge.text
    assert len(forge.text) <= MAX_FORGE_BODY
    assert (TREE in forge.text, "make test" in forge.text) == shown


async def test_a_look_that_finds_the_text_as_it_is_to_be_edits_nothing(look, forge):
    await look()
    forge.text = forge.text.strip()  # as some forges keep it
    forge.edit_failures = [ForgeAccessError("nothing was to be edited")]
    await look()

    assert len(forge.edit_failures) == 1


async def test_how_it_stands_is_an_answer_even_where_the_forge_shows_nothing(look, forge, notes):
    notes.trees[OTHER] = OTHER_TREE
    forge.changes(head_commit=OTHER)
    forge.status_failures = [ForgeAccessError("the token may not set statuses")]
    forge.edit_failures = [ForgeBusyError("502")]

    answer = await look()

    assert (answer.receipt.commit, answer.receipt.is_void) == (OTHER, True)
    assert answer.receipted == ""


async def test_a_token_that_may_set_no_status_writes_the_section_all_the_same(look, forge):
    forge.status_failures = [ForgeAccessError("the token may not set statuses")]
    await look()

    assert TREE in forge.text


async def test_a_pull_request_that_has_ended_gets_nothing(look, forge):
    forge.changes(state=PullRequestState.MERGED)
    await look()

    assert (forge.statuses, forge.text) == ([], BODY)


async def test_looks_of_a_workflow_from_before_show_nothing(look, forge):
    await look(thread="")

    assert forge.statuses == []


def test_our_own_void_status_is_no_failed_check(forge):
    void = Check(id="1", name=RECEIPT_CONTEXT, state=CheckState.FAILED)
    forge.changes(checks=(void, void.model_copy(update={"name": "tests"})))

    items = list(found_in(forge.view, PublicationState()))

    assert len(items) == 1
    assert "'tests'" in items[0].subject
