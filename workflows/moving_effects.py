"""How a thread reports its move to what works for it."""

from temporalio import workflow

from domain.core.ids import task_workflow_id
from domain.threads.moving.rules import EndSpread, SpreadMove
from workflows.removals import watches_of
from workflows.signalling import reaches
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


@carries
async def _spread(effect: SpreadMove, thread: ThreadLoop) -> None:
    """Signal all sessions, the tasks at work and the watch of the pull request; those that have ended need no move."""
    state = thread.state
    at_work = (task_workflow_id(thread.input.thread_id, task) for task, _ in state.tasks.at_work())
    watches = watches_of(thread.input.thread_id, state)
    names = sorted({*(state.sessions.keys() & thread.started), *at_work, *watches})
    for name in names:
        await workflow.wait_condition(lambda name=name: name not in thread.starting)
        await reaches(name, "move_host", effect.move)
    thread.submit(EndSpread(generation=effect.move.generation))
