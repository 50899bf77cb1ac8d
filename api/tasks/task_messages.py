"""Messages to a task: what programs send for people, too."""

from fastapi import APIRouter

from api.core.commands import CommandRoute, add_commands
from api.core.dependencies import task_workflow
from api.core.permissions import PROPOSES
from api.sessions.bodies import MessageBody
from domain.conversations.commands import SendMessage

router = APIRouter(tags=["tasks"], prefix="/threads/{thread}/tasks/{task}", dependencies=[PROPOSES])

add_commands(
    router,
    task_workflow,
    CommandRoute(
        "/messages",
        SendMessage,
        "Send a message to a task's agent; it gets it with its next turn.",
        MessageBody,
        name="send_message",
    ),
)
