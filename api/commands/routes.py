"""What became of commands that were accepted and not answered at once."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.core.dependencies import WorkflowsDep
from api.core.pending import CommandPendingError, PendingCommand
from api.core.permissions import OF_PROJECTS, PermitsDep
from domain.core.command import MAX_NAME, Answer
from domain.core.errors import error_named
from domain.core.ids import CommandId
from domain.people.roles import Role

router = APIRouter(prefix="/commands", tags=["commands"], dependencies=[OF_PROJECTS])


@router.get("/{command_id}", responses={202: {"model": PendingCommand}})
async def get_command(
    command_id: str,
    workflow_id: Annotated[str, Query(min_length=1, max_length=MAX_NAME)],
    workflows: WorkflowsDep,
    permits: PermitsDep,
) -> Answer:
    """Return the answer to a command; 202 while no worker has taken it, a problem if it was refused.

    `workflow_id` is the thread, `THREAD/TASK`, session or flow run that it was sent to, as `Location` of the
    202 names it.
    """
    await permits.require(Role.VIEWER, workflow_id)
    outcome = await workflows.outcome(workflow_id, CommandId(command_id[:MAX_NAME]))
    if outcome.answer is not None:
        return outcome.answer
    if outcome.refusal is not None:
        raise error_named(outcome.refusal.type, outcome.refusal.message)
    raise CommandPendingError(workflow_id, CommandId(command_id))
