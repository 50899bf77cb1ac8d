"""The check of a command's code, without which nobody starts, says or decides anything."""

from collections.abc import Callable

from temporalio import workflow
from temporalio.workflow import LocalActivityConfig

from activities.codes import DecisionCodes
from domain.core.command import Coded
from domain.core.effects import CodeCheck
from domain.core.errors import ForbiddenError, InvalidError
from workflows import options
from workflows.summaries import shown


async def check_code(command: Coded, number_effect: Callable[[], str]) -> None:
    """Check a command's code in a local activity, so that replay needs no key.

    Raises:
        InvalidError: The command has no id of its own.
        ForbiddenError: The code is not the one.
    """
    if not command.request:
        raise InvalidError(f"{command.door} needs a command_id of its own")
    check = CodeCheck(
        workflow_id=workflow.info().workflow_id,
        request_id=command.request,
        choice=command.choice,
        content_hash=command.content,
        code=command.code,
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
            f"the code is not the one for {command.request[:80]!r} with this content and choice: "
            "take the line that `treadle show` prints"
        )
