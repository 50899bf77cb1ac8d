"""Publishing a thread's branch, and merging it into the branch that the thread began on."""

from fastapi import APIRouter

from api.core.dependencies import Person, Thread, WorkflowsDep
from api.threads.bodies import MergeBody, PublishBody
from domain.core.command import Answer
from domain.tasks.running_commands import Publish
from domain.threads.landing.commands import MergeBranch

router = APIRouter(tags=["publishing"], prefix="/threads/{thread}")


@router.post("/publish", status_code=202)
async def publish(
    thread: Thread, body: PublishBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Push the branch, where it was shown, and open a pull request.

    `publication` of the thread tells how it went.
    """
    return await workflows.send(thread, Publish(**body.model_dump(), by=person))


@router.post("/merge", status_code=202)
async def merge(thread: Thread, body: MergeBody, workflows: WorkflowsDep, person: Person) -> Answer:
    """Merge the branch, as `changes` showed it; `landing` of the thread tells how it went."""
    return await workflows.send(thread, MergeBranch(**body.model_dump(), by=person))
