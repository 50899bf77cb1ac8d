"""How a thread gives the directory that its chats share to one turn after the other."""

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from domain.conversations.sessions.inputs import Grant
from domain.core.directories.commands import FreeDirectory
from domain.threads.sharing.rules import GrantDirectory
from workflows.signalling import send_signal
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


@carries
async def _grant(effect: GrantDirectory, thread: ThreadLoop) -> None:
    """Tell the session; one that has ended needs the directory no more."""
    grant = Grant(turn_id=effect.turn_id, number=effect.number)
    try:
        await send_signal(effect.session_id, "grant_directory", grant)
    except ApplicationError:
        thread.submit(FreeDirectory(turn_id=effect.turn_id))
    await workflow.wait_condition(
        lambda: all(turn.number != effect.number for turn in thread.state.directory.turns)
    )
