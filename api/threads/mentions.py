"""Mentions of whoever asks in a thread: seen once the thread is opened, or dismissed."""

from fastapi import APIRouter

from api.core.bodies import CommandBody
from api.core.dependencies import KnownThread, Person, ThreadLists
from api.core.permissions import SEES_THREAD
from domain.core.command import Answer

router = APIRouter(tags=["inbox"], prefix="/threads/{thread}", dependencies=[SEES_THREAD])


@router.post("/mentions/seen")
async def see_mentions(
    thread: KnownThread,
    body: CommandBody,  # noqa: ARG001 - seeing twice changes nothing, so its id is not needed
    person: Person,
    journal: ThreadLists,
) -> Answer:
    """Note that you have seen where you are mentioned in a thread: it leaves your inbox, and nobody else's."""
    was_there = await journal.people.mentions.see(person, thread)
    return Answer(message="seen" if was_there else "nothing new mentions you there")
