"""Messages to a thread: what programs send for people, too."""

from fastapi import APIRouter

from api.core.commands import CommandRoute, add_commands
from api.core.dependencies import thread_id
from api.core.permissions import PROPOSES
from api.sessions.bodies import MessageBody
from domain.conversations.commands import SendMessage

router = APIRouter(tags=["sessions"], prefix="/threads/{thread}", dependencies=[PROPOSES])

add_commands(
    router,
    thread_id,
    CommandRoute(
        "/messages",
        SendMessage,
        "Send a message to a session; a busy one gets it after its turn.",
        MessageBody,
        name="send_message",
    ),
)
