"""The check of a command's code, without which nobody starts, says or decides anything."""

from collections.abc import Callable
from typing import TypeGuard

from temporalio import workflow
from temporalio.workflow import LocalActivityConfig

from activities.codes import DecisionCodes
from domain.core.command import Coded, Command, Proven, Stopping
from domain.core.effects import CodeCheck
from domain.core.errors import ForbiddenError, InvalidError
from domain.threads.running.verbs import acting_door
from workflows import options
from workflows.patches import STOPS_ARE_PROVEN
from workflows.summaries import shown


async def check_sender(command: Command, number_effect: Callable[[], str]) -> None:
    """Check that a command is from a person who may send it, or from a workflow of ours to this one.

    Raises:
        InvalidError: The command has no id of its own.
        ForbiddenError: The code is not the one.
    """
    if isinstance(command, Coded):
        if not command.request:
            raise InvalidError(f"{command.door} needs a command_id of its own")
        await _check_code(command, number_effect)
    elif _is_foreign_stop(command) and workflow.patched(STOPS_ARE_PROVEN):
        await _check_code(command, number_effect)


def _is_foreign_stop(command: Command) -> TypeGuard[Stopping]:
    """Tell whether a command stops something, and no workflow of ours sent it: only what they seal is addressed."""
    return isinstance(command, Stopping) and command.addressed_to != workflow.info().workflow_id


async def _check_code(command: Proven, number_effect: Callable[[], str]) -> None:
    """Check a command's code in a local activity, so that replay needs no key."""
    workflow_id = workflow.info().workflow_id
    check = CodeCheck(
        workflow_id=workflow_id,
        request_id=command.request,
        choice=command.choice,
        content_hash=command.content,
        code=command.code,
        by=command.by,
        door=acting_door(command, workflow_id),
        is_stop=isinstance(command, Stopping),
        is_foreign=not command.sent_to,
    )
    named: LocalActivityConfig = {
        **options.CODE,
        "activity_id": number_effect(),
        "summary": shown(check.summary),
    }
    is_genuine = await workflow.execute_local_activity_method(
        DecisionCodes.check_code, check, **named
    )
    if is_genuine is not True:
        raise ForbiddenError(
            f"the code is not the one for {(command.request or command.door)[:80]!r} with this content, choice and "
            "person, or the person has lost the role: take the line that `treadle show` prints"
        )
