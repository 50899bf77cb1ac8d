"""Merging a finished branch on real workflows: on its host, once, and told how it went."""

from domain.core.ids import CommandId
from domain.threads.landing.calls import LandingRefusedError
from domain.threads.landing.commands import MergeBranch
from tests.workflows.conftest import House
from tests.workflows.test_publishing import completed


def merge(name: str) -> MergeBranch:
    return MergeBranch(
        command_id=CommandId(name), commit="c" * 40, target_commit="a" * 40, by="ann"
    )


async def test_a_person_merges_what_they_saw_and_a_copy_changes_nothing(house: House) -> None:
    thread = await completed(house)

    await house.send(thread, merge("m-1"))
    merged = await house.seen(thread, "branch_merged")
    await house.send(thread, merge("m-1"))

    (call,) = house.landings.calls
    assert (call.commit, call.target_commit, call.target) == ("c" * 40, "a" * 40, "main")
    assert (merged.body.merge_commit, merged.body.failure) == ("e" * 40, "")


async def test_a_refusal_is_reported_and_it_can_be_asked_for_again(house: House) -> None:
    thread = await completed(house)
    house.landings.failure = LandingRefusedError("main has moved since you looked")

    await house.send(thread, merge("m-1"))
    refused = await house.seen(thread, "branch_merged")
    assert refused.body.failure == "main has moved since you looked"

    house.landings.failure = None
    await house.send(thread, merge("m-2"))
    assert (await house.seen(thread, "branch_merged", number=2)).body.failure == ""
