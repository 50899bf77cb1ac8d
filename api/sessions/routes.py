"""Chat sessions of a thread, and messages that wait."""

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.agents import AgentsDep
from api.core.commands import CommandsDep
from api.core.dependencies import Person, Session, SessionTurns, Thread, ThreadsDep
from api.core.permissions import OF_THREAD
from api.sessions.bodies import SessionBody, WithdrawalBody
from api.sessions.file_search import FileLimit, FileSearchDep, OneFile, SearchText
from api.sessions.withdrawal import WithdrawalDep
from domain.agents.offers import OfferedOption
from domain.conversations.commands import OpenSession, WithdrawMessage
from domain.conversations.messages import WaitingMessage
from domain.core.command import Answer
from domain.core.file_queries import FoundFiles, WorktreePlace
from domain.core.ids import SessionId

router = APIRouter(tags=["sessions"], prefix="/threads/{thread}", dependencies=[OF_THREAD])


class SessionOffers(BaseModel):
    """The modes, models and other options of a session's agent, and its own commands."""

    session_id: SessionId
    version: str
    options: tuple[OfferedOption, ...]
    commands: tuple[str, ...]


@router.get("/offers")
async def offers(thread: Thread, folds: ThreadsDep) -> list[SessionOffers]:
    """List what the agents of a thread and its tasks offer, as last reported."""
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
    session: Session,
    search: FileSearchDep,
    query: SearchText = "",
    limit: FileLimit = 20,
) -> FoundFiles:
    """Find files in a session's worktree: tracked ones, and new ones that are not ignored."""
    return await search.of_session(thread, session, query, limit)


@router.get("/sessions/{number}/worktree")
async def worktree(
    thread: Thread, session: Session, search: FileSearchDep, file: OneFile = ""
) -> WorktreePlace:
    """Get the path of a session's worktree, or of a file in it, to open it in an editor."""
    return await search.place_in_session(thread, session, file)


@router.post("/sessions", status_code=201)
async def open_session(
    thread: Thread, body: SessionBody, commands: CommandsDep, agents: AgentsDep
) -> Answer:
    """Open another chat session."""
    await agents.refuse_for(thread, body.agent)
    return await commands.send(thread, OpenSession, body)


@router.get("/messages")
async def waiting_messages(thread: Thread, withdrawal: WithdrawalDep) -> list[WaitingMessage]:
    """List queued messages: those that no agent of the thread or its tasks has received yet."""
    return await withdrawal.waiting(thread)


@router.post("/sessions/{number}/withdraw")
async def withdraw_message(
    thread: Thread,
    session: SessionTurns,
    body: WithdrawalBody,
    withdrawal: WithdrawalDep,
    person: Person,
) -> WaitingMessage:
    """Withdraw a queued message; refused if the agent already has it."""
    command = WithdrawMessage(**body.model_dump(), by=person)
    return await withdrawal.take(thread, session, command)
