"""Forks, retries from a checkpoint and reviews line by line, on real workflows."""

import pytest

from domain.core.errors import InvalidError
from domain.core.ids import TaskId
from domain.tasks.running_commands import Retry
from tests.replay.going_back import CHECKPOINT, MOMENT, gone_back
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE


async def test_a_fork_and_a_retry_begin_at_their_checkpoints_and_tell_their_agents(
    house: House,
) -> None:
    thread = await gone_back(house)
    opened = house.journal.bodies(thread)[0].model_dump()
    assert (opened["forked_from"]["position"], opened["begins_at"]) == (7, MOMENT.commit)
    assert house.workspaces.bases[opened["branch"]] == MOMENT.commit

    (planner,) = house.runner.turns(thread, "planner")
    assert planner.prompt.fields["earlier"] == "It had three tasks."
    assert planner.prompt.fields["context"] == ""

    work = house.runner.turns(thread, "task")
    assert [turn.workspace.begins_with for turn in work] == [None, None, CHECKPOINT]
    assert CHECKPOINT[:12] in work[2].prompt.fields["context"]


async def test_comments_reach_the_agent_and_the_next_diff_is_since_the_review(
    house: House,
) -> None:
    thread = await gone_back(house)
    _, again, retried = house.runner.turns(thread, "task")
    assert again.prompt.fields["feedback"] == "a.py:3 (new): and expired tokens?"

    first, second = [
        body.model_dump()["snapshot"]
        for body in house.journal.bodies(f"{thread}/task-1")
        if body.kind == "gate_opened"
    ][:2]
    assert (again.reviewed, retried.reviewed) == (first["commit"], None)
    assert first["since_review_ref"] is None
    shown = house.journal.texts[second["since_review_ref"]]
    assert shown == f"diff {first['commit']}..{second['commit']}"


async def test_a_retry_from_what_is_no_commit_changes_nothing(house: House) -> None:
    house.verifier.failures["make"] = 9
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    await house.seen(thread.id, "task_settled")
    before = house.journal.kinds(thread.id)
    with pytest.raises(InvalidError, match="is no commit"):
        await house.send(thread.id, Retry(task_id=TaskId("task-1"), commit="--upload-pack=x"))
    assert house.journal.kinds(thread.id) == before
