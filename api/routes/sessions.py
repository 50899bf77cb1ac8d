"""Chat sessions and messages of a thread."""

from fastapi import APIRouter

from api.agents import AgentsDep
from api.bodies import CommandBody, MessageBody, SessionBody
from api.dependencies import DoorDep, Number, Person, Thread
from domain.commands import Answer, OpenSession, SendMessage, StopTurn
from domain.ids import SessionId, session_stream

router = APIRouter(tags=["sessions"], prefix="/threads/{thread}")


@router.post("/sessions", status_code=201)
async def open_session(
    thread: Thread, body: SessionBody, door: DoorDep, agents: AgentsDep, person: Person
) -> Answer:
    """Open one more chat session."""
    await agents.refuse_for(thread, body.agent)
    return await door.send(thread, OpenSession(**body.model_dump(), by=person))


@router.post("/sessions/{number}/stop")
async def stop_turn(
    thread: Thread, number: Number, body: CommandBody, door: DoorDep, person: Person
) -> Answer:
    """Stop the running turn; the session goes on."""
    session = session_stream(thread, number)
    return await door.send(session, StopTurn(command_id=body.command_id, by=person))


@router.post("/messages")
async def send_message(thread: Thread, body: MessageBody, door: DoorDep, person: Person) -> Answer:
    """Say something to a session; a busy one takes it after its turn."""
    session = SessionId(body.session_id) if body.session_id else None
    command = SendMessage(command_id=body.command_id, by=person, text=body.text, session_id=session)
    return await door.send(thread, command)
