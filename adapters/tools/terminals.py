"""The tools of terminals: long-lived processes that the worker keeps for a task or a chat."""

import asyncio
import re
from pathlib import Path

from pydantic import Field

from adapters.tools.grants import Grant
from adapters.tools.host import Host
from adapters.tools.schemas import object_of, text
from adapters.tools.tool import HostTool, Tool
from domain.agents.agents import SessionRole
from domain.agents.hosting import TerminalRequest
from domain.agents.terminals import MAX_COMMAND, MAX_LABEL, Terminal, TerminalOutput, as_read
from domain.core.errors import InvalidError, NotFoundError, WrongStateError
from domain.core.ids import StreamId
from domain.core.wire import Wire
from domain.tasks.terminal_commands import LookUpTask
from domain.tasks.terminals import describe_exit_of
from domain.verification.steps import with_ports

SHELL = ("/bin/sh", "-c")
MAX_VARIABLES = 50
MAX_ANSWER_BYTES = 24 << 10
FIRST_WORDS_SECONDS = 2.0
LONGEST_WAIT_SECONDS = 40
_LOOK_SECONDS = 0.1
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}", re.ASCII)
_ROLES = frozenset({SessionRole.TASK, SessionRole.CHAT})


class _Create(Wire):
    command: str = Field(min_length=1, max_length=MAX_COMMAND)
    label: str = Field(default="", max_length=MAX_LABEL)
    cwd: str = "."
    environment: dict[str, str] = {}
    port: str | None = None
    required: bool = False


class _Named(Wire):
    terminal_id: str = Field(max_length=MAX_LABEL)


class _Output(_Named):
    since: int = Field(default=0, ge=0)


class _Wait(_Named):
    seconds: float = Field(default=30, gt=0, le=LONGEST_WAIT_SECONDS)
    until: str = Field(default="", max_length=500)


async def _create(host: Host, grant: Grant, given: _Create) -> str:
    running = grant.running
    if running is None:
        raise WrongStateError("no turn of this session is running")
    owner = grant.terminals_owner
    for known in host.terminals.of(owner):
        if known.is_running and (known.command, known.port) == (given.command, given.port):
            return f"This command runs already.\n{_render(_read(host, owner, known.id))}"
        if known.is_running and given.port is not None and known.port == given.port:
            raise WrongStateError(
                f"port {given.port!r} is used by {known.id} ({known.label}): kill that one first"
            )
    ports = await _ports(host, grant)
    request = TerminalRequest(
        owner=owner,
        turn=running.turn,
        label=given.label or given.command[:MAX_LABEL],
        command=given.command,
        argv=(*SHELL, _with_ports(given.command, ports)),
        cwd=_folder(running.directory, given.cwd),
        workspace=running.directory,
        environment=_variables(given.environment),
        ports=ports,
        port=given.port,
        is_required=given.required,
    )
    terminal = await host.terminals.create(request)
    stream = StreamId(f"{owner}/{terminal.id}")
    await host.terminals.wait(stream, FIRST_WORDS_SECONDS)
    return _render(_read(host, owner, terminal.id))


async def _output(host: Host, grant: Grant, given: _Output) -> str:
    return _render(_read(host, grant.terminals_owner, given.terminal_id, given.since))


async def _wait(host: Host, grant: Grant, given: _Wait) -> str:
    owner = grant.terminals_owner
    first = _read(host, owner, given.terminal_id)
    stream = StreamId(f"{owner}/{first.terminal.id}")
    clock = asyncio.get_running_loop().time
    deadline = clock() + given.seconds
    while (now := _read(host, owner, given.terminal_id)).terminal.is_running:
        if (given.until and given.until in as_read(now.text)) or clock() >= deadline:
            break
        pause = _LOOK_SECONDS if given.until else deadline - clock()
        await host.terminals.wait(stream, min(pause, deadline - clock()))
    return _render(now)


async def _kill(host: Host, grant: Grant, given: _Named) -> str:
    owner = grant.terminals_owner
    known = _read(host, owner, given.terminal_id).terminal
    await host.terminals.kill(StreamId(f"{owner}/{known.id}"), "killed by its agent")
    return _render(_read(host, owner, known.id))


async def _release(host: Host, grant: Grant, given: _Named) -> str:
    owner = grant.terminals_owner
    known = _read(host, owner, given.terminal_id).terminal
    await host.terminals.release(StreamId(f"{owner}/{known.id}"))
    return f"{known.id} is released: it has ended, and its output is not kept for you any more."


async def _ports(host: Host, grant: Grant) -> dict[str, int]:
    """Return the numbers that a task holds; a session of the thread has no ports."""
    if grant.owner == grant.thread_id or grant.turn_id is None:
        return {}
    asked = LookUpTask(session_id=grant.session_id, turn_id=grant.turn_id)
    return (await host.door.send(grant.owner, asked)).data["ports"]


def _with_ports(command: str, ports: dict[str, int]) -> str:
    try:
        return with_ports(command, ports)
    except KeyError as missing:
        raise InvalidError(f"port {missing} is not yours yet: get it with request_port") from None


def _folder(directory: Path, cwd: str) -> Path:
    root = directory.resolve()
    try:
        folder = (root / cwd).resolve()
        is_there = folder.is_relative_to(root) and folder.is_dir()
    except (OSError, ValueError, RuntimeError):  # too long, with a NUL, links in a circle
        folder, is_there = root, False
    if not is_there:
        raise InvalidError(
            f"cwd {cwd!r} is no folder of your checkout: give it relative to its root"
        )
    return folder


def _variables(given: dict[str, str]) -> dict[str, str]:
    wrong = [name for name in given if not _NAME.fullmatch(name)]
    if wrong or len(given) > MAX_VARIABLES:
        raise InvalidError(
            f"environment takes at most {MAX_VARIABLES} names of letters, digits and _; "
            f"wrong: {', '.join(wrong[:5]) or 'too many'}"
        )
    return given


def _read(host: Host, owner: StreamId, terminal_id: str, since: int = 0) -> TerminalOutput:
    name = terminal_id if terminal_id.startswith("terminal-") else f"terminal-{terminal_id}"
    try:
        return host.terminals.output(StreamId(f"{owner}/{name}"), since, MAX_ANSWER_BYTES)
    except NotFoundError as error:
        known = ", ".join(f"{t.id} ({t.label}, {t.status})" for t in host.terminals.of(owner))
        raise NotFoundError(f"{error.message}; there are: {known or 'none'}") from None


def _render(output: TerminalOutput) -> str:
    """Write for a model how a terminal stands and what it said."""
    terminal = output.terminal
    lines = [f"{terminal.id} ({terminal.label}): {_state(terminal)}"]
    if output.skipped:
        lines.append(f"[{output.skipped} bytes before this are left out]")
    lines.append(as_read(output.text).rstrip("\n") or "[no output]")
    if terminal.is_running:
        lines.append(f"[to read on: terminal_output with since={output.position}]")
    return "\n".join(lines)


def _state(terminal: Terminal) -> str:
    if terminal.is_running:
        return f"running{f', for port {terminal.port!r}' if terminal.port else ''}"
    return describe_exit_of(terminal)


_ID = text("The id that terminal_create gave, like 'terminal-1'.")

TERMINAL_TOOLS: tuple[Tool, ...] = (
    Tool(
        name="terminal_create",
        roles=_ROLES,
        description=(
            "Start a process that outlives this call and your turn: a dev server, a watcher, a long "
            "build. It runs until it exits, you kill it, or the task or session ends; then everything "
            "below it ends too. Answers with its id and its first words. Servers that verification "
            "asks must run in one: processes of your own shell may end with your turn. It is a "
            "real terminal with nobody at its keyboard: give options that answer questions "
            "beforehand, like --yes. For short commands use your own shell."
        ),
        schema=object_of(
            {
                "command": text("A shell line; ${ports.ID} becomes the number of a port you hold."),
                "label": text("A few words for people, like 'dev server'."),
                "cwd": text("A folder of your checkout to start in; left out: its root."),
                "environment": {
                    "type": "object",
                    "additionalProperties": {"type": "string"},
                    "description": "More variables. Ports are there already: TREADLE_PORT_ID.",
                },
                "port": text("The id of the port that it listens on, got by request_port before."),
                "required": {
                    "type": "boolean",
                    "description": "True: it must still run when you report done, else that fails.",
                },
            },
            ("command",),
        ),
        host=HostTool(_Create, _create),
        is_harmless=False,
    ),
    Tool(
        name="terminal_output",
        roles=_ROLES,
        description="Read what a terminal has said, the newest part of it, and whether it still runs.",
        schema=object_of(
            {
                "terminal_id": _ID,
                "since": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Only what came after this position, as the last answer named it.",
                },
            },
            ("terminal_id",),
        ),
        host=HostTool(_Output, _output),
    ),
    Tool(
        name="terminal_wait",
        roles=_ROLES,
        description=(
            "Wait until a terminal's process exits, or until its output holds the words `until`; at "
            "most 40 seconds. Answers with its newest output. Call it again to wait longer."
        ),
        schema=object_of(
            {
                "terminal_id": _ID,
                "seconds": {"type": "number", "description": "At most 40; 30 unless given."},
                "until": text("Words to wait for in the output, like 'listening on'."),
            },
            ("terminal_id",),
        ),
        host=HostTool(_Wait, _wait),
    ),
    Tool(
        name="terminal_kill",
        roles=_ROLES,
        description="End a terminal's process and everything below it; its output can still be read.",
        schema=object_of({"terminal_id": _ID}, ("terminal_id",)),
        host=HostTool(_Named, _kill),
        is_harmless=False,
    ),
    Tool(
        name="terminal_release",
        roles=_ROLES,
        description="End a terminal and forget it, when you need neither it nor its output any more.",
        schema=object_of({"terminal_id": _ID}, ("terminal_id",)),
        host=HostTool(_Named, _release),
        is_harmless=False,
    ),
)
