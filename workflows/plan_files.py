"""How a thread carries out a change of its plan files: the one writer, one change at a time."""

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

from activities.plan_files import PlanFileChanges
from domain.core.command import Answer
from domain.core.errors import UnavailableError, WrongStateError
from domain.core.ids import host_queue
from domain.threads.plan_files.calls import PlanFileCall
from domain.threads.plan_files.commands import ChangePlanFile
from domain.threads.plan_files.edits import PlanFileEdit
from domain.threads.plan_files.rules import EndPlanFileChange
from domain.threads.state import ThreadState
from workflows import options
from workflows.loop import Loop


async def change_plan_file(loop: Loop[ThreadState], change: ChangePlanFile) -> Answer:
    """Carry out a change that the rules allow, where the thread's files are.

    Raises:
        TreadleError: The rules refuse it, or the disk does.
        ApplicationError: The files refuse it, with the type of the reason; nothing has changed.
    """
    loop.decide(change)
    state = loop.state
    if state.opened is None:
        raise WrongStateError("the thread is not open yet")
    edit = PlanFileEdit(
        at=workflow.now(),
        key=change.command_id,
        **change.model_dump(include={*PlanFileEdit.model_fields} - {"at", "content", "key"}),
    )
    known = {which: kept.content_ref for which, kept in state.plan_files.files.items()}
    call = PlanFileCall(
        thread_id=state.thread_id, edit=edit, content_ref=change.content_ref, known=known
    )
    where = options.on(host_queue(state.opened.host), options.GIT_BRIEFLY)
    try:
        made = await loop.run_activity(PlanFileChanges.change_plan_file, call, where)
    except ActivityError as error:
        words = f"the plan files were not changed: {error.cause or error}"
        raise UnavailableError(words) from error
    if made.refusal:
        raise ApplicationError(made.message, type=made.refusal, non_retryable=True)
    return loop.submit(EndPlanFileChange(change=change, made=made))
