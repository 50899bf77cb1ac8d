"""The terminals of a task's run: what is known of them, and which ones must still run."""

from collections.abc import Iterable

from domain.agents.terminal_events import TerminalEnded, TerminalOpened
from domain.agents.terminals import MAX_KEPT, Terminal, TerminalStatus
from domain.tasks.registry import TASK_RULES
from domain.tasks.state import TaskState

MAX_COMMAND = 300
"""Characters of a command line that a state keeps."""


@TASK_RULES.evolves
def apply_terminal_opened(event: TerminalOpened, state: TaskState) -> TaskState:
    return _with(state, event.terminal)


@TASK_RULES.evolves
def apply_terminal_ended(event: TerminalEnded, state: TaskState) -> TaskState:
    return _with(state, event.terminal)


def ends(state: TaskState, open_terminals: Iterable[Terminal]) -> tuple[TerminalEnded, ...]:
    """Return what a turn's end tells of terminals that the run takes for running.

    One that the host does not know any more was lost with its worker.
    """
    known = {terminal.id: terminal for terminal in open_terminals}
    running = [terminal for terminal in state.terminals.values() if terminal.is_running]
    now = [(terminal, known.get(terminal.id) or _lost(terminal)) for terminal in running]
    return tuple(TerminalEnded(terminal=ended(t, n)) for t, n in now if not n.is_running)


def ended(terminal: Terminal, now: Terminal) -> Terminal:
    """Return a terminal with the end that the host tells of it."""
    end = {"exit_code": now.exit_code, "signal": now.signal, "note": now.note}
    return terminal.model_copy(update={"status": TerminalStatus.EXITED, **end})


def missing(state: TaskState) -> tuple[str, ...]:
    """Return why the terminals that must run do not all run, a sentence each.

    Required are those that the plan names by their labels, and those that the agent opened as such; of
    several with one label the newest counts.
    """
    newest = {terminal.label.casefold(): terminal for terminal in state.terminals.values()}
    required = {label.casefold(): label for label in (state.task.terminals if state.task else ())}
    required |= {key: t.label for key, t in newest.items() if t.is_required}
    found: list[str] = []
    for key, label in required.items():
        terminal = newest.get(key)
        if terminal is None:
            found.append(f"no terminal {label!r} was ever opened")
        elif not terminal.is_running:
            found.append(
                f"{terminal.id} ({label}) does not run any more: {describe_exit_of(terminal)}"
            )
    return tuple(found)


def describe_exit_of(terminal: Terminal) -> str:
    """Say how a terminal ended, in a phrase."""
    if terminal.note:
        return terminal.note
    if terminal.signal is not None:
        return f"ended by signal {terminal.signal}"
    return "exited" if terminal.exit_code is None else f"exited with code {terminal.exit_code}"


def describe_exits(terminals: Iterable[Terminal]) -> str:
    """Write for an agent which of its terminals have ended since it last looked; empty for none."""
    lines = [f"- {t.id} ({t.label}): {describe_exit_of(t)}. It ran: {t.command}" for t in terminals]
    if not lines:
        return ""
    head = "Terminals of yours have ended since you last looked:"
    foot = "Start with `terminal_create` what you still need."
    return "\n\n" + "\n\n".join((head, "\n".join(lines), foot)) + "\n"


def _with(state: TaskState, terminal: Terminal) -> TaskState:
    small = terminal.model_copy(update={"command": terminal.command[:MAX_COMMAND]})
    terminals = {**state.terminals, terminal.id: small}
    over = [known.id for known in terminals.values() if not known.is_running]
    for old in over[: max(0, len(over) - MAX_KEPT)]:
        del terminals[old]
    return state.model_copy(update={"terminals": terminals})


def _lost(terminal: Terminal) -> Terminal:
    changes = {"status": TerminalStatus.EXITED, "note": "lost: the worker that kept it was stopped"}
    return terminal.model_copy(update=changes)
