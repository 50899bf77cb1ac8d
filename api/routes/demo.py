"""The demo: a thread on a small repository of its own, with the scripted agent."""

from fastapi import APIRouter

from api.bodies import CommandBody
from api.demos import DemoThreadsDep
from api.dependencies import DoorDep
from api.routes.threads import OpenedThread

router = APIRouter(tags=["threads"])


@router.post("/demo", status_code=201)
async def demo(body: CommandBody, demos: DemoThreadsDep, door: DoorDep) -> OpenedThread:
    """Open a thread on a small repository that is made for it; its plan then waits for a person.

    The same `command_id` again names the same thread; another one makes another repository.
    """
    thread = demos.prepared(body.command_id)
    answer = await door.open_thread(thread)
    return OpenedThread(thread_id=thread.thread_id, message=answer.message)
