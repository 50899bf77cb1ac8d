"""Runs of threads that went on in another one by our own bound, to be recorded."""

from collections.abc import Generator
from contextlib import contextmanager

from temporalio.client import WorkflowHistory

from tests.workflows.conftest import House
from tests.workflows.test_continue_as_new import flood
from tests.workflows.test_main_job import THREE
from workflows import options

SHORT = 40


@contextmanager
def short_runs() -> Generator[None]:
    """Let runs end after forty events, of before and after the bound became shorter."""
    usual = options.HISTORY_EVENTS, options.EARLIER_HISTORY_EVENTS
    options.HISTORY_EVENTS = options.EARLIER_HISTORY_EVENTS = SHORT
    try:
        yield
    finally:
        options.HISTORY_EVENTS, options.EARLIER_HISTORY_EVENTS = usual


async def shortened_thread(house: House) -> WorkflowHistory:
    """A plan of three tasks whose thread is renewed on the way; its first run's history."""
    with short_runs():
        thread = await house.open()
        await house.approve(thread.id, await house.proposed(thread.id, THREE))
        for task in ("task-1", "task-2", "task-3"):
            gate = await house.seen(f"{thread.id}/{task}", "gate_opened")
            await house.approve(f"{thread.id}/{task}", gate)
        await house.seen(thread.id, "plan_completed")
    first = house.client.get_workflow_handle(thread.id, run_id=thread.first_execution_run_id)
    return await first.fetch_history()


async def flooded_thread(house: House) -> WorkflowHistory:
    """The first run of a thread for which an event waits at every moment."""
    with short_runs():
        thread = await house.open()
        await house.proposed(thread.id, THREE)
        await flood(house, thread.id)
    first = house.client.get_workflow_handle(thread.id, run_id=thread.first_execution_run_id)
    return await first.fetch_history()
