"""Deleting threads and flow runs."""

from typing import Any

from pydantic import BaseModel

from adapters.readings.projections import Cached
from api.core.bodies import DeletionBody
from api.core.commands import CommandSender
from api.core.workflow_client import WorkflowClient
from domain.core.lifecycle.commands import DeleteThread


class Deletion(BaseModel):
    """The progress of a deletion; if `is_over` is false, it continues in the background."""

    message: str
    is_over: bool


async def delete_workflow(
    workflow_id: str,
    body: DeletionBody,
    commands: CommandSender,
    workflows: WorkflowClient,
    folds: Cached[Any],
) -> Deletion:
    """Ask a workflow to delete itself, and wait a while for its end."""
    answer = await commands.send(workflow_id, DeleteThread, body)
    is_over = answer.data.get("is_over", False)  # of one that had no workflow any more
    ending = answer.message if is_over else await workflows.await_end(workflow_id)
    if ending is not None:
        folds.forget(workflow_id)
    return Deletion(message=ending or answer.message, is_over=ending is not None)
