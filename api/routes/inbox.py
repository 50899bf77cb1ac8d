"""The inbox: everything that waits for a person, of all projects."""

from fastapi import APIRouter

from api.inbox import InboxesDep
from domain.reading.inbox.item import Inbox

router = APIRouter(tags=["inbox"], prefix="/inbox")


@router.get("")
async def inbox(inboxes: InboxesDep) -> Inbox:
    """Show everything that waits for a person, the oldest first."""
    return await inboxes.newest()
