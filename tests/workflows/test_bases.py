"""The base on real workflows: looked at before tasks come in and before a push, and when somebody asks."""

import pytest

from domain.conversations.commands import MergeSession
from domain.core.errors import WrongStateError
from domain.core.ids import CommandId, SessionId, ThreadId, publication_id
from domain.core.workspaces import MergeResult
from domain.forges.pull_requests import Mergeability
from domain.plans.templates.template import (
    BasePolicy,
    BaseUpdate,
    GatePolicy,
    GitConventions,
    PlanTemplate,
)
from domain.publications.commands import LookAtPullRequest
from domain.tasks.running_commands import Publish
from domain.threads import patches
from domain.threads.bases.commands import BaseMethod, UpdateBase
from domain.threads.planning.commands import RequestPlan
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

USUAL = BasePolicy()
REMOTES = {"origin": "https://git.example/o/r.git"}


async def completed(
    house: House,
    base: BasePolicy = USUAL,
    *,
    opens: bool = False,
    remotes: dict[str, str] = REMOTES,
) -> str:
    """Run a plan to its end in a repository with a remote, or without any."""
    house.workspaces.remotes = remotes
    git = GitConventions(open_pr=opens, pr_target="main", base=base)
    house.templates.default = PlanTemplate(name="team", git=git, gate=GatePolicy.AUTO)
    thread = await house.open("add a greeting", patches=patches.ALL)
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    await house.seen(thread.id, "plan_completed")
    return thread.id


def moved(house: House, behind: int = 2) -> None:
    house.bases.found = house.bases.found.model_copy(update={"behind": behind})


async def test_the_base_is_looked_at_when_a_thread_is_opened_and_before_a_task_comes_in(
    house: House,
) -> None:
    await completed(house)

    assert [query.base for query in house.bases.looked] == ["main", "main"]
    assert house.bases.updates == []


async def test_a_later_plan_begins_once_the_base_was_looked_at_again(house: House) -> None:
    thread = await completed(house)
    moved(house)

    await house.send(thread, RequestPlan(command_id=CommandId("again"), goal="and a farewell"))
    checked = await house.seen(thread, "base_checked", number=2)

    assert checked.body.due.startswith("plan-")
    assert checked.body.commit == "d" * 40


async def test_a_chat_s_changes_come_in_after_the_base(house: House) -> None:
    house.workspaces.remotes = REMOTES
    house.templates.default = PlanTemplate(name="team", git=GitConventions(pr_target="main"))
    thread = (await house.open(is_planned=False, patches=patches.ALL)).id
    session = SessionId(f"{thread}/session-1")
    await house.seen(session, "turn_ended")
    moved(house)
    house.lifecycle.kept = MergeResult(commit="c" * 40)

    await house.send(thread, MergeSession(command_id=CommandId("m"), session_id=session))
    await house.seen(thread, "session_merge_ended")

    kinds = [event.body.kind for event in house.journal.events]
    assert kinds.index("base_checked") < kinds.index("session_merge_ended")
    assert len(house.bases.updates) == 1


async def test_a_thread_without_remote_looks_at_nothing(house: House) -> None:
    thread = await completed(house, remotes={})

    assert house.bases.looked == []
    with pytest.raises(WrongStateError, match="no remote"):
        await house.send(thread, UpdateBase(command_id=CommandId("u")))


async def test_a_policy_of_no_fetch_asks_the_remote_only_when_a_person_does(house: House) -> None:
    thread = await completed(house, BasePolicy(fetch=False))
    assert house.bases.looked == []

    await house.send(thread, UpdateBase(command_id=CommandId("u"), by="ann"))
    checked = await house.seen(thread, "base_checked")

    assert checked.body.due == "asked-1"


async def test_what_a_person_publishes_is_asked_again_when_the_base_moved(house: House) -> None:
    thread = await completed(house)
    moved(house)

    await house.send(
        thread, Publish(command_id=CommandId("p"), commit="c" * 40, wants_pull_request=False)
    )
    failed = await house.seen(thread, "publish_failed")

    assert "main has moved by 2 commits since it was shown" in failed.body.reason
    assert house.remotes.pushes == []


async def test_what_a_template_publishes_goes_on_with_the_base_in_it(house: House) -> None:
    moved(house)

    await completed(house, opens=True)
    pushed = await house.seen(house.bases.updates[0].thread_id, "branch_published")

    assert pushed is not None
    assert len(house.bases.updates) == 1
    assert len(house.remotes.pushes) == 1


async def test_a_conflict_is_a_card_and_nothing_is_pushed(house: House) -> None:
    thread = await completed(house)
    moved(house)
    house.bases.answers = [MergeResult(conflicts=("app.py",), tip="0" * 40, versions="v")]

    await house.send(thread, Publish(command_id=CommandId("p"), wants_pull_request=False))
    found = await house.seen(thread, "conflict_found")
    failed = await house.seen(thread, "publish_failed")

    assert found.body.conflict.called == "base"
    assert "conflicts with" in failed.body.reason
    assert house.remotes.pushes == []


async def test_a_person_chooses_the_method_once(house: House) -> None:
    thread = await completed(house, BasePolicy(fetch=False, update=BaseUpdate.OFF))
    moved(house)
    asked = UpdateBase(command_id=CommandId("u"), method=BaseMethod.REBASE, by="ann")

    await house.send(thread, asked)
    checked = await house.seen(thread, "base_checked")

    assert checked.body.commit == "d" * 40
    assert [call.update for call in house.bases.updates] == [BaseUpdate.REBASE]


async def wanted_by_the_forge(
    house: House, base: BasePolicy, *, commit: str = "", **found: object
) -> tuple[str, str]:
    """Have the forge say that the pull request of a thread is behind; returns the thread and its watch."""
    thread = await completed(house, base)
    await house.send(thread, Publish(command_id=CommandId("p"), commit=commit))
    await house.seen(thread, "pull_request_opened")
    watch = publication_id(ThreadId(thread), 7)
    await house.seen(watch, "pull_request_seen")
    house.bases.found = house.bases.found.model_copy(update={"behind": 2, **found})
    house.forge.changes(mergeability=Mergeability.BEHIND, base_commit="b" * 40)
    await house.send(watch, LookAtPullRequest(command_id=CommandId("look"), by="ann"))
    return thread, watch


async def test_what_the_forge_wants_is_taken_in_and_pushed_once(house: House) -> None:
    thread, watch = await wanted_by_the_forge(house, USUAL, tip="c" * 40)

    asked = await house.seen(watch, "pull_request_base_asked")
    published = await house.seen(thread, "branch_published", number=2)

    assert asked.body.is_reached
    assert published is not None
    assert [call.is_asked for call in house.bases.updates] == [False]
    assert [push.commit for push in house.remotes.pushes] == ["", "d" * 40]


async def test_a_person_who_confirmed_what_was_published_is_asked_again(house: House) -> None:
    thread, watch = await wanted_by_the_forge(house, USUAL, commit="c" * 40, tip="c" * 40)

    checked = await house.seen(thread, "base_checked", number=3)
    card = await house.seen(watch, "pull_request_item_opened")

    assert (checked.body.due, checked.body.commit) == ("forge-1", "d" * 40)
    assert "confirmed another commit" in card.body.item.advice
    assert len(house.remotes.pushes) == 1


async def test_work_that_nobody_published_is_not_pushed_with_the_base(house: House) -> None:
    thread, _ = await wanted_by_the_forge(house, USUAL, tip="e" * 40)

    checked = await house.seen(thread, "base_checked", number=3)

    assert (checked.body.due, checked.body.commit) == ("forge-1", "d" * 40)
    assert len(house.remotes.pushes) == 1


async def test_a_policy_that_is_off_leaves_it_to_a_person(house: House) -> None:
    thread, watch = await wanted_by_the_forge(house, BasePolicy(update=BaseUpdate.OFF))

    opened = await house.seen(watch, "pull_request_item_opened")

    assert opened.body.item.kind == "behind"
    assert house.bases.updates == []
    assert thread
