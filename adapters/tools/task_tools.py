"""The tools of an agent at work on a task: its ports, and a look at how its verification stands."""

from adapters.tools.grants import Grant
from adapters.tools.host import Host
from adapters.tools.schemas import object_of, text
from adapters.tools.tool import HostTool, Tool
from domain.agents.agents import SessionRole
from domain.core.errors import WrongStateError
from domain.core.wire import Wire
from domain.tasks.agent_commands import ListPorts, RequestPort
from domain.tasks.terminal_commands import LookUpTask, ReleasePort

_TASK = frozenset({SessionRole.TASK})
_PORT_ID = text("The declared id, like 'web'.")


class _Nothing(Wire):
    pass


async def _begin(host: Host, grant: Grant, _given: _Nothing) -> str:
    return await host.checks.begin(grant)


async def _result(host: Host, grant: Grant, _given: _Nothing) -> str:
    return await host.checks.result(grant)


async def _ports(host: Host, grant: Grant, _given: _Nothing) -> str:
    """List a task's own ports, then the servers of others, as the thread knows them."""
    if grant.turn_id is None:
        raise WrongStateError("no turn of this session is running")
    session_id, turn_id = grant.session_id, grant.turn_id
    asked = LookUpTask(session_id=session_id, turn_id=turn_id)
    facts = (await host.door.send(grant.owner, asked)).data
    lines = [
        f"- {port_id} ({about or 'not described'}): {facts['ports'].get(port_id, 'not requested')}"
        for port_id, about in facts["declared"].items()
    ]
    own = ["Yours:", *lines] if lines else ["This task declares no ports."]
    others = await host.door.send(
        grant.thread_id, ListPorts(session_id=session_id, turn_id=turn_id)
    )
    return "\n".join((*own, "All tasks of the plan, by task:", others.message))


WORKING_TOOLS: tuple[Tool, ...] = (
    Tool(
        name="request_port",
        roles=_TASK,
        description=(
            "Get the number of a port that the task declares. It is free and yours until the task "
            "ends; asking again gives the same number, or a new one, and says so, where another "
            "program has taken it meanwhile. Listen on 127.0.0.1, and use no other ports."
        ),
        schema=object_of({"port_id": _PORT_ID}, ("port_id",)),
        command=lambda session_id, arguments: RequestPort(session_id=session_id, **arguments),
        is_repeatable=True,
    ),
    Tool(
        name="release_port",
        roles=_TASK,
        description=(
            "Give a port back that you need no more. You need not: all ports of a task are given "
            "back when it ends."
        ),
        schema=object_of({"port_id": _PORT_ID}, ("port_id",)),
        command=lambda session_id, arguments: ReleasePort(session_id=session_id, **arguments),
        is_repeatable=True,
    ),
    Tool(
        name="list_ports",
        roles=_TASK,
        description=(
            "Look up your ports with their numbers, and where the servers of other tasks listen that "
            "yours may have to connect to."
        ),
        schema=object_of({}),
        host=HostTool(_Nothing, _ports),
    ),
    Tool(
        name="run_verification",
        roles=_TASK,
        description=(
            "Run the task's verification steps now, on your files as they are, to see what would fail. "
            "It changes no status and uses up no attempt. Change no files while it runs; it ends with "
            "your turn. Answers within 45 s: with the results, or how far it is."
        ),
        schema=object_of({}),
        host=HostTool(_Nothing, _begin),
    ),
    Tool(
        name="verification_result",
        roles=_TASK,
        description="Wait for the results of run_verification, as long as it says that it still runs.",
        schema=object_of({}),
        host=HostTool(_Nothing, _result),
    ),
)
