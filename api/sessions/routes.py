"""Chat sessions and messages of a thread."""

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.agents import AgentsDep
from api.core.bodies import CommandBody
from api.core.dependencies import Number, Person, Thread, ThreadsDep, WorkflowsDep
from api.sessions.bodies import MessageBody, SessionBody, WithdrawalBody
from api.sessions.file_search import FileLimit, FileSearchDep, SearchText
from api.sessions.withdrawal import WithdrawalDep
from domain.agents.offers import OfferedOption
from domain.conversations.commands import OpenSession, SendMessage, StopTurn, TakeBack
from domain.conversations.messages import WaitingMessage
from domain.core.command import Answer
from domain.core.file_queries import FoundFiles
from domain.core.ids import SessionId, session_stream

router = APIRouter(tags=["sessions"], prefix="/threads/{thread}")


class SessionOffers(BaseModel):
    """What the agent of a session offers: its modes, models and other options, its own commands."""

    session_id: SessionId
    version: str
    options: tuple[OfferedOption, ...]
    commands: tuple[str, ...]


@router.get("/offers")
async def offers(thread: Thread, folds: ThreadsDep) -> list[SessionOffers]:
    """Return what the agents of the thread's and its tasks' sessions offer, as they told last."""
    fold = await folds.fold(thread)
    return [
        SessionOffers(
            session_id=SessionId(session_id),
            version=facts.version,
            options=facts.options,
            commands=facts.commands,
        )
        for session_id, facts in fold.facts.items()
        if facts.version or facts.options
    ]


@router.get("/sessions/{number}/files")
async def session_files(
    thread: Thread,
    number: Number,
    search: FileSearchDep,
    query: SearchText = "",
    limit: FileLimit = 20,
) -> FoundFiles:
    """Find files that a session works with: those git knows, and new ones that are not ignored."""
    return await search.of_session(thread, session_stream(thread, number), query, limit)


@router.post("/sessions", status_code=201)
async def open_session(
    thread: Thread, body: SessionBody, workflows: WorkflowsDep, agents: AgentsDep, person: Person
) -> Answer:
    """Open one more chat session."""
    await agents.refuse_for(thread, body.agent)
    return await workflows.send(thread, OpenSession(**body.model_dump(), by=person))


@router.post("/sessions/{number}/stop")
async def stop_turn(
    thread: Thread, number: Number, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Stop the running turn; the session goes on."""
    session = session_stream(thread, number)
    return await workflows.send(session, StopTurn(command_id=body.command_id, by=person))


@router.get("/messages")
async def waiting_messages(thread: Thread, withdrawal: WithdrawalDep) -> list[WaitingMessage]:
    """List what people said to the thread's and its tasks' agents that no turn has taken yet."""
    return await withdrawal.waiting(thread)


@router.post("/sessions/{number}/withdraw")
async def withdraw_message(
    thread: Thread, number: Number, body: WithdrawalBody, withdrawal: WithdrawalDep, person: Person
) -> WaitingMessage:
    """Take a message back that waits: the agent never gets it. Refused when the agent has it."""
    command = TakeBack(command_id=body.command_id, by=person, message_id=body.message_id)
    return await withdrawal.take(thread, session_stream(thread, number), command)


@router.post("/messages")
async def send_message(
    thread: Thread, body: MessageBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Say something to a session; a busy one takes it after its turn."""
    session = SessionId(body.session_id) if body.session_id else None
    command = SendMessage(
        command_id=body.command_id,
        by=person,
        text=body.text,
        session_id=session,
        attachments=tuple(body.attachments),
    )
    return await workflows.send(thread, command)
