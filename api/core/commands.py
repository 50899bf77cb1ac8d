"""Routes that send one command to a workflow: the fields of the request's body, by whom it is."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends

from api.core.attached import AttachedDep
from api.core.bodies import CommandBody
from api.core.dependencies import WorkflowsDep
from api.core.ended import EndedDep
from api.core.permissions import PermitsDep
from api.core.silent_hosts import SilentHostsDep
from domain.conversations.commands import SendMessage
from domain.core.command import Answer, Command
from domain.people.commands import role_for
from domain.threads.running.verbs import acting_door


class CommandSender:
    """Sends commands in the name of the person who holds the token."""

    def __init__(
        self,
        workflows: WorkflowsDep,
        ended: EndedDep,
        permits: PermitsDep,
        silent: SilentHostsDep,
        attached: AttachedDep,
    ) -> None:
        self._attached = attached
        self._silent = silent
        self._permits = permits
        self._workflows = workflows
        self._ended = ended

    async def send(
        self, workflow_id: str, kind: type[Command], body: CommandBody, **fields: Any
    ) -> Answer:
        """Send a command with the fields of a body and further ones.

        Raises:
            TreadleError: What the workflow refused, that there is none, or that none answers; also
                that the person lacks the role for it.
        """
        command = kind(**(body.model_dump() | fields), by=self._permits.access.caller.signature)
        await self._permits.require(role_for(acting_door(command, workflow_id)), workflow_id)
        if isinstance(command, SendMessage):
            await self._attached.seen(command.attachments)
        answer = await self._ended.carry_out(workflow_id, command)
        return await self._silent.added_to(
            answer or await self._workflows.send(workflow_id, command), workflow_id
        )


CommandsDep = Annotated[CommandSender, Depends()]


class CommandRoute(NamedTuple):
    """A route that only sends a command, and how it is described."""

    path: str
    kind: type[Command]
    description: str
    body: type[CommandBody] = CommandBody
    status_code: int = 200
    dependencies: tuple[Any, ...] = ()
    """What it needs beyond its router's, like a higher role."""
    name: str = ""
    """What it is called where its path is not enough."""


def add_commands(router: APIRouter, target: Callable[..., Any], *routes: CommandRoute) -> None:
    """Add routes whose commands go to the workflow that a dependency names."""
    for route in routes:
        router.add_api_route(
            route.path,
            _endpoint(target, route),
            methods=["POST"],
            status_code=route.status_code,
            name=route.name or f"{router.prefix}{route.path}".rpartition("/")[2],
            description=route.description,
            dependencies=list(route.dependencies),
        )


def _endpoint(target: Callable[..., Any], route: CommandRoute) -> Callable[..., Any]:
    async def send(
        workflow_id: Annotated[str, Depends(target)], body: CommandBody, commands: CommandsDep
    ) -> Answer:
        return await commands.send(workflow_id, route.kind, body)

    send.__annotations__["body"] = route.body
    return send
