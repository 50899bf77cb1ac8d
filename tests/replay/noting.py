"""A scenario of agents that keep plan files, to be recorded."""

from domain.core.ids import CommandId, SessionId
from domain.threads.plan_files.commands import ChangePlanFile, SetPlanFiles
from domain.threads.plan_files.edits import PlanFileOp
from domain.threads.plan_files.files import PlanFile
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE


async def kept_plan_files(house: House) -> str:
    """A thread whose planner and task write plan files, one write refused, then turned off."""
    thread = (await house.open(has_plan_files=True)).id
    proposed = await house.proposed(thread, ONE)
    content = await house.journal.put_text("# Found\n")
    planner, worker = f"{thread}/session-1", f"{thread}/task-1/session-1"
    for number, (session, change) in enumerate(
        (
            (planner, {"op": PlanFileOp.INIT, "title": "Work"}),
            (worker, {"op": PlanFileOp.WRITE, "which": PlanFile.FINDINGS, "content_ref": content}),
            (worker, {"op": PlanFileOp.CLEAR, "is_confirmed": True}),
        )
    ):
        named = {"command_id": CommandId(f"change-{number}"), "session_id": SessionId(session)}
        await house.send(thread, ChangePlanFile.model_validate({**named, **change}))
    await house.send(thread, SetPlanFiles(is_on=False, command_id=CommandId("off"), by="tester"))
    await house.approve(thread, proposed)
    await house.approve(f"{thread}/task-1", await house.seen(f"{thread}/task-1", "gate_opened"))
    await house.seen(thread, "plan_completed")
    return thread
