"""What siblings changed meanwhile is verified before the branch moves."""

from domain.core.workspaces import MergeCandidate
from tests.workflows.conftest import House

ONE = {
    "tasks": [
        {
            "id": "task-1",
            "title": "one",
            "gate": "auto",
            "verification": [{"type": "command", "label": "make", "command": "make"}],
        }
    ]
}
CANDIDATE = MergeCandidate(commit="c" * 40, tree="d" * 40)


async def started(house: House) -> str:
    house.workspaces.candidates["task-1"] = CANDIDATE
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    return thread.id


async def test_a_merged_tree_that_nobody_verified_is_verified_first(house: House) -> None:
    thread = await started(house)
    await house.seen(thread, "plan_completed")

    ended = (await house.seen(thread, "merge_step_ended")).body.model_dump()
    assert (ended["tree"], ended["result"]["passed"]) == (CANDIDATE.tree, True)
    assert house.verifier.ran == ["make", "make"]
    assert house.workspaces.merged == ["task-1"]
    kinds = house.journal.kinds(thread)
    assert kinds.index("merge_step_ended") < kinds.index("task_merged")


async def test_a_merged_tree_that_fails_is_not_merged_and_says_why(house: House) -> None:
    house.verifier.outcomes = [True, False]
    thread = await started(house)
    failed = (await house.seen(thread, "task_updated", number=2)).body.model_dump()

    assert failed["new_status"] == "failed"
    assert "make fails" in failed["notes"]
    assert house.workspaces.merged == []
    assert house.workspaces.settled[0].workspace.workspace_id in house.workspaces.released
