"""A pull request on real workflows: watched until it ends, over failures of the forge."""

import pytest

from domain.core.errors import NotShownError
from domain.core.ids import CommandId, ThreadId, publication_id
from domain.forges.errors import ForgeAccessError, ForgeBusyError
from domain.forges.hints import ForgeHint
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import Check, CheckState, PullRequestState
from domain.publications.commands import (
    DismissPullRequestItem,
    LookAtPullRequest,
    MergePullRequest,
    UnwatchPullRequest,
    WatchPullRequest,
)
from domain.threads import patches
from tests.workflows.conftest import House
from tests.workflows.test_publishing import completed, publish

HEAD = "c" * 40
FAILED = Check(id="1", name="tests", state=CheckState.FAILED)


async def watched(house: House) -> tuple[str, str]:
    """Return a thread whose pull request was looked at, and the pull request's workflow."""
    thread = await completed(house, patches=patches.ALL)
    await house.send(thread, publish())
    await house.seen(thread, "pull_request_opened")
    watch = publication_id(ThreadId(thread), 7)
    await house.seen(watch, "pull_request_seen")
    return thread, watch


def look(number: int) -> LookAtPullRequest:
    return LookAtPullRequest(command_id=CommandId(f"look-{number}"), by="ann")


async def test_a_failed_check_is_asked_and_can_be_dismissed(house: House) -> None:
    _, watch = await watched(house)

    house.forge.changes(checks=(FAILED,))
    await house.send(watch, look(1))
    opened = await house.seen(watch, "pull_request_item_opened")
    dismiss = DismissPullRequestItem(
        command_id=CommandId("dismiss-1"), by="ann", item_id=opened.body.item.item_id
    )
    await house.send(watch, dismiss)
    closed = await house.seen(watch, "pull_request_item_closed")

    assert (closed.body.outcome, closed.body.by) == ("dismissed", "ann")


async def test_a_hint_is_worth_a_look_if_it_concerns_the_pull_request(house: House) -> None:
    _, watch = await watched(house)
    project = ForgeProject(host="github.com", owner="o", name="r")
    handle = house.client.get_workflow_handle(watch)

    await handle.signal("look", ForgeHint(hint_id="1", project=project, pull_request=8))
    house.forge.changes(state=PullRequestState.MERGED, merge_commit="e" * 40)
    await handle.signal("look", ForgeHint(hint_id="2", project=project, pull_request=7))

    ended = await house.seen(watch, "pull_request_ended")
    assert ended.body.merge_commit == "e" * 40


async def test_what_was_merged_on_the_forge_is_known_to_the_thread(house: House) -> None:
    thread, watch = await watched(house)

    house.forge.changes(state=PullRequestState.MERGED, merge_commit="e" * 40)
    await house.send(watch, look(1))
    finished = await house.seen(thread, "pull_request_finished")

    body = finished.body
    assert (body.is_merged, body.merge_commit, body.head_commit) == (True, "e" * 40, HEAD)


async def test_a_merge_whose_answer_is_lost_is_made_once(house: House) -> None:
    thread, watch = await watched(house)
    merge = MergePullRequest(command_id=CommandId("merge-1"), by="ann", commit="d" * 40)
    with pytest.raises(NotShownError):
        await house.send(watch, merge)

    house.forge.merge_failures = [ForgeBusyError("502")]
    shown = merge.model_copy(update={"commit": HEAD, "command_id": CommandId("merge-2")})
    await house.send(watch, shown)
    await house.seen(thread, "pull_request_finished")
    await house.client.get_workflow_handle(watch).result()

    assert [request.commit for request in house.forge.merged] == [HEAD]


async def test_a_refused_token_is_one_card_that_goes_away(house: House) -> None:
    _, watch = await watched(house)

    house.forge.look_failures = [ForgeAccessError("the token has expired")]
    await house.send(watch, look(1))
    opened = await house.seen(watch, "pull_request_item_opened")
    assert opened.body.item.kind == "access"

    await house.send(watch, look(2))
    closed = await house.seen(watch, "pull_request_item_closed")
    assert closed.body.outcome == "settled"


async def test_nobody_looks_while_it_is_not_watched(house: House) -> None:
    _, watch = await watched(house)

    await house.send(watch, UnwatchPullRequest(command_id=CommandId("unwatch"), by="ann"))
    await house.seen(watch, "pull_request_unwatched")
    before = house.forge.looks
    house.forge.changes(checks=(FAILED,))
    await house.send(watch, WatchPullRequest(command_id=CommandId("watch"), by="ann"))
    await house.seen(watch, "pull_request_item_opened")

    assert house.forge.looks == before + 1
