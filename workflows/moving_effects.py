"""How a thread reports its move to what works for it."""

from temporalio import workflow

from domain.core.ids import task_workflow_id
from domain.threads.moving.rules import EndSpread, SpreadMove
from workflows.signalling import reaches
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


@carries
async def _spread(effect: SpreadMove, thread: ThreadLoop) -> None:
    """Signal all sessions, and the tasks at work; those that have ended need no move."""
    state = thread.state
    at_work = (task_workflow_id(thread.input.thread_id, task) for task, _ in state.tasks.at_work())
    names = sorted({*(state.sessions.keys() & thread.started), *at_work})
    for name in names:
        await workflow.wait_condition(lambda name=name: name not in thread.starting)
        await reaches(name, "move_host", effect.move)
    thread.submit(EndSpread(generation=effect.move.generation))
