"""A stack of pull requests on real workflows: opened in order, moved as the lower ones are merged, and never by force."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from temporalio.testing import WorkflowEnvironment

from domain.core.errors import WrongStateError
from domain.core.event import Event
from domain.core.ids import CommandId, ThreadId, publication_id
from domain.forges.errors import ForgeBusyError
from domain.forges.policy import PublishAs
from domain.forges.pull_requests import (
    Look,
    MergeAnswer,
    MergeRequest,
    PullRequest,
    PullRequestDraft,
    PullRequestId,
    PullRequestState,
    PullRequestView,
)
from domain.plans.templates.template import GatePolicy, GitConventions, PlanTemplate
from domain.publications.commands import LookAtPullRequest, MergePullRequest
from domain.tasks.running_commands import Publish
from domain.threads import patches
from tests.publishing_fakes import PaperPullRequests
from tests.workflows.conftest import House, housed

THREE: dict[str, object] = {
    "tasks": [
        {"id": "one", "title": "First"},
        {"id": "two", "title": "Second", "depends_on": ["one"]},
        {"id": "three", "title": "Third", "depends_on": ["two"]},
    ]
}


class PaperStackForge(PaperPullRequests):
    """A forge with several pull requests; what each is at is what was pushed to its branch."""

    def __init__(self) -> None:
        super().__init__()
        self.remote: dict[str, str] = {}
        self.views: dict[int, PullRequestView] = {}
        self.edits: list[tuple[int, str | None]] = []
        self.bodies: dict[int, str] = {}

    async def open_pull_request(self, draft: PullRequestDraft) -> PullRequest:
        is_busy = bool(self.failures)
        number = next((n for n, v in self.views.items() if self._is(v, draft)), 0)
        if not number:
            number = len(self.views) + 1
            self.views[number] = self.view.model_copy(
                update={"number": number, "head": draft.head, "base": draft.base}
            )
            self.drafts.append(draft)
            self.bodies[number] = draft.body
        if is_busy:  # after it was done: the answer is lost
            raise self.failures.pop(0)
        return PullRequest(number=number, url=f"https://github.com/o/r/pull/{number}")

    def _is(self, view: PullRequestView, draft: PullRequestDraft) -> bool:
        return view.head == draft.head and view.state is PullRequestState.OPEN

    async def edit(
        self, of: PullRequestId, *, body: str | None = None, base: str | None = None
    ) -> None:
        self.edits.append((of.number, base))
        self.bodies[of.number] = body or ""
        update = {"base": base or self.views[of.number].base}
        self.views[of.number] = self.views[of.number].model_copy(update=update)

    def at(self, number: int) -> PullRequestView:
        """Return a pull request as it is."""
        view = self.views[number]
        return view.model_copy(update={"head_commit": self.remote.get(view.head, "")})

    def end(self, number: int, state: PullRequestState, merge_commit: str = "") -> None:
        """Have somebody merge or close it on the forge."""
        more = {"state": state, "merge_commit": merge_commit}
        self.views[number] = self.at(number).model_copy(update=more)

    async def look(self, of: PullRequestId, tags: dict[str, str]) -> Look:
        self.looks += 1
        view = self.at(of.number)
        tag = view.model_dump_json()
        return Look(view=None if tags.get("view") == tag else view, tags={"view": tag})

    async def merge(self, request: MergeRequest) -> MergeAnswer:
        self.merged.append(request)
        number = request.of.number
        self.end(number, PullRequestState.MERGED, f"{number}" * 40)
        return MergeAnswer(is_merged=True, merge_commit=f"{number}" * 40)


@pytest.fixture
async def house(server: WorkflowEnvironment, tmp_path: Path) -> AsyncIterator[House]:
    forge = PaperStackForge()
    async with housed(server.client, tmp_path, forge=forge) as house:
        forge.remote = house.stacks.remote
        yield house


def forge_of(house: House) -> PaperStackForge:
    assert isinstance(house.forge, PaperStackForge)
    return house.forge


def look(name: str) -> LookAtPullRequest:
    return LookAtPullRequest(command_id=CommandId(f"look-{name}"), by="ann")


async def published(house: House, *, chosen: PublishAs | None = None) -> str:
    """Return a thread whose three tasks are pull requests that are watched."""
    publish = PublishAs.THREAD if chosen else PublishAs.TASKS
    git = GitConventions.model_validate(
        {"publish": publish, "pr_target": "develop", "delete_branch": True}
    )
    house.templates.default = PlanTemplate(name="team", git=git, gate=GatePolicy.AUTO)
    thread = await house.open("add greetings", patches=patches.ALL)
    await house.approve(thread.id, await house.proposed(thread.id, THREE))
    await house.seen(thread.id, "plan_completed")
    house.stacks.head = commits(house)[-1]
    command = Publish(command_id=CommandId("publish-1"), by="ann", publish_as=chosen)
    await house.send(thread.id, command)
    await house.seen(thread.id, "layer_noted", number=3)
    return thread.id


def watch(thread: str, number: int) -> str:
    return publication_id(ThreadId(thread), number)


async def merged(house: House, thread: str, number: int) -> Event:
    """Have somebody merge a pull request on the forge."""
    forge_of(house).end(number, PullRequestState.MERGED, f"{number}" * 40)
    await house.send(watch(thread, number), look(str(number)))
    return await house.seen(thread, "pull_request_finished", number=number)


def commits(house: House) -> list[str]:
    """Return what the tasks were merged as, in order."""
    return [e.body.commit for e in house.journal.events if e.body.kind == "task_merged"]


async def rested(house: House, thread: str, *, notes: int) -> None:
    """Wait until watches were told so often where their pull requests stand."""
    await house.seen(thread, "layer_noted", number=notes)


async def test_each_task_is_a_pull_request_on_the_one_before(house: House) -> None:
    forge = forge_of(house)
    thread = await published(house)

    first, second, third = forge.drafts
    assert [first.base, second.base, third.base] == ["develop", first.head, second.head]
    assert [draft.title for draft in forge.drafts] == ["First", "Second", "Third"]
    assert [commit for _, commit in house.stacks.pushes] == commits(house)
    assert house.remotes.pushes == []
    for number, body in forge.bodies.items():
        assert "## Evidence" in body
        assert all(f"pull/{each}" in body for each in (1, 2, 3))
        assert body.count("(this one)") == 1, number
    await house.seen(watch(thread, 2), "pull_request_seen")
    merge = MergePullRequest(command_id=CommandId("m"), by="ann", commit=forge.at(2).head_commit)
    with pytest.raises(WrongStateError, match="merge the pull request below it first"):
        await house.send(watch(thread, 2), merge)


async def test_what_is_above_follows_as_the_lower_ones_are_merged(house: House) -> None:
    forge = forge_of(house)
    thread = await published(house, chosen=PublishAs.TASKS)
    one, two, three = commits(house)

    await merged(house, thread, 1)
    await rested(house, thread, notes=5)
    assert forge.views[2].base == "develop"
    assert [(r.since, r.commit, r.onto) for r in house.stacks.replays] == [
        (one, two, ""),
        (two, three, house.stacks.pushes[3][1]),
    ]
    await house.seen(thread, "layer_removed")

    house.stacks.has = {house.stacks.remote[forge.views[2].head]}
    house.forge.failures = []
    await merged(house, thread, 2)
    await house.seen(thread, "layer_removed", number=2)
    assert forge.views[3].base == "develop"
    assert (
        len(house.stacks.pushes) == 5
    )  # the third was there already: its pull request was retargeted only

    await merged(house, thread, 3)
    await house.seen(thread, "layer_removed", number=3)
    heads = [draft.head for draft in forge.drafts]
    assert [branch for branch, _ in forge.deleted] == heads
    assert len(forge.drafts) == 3


async def test_a_conflict_is_one_card_and_nothing_above_moves(house: House) -> None:
    thread = await published(house)
    house.stacks.conflicts = "its commits conflict with develop, in app.py"

    await merged(house, thread, 1)
    opened = await house.seen(watch(thread, 2), "pull_request_item_opened")
    await rested(house, thread, notes=4)

    assert opened.body.item.kind == "stacked"
    assert "app.py" in opened.body.item.text
    assert len(house.stacks.replays) == 1
    assert len(house.stacks.pushes) == 3
    assert forge_of(house).deleted == []

    house.stacks.conflicts = ""
    again = Publish(command_id=CommandId("publish-2"), by="ann")
    await house.send(thread, again)
    closed = await house.seen(watch(thread, 2), "pull_request_item_closed")
    await rested(house, thread, notes=6)
    assert closed.body.outcome == "settled"
    assert forge_of(house).views[2].base == "develop"


async def test_what_somebody_else_pushed_stays(house: House) -> None:
    thread = await published(house)
    head = forge_of(house).views[2].head
    house.stacks.remote[head] = "f" * 40

    await merged(house, thread, 1)
    stopped = await house.seen(thread, "layer_stopped")

    assert "not pushed from here" in stopped.body.reason
    assert house.stacks.remote[head] == "f" * 40


async def test_closing_one_by_hand_is_one_card_and_moves_nothing(house: House) -> None:
    thread = await published(house)

    forge_of(house).end(1, PullRequestState.CLOSED)
    await house.send(watch(thread, 1), look("1"))
    opened = await house.seen(watch(thread, 1), "pull_request_item_opened")
    await house.seen(thread, "pull_request_finished")

    assert opened.body.item.kind == "closed"
    assert house.stacks.replays == []
    items = [e for e in house.journal.events if e.body.kind == "pull_request_item_opened"]
    assert len(items) == 1


async def test_an_answer_that_is_lost_opens_nothing_twice(house: House) -> None:
    house.forge.failures = [ForgeBusyError("502"), ForgeBusyError("502")]

    await published(house)

    assert len(forge_of(house).drafts) == 3
    assert len(house.stacks.pushes) == 3
