"""A command that takes longer than its sender should wait: it lies at Temporal, and can be asked for."""

from urllib.parse import quote

from fastapi import Request, Response
from pydantic import BaseModel
from starlette.types import Message

from api.core.problems import SECURITY_HEADERS
from domain.core.ids import CommandId

ACCEPTED = 202
PLACE = b"/v1/commands/"


def is_pending(start: Message) -> bool:
    """Tell whether a response says that a command waits."""
    headers = dict(start["headers"])
    return start["status"] == ACCEPTED and headers.get(b"location", b"").startswith(PLACE)


class PendingCommand(BaseModel):
    """A command that was accepted and will be carried out once; `ask` is where to ask for its outcome."""

    status: str = "waiting"
    message: str
    command_id: str
    ask: str


class CommandPendingError(Exception):
    """A command was left for its workflow: not an error of anybody, but the end of the request."""

    def __init__(self, workflow_id: str, command_id: CommandId) -> None:
        super().__init__(f"{command_id} waits for {workflow_id}")
        place = (
            f"/v1/commands/{quote(command_id, safe='')}?workflow_id={quote(workflow_id, safe='')}"
        )
        self.pending = PendingCommand(
            message="accepted: it is saved, and will be carried out when a worker takes it",
            command_id=command_id,
            ask=place,
        )


async def answer_pending(_: Request, error: Exception) -> Response:
    """Answer 202 with the place to ask."""
    assert isinstance(error, CommandPendingError)  # noqa: S101
    headers = {**SECURITY_HEADERS, "Location": error.pending.ask, "Retry-After": "1"}
    body = error.pending.model_dump_json()
    return Response(body, ACCEPTED, headers=headers, media_type="application/json")
