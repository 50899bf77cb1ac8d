"""The Python client alone, against the real engine: a thread from its goal to its merge, and over a killed API."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.e2e.engine import Engine
from tests.e2e.job import GOAL, Job
from treadle_client import AsyncTreadle, Treadle, errors, models, problems, until
from treadle_client.addresses import Address

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]
SECONDS = 60.0


def address(engine: Engine) -> Address:
    return Address(engine.settings.api_url, data_dir=engine.settings.data_dir)


@pytest.fixture
async def treadle(engine: Engine) -> AsyncIterator[AsyncTreadle]:
    async with AsyncTreadle(address(engine)) as client:
        yield client


@pytest.fixture
def waiting(engine: Engine) -> Iterator[Treadle]:
    with Treadle(address(engine)) as client:
        yield client


async def opened(treadle: AsyncTreadle, job: Job) -> str:
    """Open the job's thread, whose agent takes no turns of its own."""
    body = models.ThreadBody(
        repository=str(job.repository),
        goal=GOAL,
        agent="scripted",
        is_planned=True,
        planner=models.PlannerOverrides(own_turns=0),
    )
    return (await treadle.threads.open(body)).thread_id


def has_gate(view: models.ThreadView) -> bool:
    return any(task.request for task in view.tasks)


async def planned(treadle: AsyncTreadle, job: Job) -> str:
    """Open the thread and approve its plan."""
    thread = await opened(treadle, job)
    view = await treadle.wait_for(thread, until.planned, timeout=SECONDS)
    await treadle.approve(thread, view.requests[0].request, is_acknowledged=True)
    return thread


async def to_the_end(treadle: AsyncTreadle, thread: str) -> models.ThreadView:
    """Approve the gate of `left`, and wait for the end."""
    view = await treadle.wait_for(thread, has_gate, timeout=SECONDS)
    request = next(task.request for task in view.tasks if task.request)
    await treadle.approve(thread, request, is_acknowledged=True)
    return await treadle.wait_for(thread, until.ended, timeout=SECONDS)


@pytest.mark.smoke
async def test_a_whole_thread_by_the_client_alone(treadle: AsyncTreadle, job: Job):
    thread = await opened(treadle, job)
    view = await treadle.wait_for(thread, until.planned, timeout=SECONDS)
    request = view.requests[0].request
    assert request.subject is models.Subject.PLAN

    other = request.model_copy(update={"content_hash": "0" * 64})
    with pytest.raises(problems.NotWhatWasShown) as refused:
        await treadle.approve(thread, other, is_acknowledged=True)
    assert refused.value.type == "not_what_was_shown"

    plan = (await treadle.plans.list(thread))[0].proposed.plan
    assert [task.id for task in plan.tasks] == ["left", "right", "both"]
    await treadle.approve(thread, request, is_acknowledged=True)

    view = await treadle.wait_for(thread, has_gate, timeout=SECONDS)
    assert "+left" in await treadle.tasks.diff(thread, "left")
    left = next(task.request for task in view.tasks if task.request)
    await treadle.reject(thread, left, "Write it as I wish")
    await treadle.wait_for(
        thread, lambda view: has_gate(view) and left != _left(view), timeout=SECONDS
    )
    view = await to_the_end(treadle, thread)

    assert view.status == "completed"
    assert {task.status for task in view.tasks} == {models.TaskStatus.COMPLETED}
    assert view.tasks[0].feedback == "Write it as I wish"


def _left(view: models.ThreadView) -> models.ApprovalRequest | None:
    return next(task.request for task in view.tasks if task.task_id == "left")


async def test_events_come_once_each_over_a_killed_api(
    engine: Engine, treadle: AsyncTreadle, job: Job
):
    job.stage.hold("left.task.working", "both.task.working")
    thread = await planned(treadle, job)
    got: list[models.JournaledEvent] = []

    async def follow() -> None:
        async for event in treadle.events.follow(thread):
            got.append(event)
            if isinstance(event.event.body, models.PlanCompleted):
                return

    following = asyncio.create_task(follow())
    for place in ("left.task.working", "both.task.working"):
        await job.stage.reached(place)
        engine.kill("api")
        job.stage.release(place)
        await engine.start("api")
        if place.startswith("left"):
            view = await treadle.wait_for(thread, has_gate, timeout=SECONDS)
            await treadle.approve(
                thread, _left(view) or view.requests[0].request, is_acknowledged=True
            )
    async with asyncio.timeout(SECONDS):
        await following

    kept = await treadle.events.list(thread, limit=1000)
    until_end = [event.position for event in kept.events if event.position <= got[-1].position]
    assert [event.position for event in got] == until_end
    kinds = {type(event.event.body) for event in got}
    assert {models.TaskMerged, models.GateOpened, models.TurnEnded} <= kinds


# httpcore leaves the socket of a refused connection to the garbage collector
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_a_caller_that_waits_goes_on_over_a_killed_api(engine: Engine, waiting: Treadle):
    opened = waiting.threads.demo()
    stream = waiting.events.follow(opened.thread_id)
    first = await asyncio.to_thread(next, stream)
    assert isinstance(first.event.body, models.ThreadOpened)

    engine.kill("api")
    asked = asyncio.create_task(asyncio.to_thread(waiting.threads.get, opened.thread_id))
    await engine.start("api")
    assert (await asked).thread_id == opened.thread_id
    view = await asyncio.to_thread(
        waiting.wait_for, opened.thread_id, until.planned, timeout=SECONDS
    )
    assert view.requests
    second = await asyncio.to_thread(next, stream)
    assert second.position > first.position
    waiting.threads.cancel(opened.thread_id)


async def test_errors_say_what_is_wrong(engine: Engine, treadle: AsyncTreadle):
    with pytest.raises(errors.NotFoundError):
        await treadle.threads.get("thread-nothing-000000")
    with pytest.raises(errors.InvalidError) as caught:
        await treadle.threads.open(models.ThreadBody(repository="/x", goal="", agent="scripted"))
    assert caught.value.field == "goal"
    stranger = AsyncTreadle(Address(engine.settings.api_url, token="wrong"))
    with pytest.raises(errors.UnauthorizedError):
        await stranger.threads.list()
    await stranger.close()


async def test_what_does_not_come_true_is_waited_for_no_longer_than_asked(treadle: AsyncTreadle):
    opened = await treadle.threads.demo()
    with pytest.raises(errors.WaitTimeoutError, match=r"after 0\.2 s"):
        await treadle.wait_for(opened.thread_id, until.ended, timeout=0.2)
    await treadle.threads.cancel(opened.thread_id)


async def test_where_nothing_runs_the_first_request_fails_at_once(tmp_path):
    nowhere = AsyncTreadle(Address("http://127.0.0.1:9", data_dir=tmp_path))
    with pytest.raises(errors.UnreachableError, match="treadle up"):
        await nowhere.threads.list()
    await nowhere.close()
