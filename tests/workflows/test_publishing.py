"""Publishing on real workflows: pushed when somebody says so, and each step told."""

from datetime import timedelta

import pytest

from domain.core.errors import InvalidError
from domain.core.ids import CommandId
from domain.forges.errors import ForgeBusyError, ForgeError
from domain.plans.templates.template import GatePolicy, GitConventions, PlanTemplate
from domain.tasks.running_commands import Publish
from domain.threads.publishing.errors import PushError
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE


def publish(**more: object) -> Publish:
    return Publish(command_id=CommandId("publish-1"), by="ann", **more)


async def completed(house: House, *, opens: bool = False, **more: object) -> str:
    """Run a plan to its end; its template opens a pull request, or says nothing of it."""
    git = GitConventions(open_pr=opens, pr_target="develop")
    house.templates.default = PlanTemplate(name="team", git=git, gate=GatePolicy.AUTO)
    thread = await house.open("add a greeting", **more)
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    await house.seen(thread.id, "plan_completed")
    return thread.id


async def test_nothing_is_pushed_unless_somebody_says_so(house: House) -> None:
    await completed(house)

    assert house.remotes.pushes == []


async def test_a_person_publishes_and_the_pull_request_says_what_was_done(house: House) -> None:
    thread = await completed(house)

    await house.send(thread, publish())
    opened = await house.seen(thread, "pull_request_opened")

    assert opened.body.pull_request.url == "https://github.com/o/r/pull/7"
    (draft,) = house.forge.drafts
    assert (draft.title, draft.base) == ("add a greeting", "develop")
    assert "- task-1: one" in draft.body
    assert draft.head == house.remotes.pushes[0].branch


async def test_what_was_shown_is_what_is_pushed(house: House) -> None:
    thread = await completed(house)

    await house.send(thread, publish(commit="c" * 40, wants_pull_request=False))
    await house.seen(thread, "branch_published")

    assert house.remotes.pushes[0].commit == "c" * 40
    odd = publish(commit="HEAD").model_copy(update={"command_id": CommandId("publish-2")})
    with pytest.raises(InvalidError, match="whole id"):
        await house.send(thread, odd)


async def test_the_template_publishes_a_plan_that_is_done_once(house: House) -> None:
    thread = await completed(house, opens=True)

    opened = await house.seen(thread, "pull_request_opened")
    requested = await house.seen(thread, "publish_requested")

    assert opened.body.pull_request.number == 7
    assert requested.body.by == "template team"
    assert len(house.remotes.pushes) == 1


async def test_without_a_token_a_person_is_told_where_to_open_it(house: House) -> None:
    house.forge.missing = "there is no token in GITHUB_TOKEN"
    thread = await completed(house)

    await house.send(thread, publish())
    left = await house.seen(thread, "pull_request_left")

    assert left.body.reason == "there is no token in GITHUB_TOKEN"
    assert left.body.compare_url == (
        f"https://github.com/o/r/compare/develop...{house.remotes.pushes[0].branch}?expand=1"
    )


async def test_a_refused_push_is_reported_and_can_be_said_again(house: House) -> None:
    house.remotes.failure = PushError("origin has commits that are not here")
    thread = await completed(house)

    await house.send(thread, publish())
    failed = await house.seen(thread, "publish_failed")
    assert (failed.body.step, failed.body.reason) == (
        "push",
        "origin has commits that are not here",
    )

    house.remotes.failure = None
    again = publish(address="https://github.com/o/r.git", remote="fork")
    await house.send(thread, again.model_copy(update={"command_id": CommandId("publish-2")}))
    await house.seen(thread, "pull_request_opened")
    assert house.remotes.pushes[-1].remote == "fork"


async def test_a_forge_that_is_busy_is_asked_again_and_one_that_refuses_is_not(
    house: House,
) -> None:
    house.forge.failures = [
        ForgeBusyError("slow down", timedelta(milliseconds=10)),
        ForgeError("the pull request is refused: No commits between"),
    ]
    thread = await completed(house)

    await house.send(thread, publish())
    failed = await house.seen(thread, "publish_failed")

    assert failed.body.step == "pull_request"
    assert "No commits between" in failed.body.reason
    assert house.forge.failures == []


@pytest.mark.parametrize("wants", [True, False])
async def test_a_remote_that_is_on_no_forge_gets_the_branch_only(house: House, wants: bool) -> None:
    house.remotes.project = None
    thread = await completed(house)

    await house.send(thread, publish(wants_pull_request=wants))
    await house.seen(thread, "pull_request_left" if wants else "branch_published")

    assert house.forge.drafts == []
