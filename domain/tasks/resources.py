"""Rules of what a run holds on its host: ports and terminals."""

from domain.agents.terminal_events import TerminalEnded, TerminalOpened
from domain.conversations.checks import check_agent
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError, WrongStateError
from domain.tasks import events as task_events
from domain.tasks.agent_commands import RequestPort
from domain.tasks.commands import GrantPort, LeaveHost
from domain.tasks.registry import TASK_RULES
from domain.tasks.state import TaskState
from domain.tasks.terminal_commands import LookUpTask, NoteTerminal, ReleasePort
from domain.tasks.terminals import ended, ends, missing
from domain.verification.steps import StepResult

RESOURCES = "step-0"
LABEL = "Ports and terminals"


def check_of(state: TaskState) -> StepResult | None:
    """Return step 0: were all declared ports requested, do the required terminals run? None needs no check."""
    declared = [port.id for port in state.task.ports] if state.task else []
    required = state.task.terminals if state.task else ()
    is_needed = declared or required or any(t.is_required for t in state.terminals.values())
    if not is_needed:
        return None
    absent = [port for port in declared if port not in state.allocated]
    found = [f"never requested: {', '.join(absent)}"] if absent else []
    found += missing(state)
    passed = [*(["all ports were requested"] if declared else []), "all that must run does run"]
    output = "\n".join(found or passed)
    return StepResult(step_id=RESOURCES, label=LABEL, passed=not found, output=output)


def port_answer(port_id: str, number: int, earlier: int | None = None) -> Answer:
    """Return what an agent is told of its port, and that it is not the `earlier` one any more."""
    words = f"port {port_id!r} is {number}"
    if earlier not in {None, number}:
        words += (
            f". It was {earlier}, where another program listens now. Start your server on the new one "
            "with terminal_create: processes of your own shell may listen there from your next turn on"
        )
    return Answer(message=words, data={"id": port_id, "port": number})


@TASK_RULES.handles
def request_port(command: RequestPort, state: TaskState) -> Decided:
    check_agent(command, state)
    _check_declared(command.port_id, state)
    return Decided(answer=Answer(message="leasing"))


@TASK_RULES.handles
def grant_port(command: GrantPort, state: TaskState) -> Decided:
    if state.end is not None or state.ports.get(command.port_id) == command.number:
        return Decided()
    leased = task_events.PortLeased(port_id=command.port_id, number=command.number, at=command.at)
    return Decided((leased,))


@TASK_RULES.handles
def release_port(command: ReleasePort, state: TaskState) -> Decided:
    check_agent(command, state)
    _check_declared(command.port_id, state)
    if command.port_id not in state.ports:
        return Decided(answer=Answer(message=f"port {command.port_id!r} is not held"))
    serving = [t.id for t in state.terminals.values() if t.is_running and t.port == command.port_id]
    if serving:
        raise WrongStateError(
            f"port {command.port_id!r} is used by {', '.join(serving)}: kill it with terminal_kill "
            "first, then release the port"
        )
    released = task_events.PortReleased(port_id=command.port_id)
    words = f"port {command.port_id!r} is given back"
    return Decided((released,), Answer(message=words, data={"id": command.port_id}))


@TASK_RULES.handles
def leave_host(command: LeaveHost, state: TaskState) -> Decided:
    """Take what the run held on a host as gone: nothing tells of it from another."""
    del command
    ended = ends(state, ())
    return Decided((*ended, *(task_events.PortReleased(port_id=port) for port in state.ports)))


@TASK_RULES.handles
def look_up_task(command: LookUpTask, state: TaskState) -> Decided:
    check_agent(command, state)
    resources = check_of(state)
    data = {
        "ports": state.ports,
        "declared": {p.id: p.description for p in state.task.ports} if state.task else {},
        "steps": [step.model_dump(mode="json") for step in state.steps],
        "resources": resources.model_dump(mode="json") if resources else None,
    }
    return Decided(answer=Answer(message="the task", data=data))


@TASK_RULES.handles
def note_terminal(command: NoteTerminal, state: TaskState) -> Decided:
    terminal = command.terminal
    known = state.terminals.get(terminal.id)
    if not terminal.is_running:
        is_news = state.end is None and known is not None and known.is_running
        if known is None or not is_news:
            return Decided()
        return Decided((TerminalEnded(terminal=ended(known, terminal)),))
    check_agent(command, state)
    if known is not None:
        return Decided(answer=Answer(message="known"))
    if terminal.port is not None and terminal.port not in state.ports:
        raise InvalidError(f"port {terminal.port!r} is not leased: get it with request_port first")
    return Decided((TerminalOpened(terminal=terminal),))


def _check_declared(port_id: str, state: TaskState) -> None:
    declared = [port.id for port in state.task.ports] if state.task else []
    if port_id not in declared:
        known = ", ".join(declared) or "none"
        raise InvalidError(f"port_not_declared: {port_id!r}; this task declares: {known}")
