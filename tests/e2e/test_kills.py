"""Kill -9 of the worker, the API and the server, anywhere in the main job: a pause and no more."""

import pytest

from tests.e2e.ending import (
    INTERRUPTED,
    Ending,
    assert_nothing_left,
    assert_prompted_once,
    assert_whole,
    ending,
)
from tests.e2e.engine import Engine
from tests.e2e.job import Job

pytestmark = pytest.mark.e2e


async def assert_same(job: Job, undisturbed: Ending, *, again: str | None = None) -> None:
    """Assert that a job ended as undisturbed; `again` is the step that was cut off and ran twice."""
    ended = await ending(job)
    if again is not None:
        ended.steps[again] -= 1
    assert ended == undisturbed
    await assert_whole(job)
    assert_prompted_once(job)
    await assert_nothing_left(job)


@pytest.mark.smoke
async def test_the_undisturbed_job_ends_with_what_was_asked_for(undisturbed: Ending):
    assert undisturbed.plan == "completed"
    assert undisturbed.commits == {"left": ("1.1",), "right": ("1.1", "1.2"), "both": ("1.1",)}
    assert undisturbed.merges == ("both/run-1", "left/run-1", "right/run-1")
    assert {"left.txt", "right.txt", "both.txt"} < {f.split("\t")[1] for f in undisturbed.files}
    assert undisturbed.steps["right.verify"] == 2
    assert {count for step, count in undisturbed.steps.items() if step != "right.verify"} == {1}


@pytest.mark.smoke
async def test_a_worker_killed_during_a_turn(job: Job, engine: Engine, undisturbed: Ending):
    job.stage.hold("left.task.working")
    await job.begin()
    await job.seen("task_merged")
    await job.stage.reached("left.task.working")
    await engine.kill_worker()
    job.stage.release("left.task.working")
    await engine.repair()
    await job.finish()
    told = (await job.seen("prompt_sent", "left/session-1", number=2)).text
    assert told.startswith(INTERRUPTED)
    await assert_same(job, undisturbed)


async def test_a_worker_killed_at_the_gate(job: Job, engine: Engine, undisturbed: Ending):
    await job.begin()
    gate = await job.to_the_gate()
    engine.kill("worker")
    await engine.repair()
    await job.approve(gate)
    await job.seen("plan_completed")
    await assert_same(job, undisturbed)


async def test_a_worker_killed_between_the_end_of_a_turn_and_its_result(
    job: Job, engine: Engine, undisturbed: Ending
):
    job.stage.hold("left.task.reported")
    await job.begin()
    await job.seen("task_merged")
    await job.stage.reached("left.task.reported")
    engine.kill("temporal")  # so that the result cannot be told
    job.stage.release("left.task.reported")
    await job.seen("turn_ended", "left/session-1")
    engine.kill("worker")
    await engine.repair()
    await job.finish()
    await assert_same(job, undisturbed)


async def test_a_worker_killed_during_a_verification_step(
    job: Job, engine: Engine, undisturbed: Ending
):
    job.stage.hold("left.verifying")
    await job.begin()
    await job.seen("task_merged")
    await job.stage.reached("left.verifying")
    await engine.kill_worker()
    job.stage.release("left.verifying")
    await engine.repair()
    await job.finish()
    await assert_same(job, undisturbed, again="left.verify")


@pytest.mark.parametrize("moment", ["before_merge", "after_merge"])
async def test_a_worker_killed_during_a_merge(
    job: Job, engine: Engine, undisturbed: Ending, moment: str
):
    await job.begin()
    gate = await job.to_the_gate()
    engine.stage.hold(moment)
    await job.approve(gate)
    await engine.stage.reached(moment)
    engine.kill("worker")
    engine.stage.release(moment)
    await engine.repair()
    await job.seen("plan_completed")
    await assert_same(job, undisturbed)


async def test_a_stream_goes_on_where_a_killed_api_cut_it_off(
    job: Job, engine: Engine, undisturbed: Ending
):
    job.stage.hold("left.task.working")
    await job.begin()
    await job.stage.reached("left.task.working")
    engine.kill("api")
    job.stage.release("left.task.working")
    await engine.repair()
    await job.to_the_gate()
    await job.finish()
    await assert_same(job, undisturbed)


async def test_a_server_killed_during_a_turn(job: Job, engine: Engine, undisturbed: Ending):
    job.stage.hold("left.task.working")
    await job.begin()
    await job.seen("task_merged")
    await job.stage.reached("left.task.working")
    engine.kill("temporal")
    await engine.repair()
    job.stage.release("left.task.working")
    await job.finish()
    await assert_same(job, undisturbed)


async def test_a_server_killed_at_the_gate(job: Job, engine: Engine, undisturbed: Ending):
    await job.begin()
    gate = await job.to_the_gate()
    engine.kill("temporal")
    await engine.repair()
    await job.approve(gate)
    await job.seen("plan_completed")
    await assert_same(job, undisturbed)


async def test_everything_killed_at_once_during_two_turns(
    job: Job, engine: Engine, undisturbed: Ending
):
    job.stage.hold("left.task.working", "right.task.working")
    await job.begin()
    await job.stage.reached("left.task.working")
    await job.stage.reached("right.task.working")
    engine.kill("worker", "temporal", "api")
    await engine.emptied()
    job.stage.release("left.task.working", "right.task.working")
    await engine.repair()
    await job.to_the_gate()
    await job.finish()
    await assert_same(job, undisturbed)
