"""Publishing a thread's branch."""

from fastapi import APIRouter

from api.bodies import PublishBody
from api.dependencies import DoorDep, Person, Thread
from domain.commands import Answer, Publish

router = APIRouter(tags=["publishing"], prefix="/threads/{thread}")


@router.post("/publish", status_code=202)
async def publish(thread: Thread, body: PublishBody, door: DoorDep, person: Person) -> Answer:
    """Push the branch and open a pull request; `publication` of the thread tells how it went."""
    return await door.send(thread, Publish(**body.model_dump(), by=person))
