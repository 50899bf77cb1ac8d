"""The words of what happens beside agents: terminals, a look at verification, a damaged journal."""

from functools import singledispatch

from domain.agents.terminal_events import TerminalEnded, TerminalOpened
from domain.core.damage_events import EventDamaged, EventRebuilt
from domain.core.event import EventBody
from domain.tasks.events import PortLeased, PortReleased, VerificationChecked
from domain.tasks.terminals import told_end


@singledispatch
def words_of(body: EventBody) -> str:
    """Return an event's words, empty where it is none of these."""
    del body
    return ""


@words_of.register
def _words_of_terminal_opened(body: TerminalOpened) -> str:
    terminal = body.terminal
    port = f", for port {terminal.port}" if terminal.port else ""
    return f"{terminal.id} ({terminal.label}) runs{port}: {terminal.command}"


@words_of.register
def _words_of_terminal_ended(body: TerminalEnded) -> str:
    return f"{body.terminal.id} ({body.terminal.label}): {told_end(body.terminal)}"


@words_of.register
def _words_of_port_leased(body: PortLeased) -> str:
    return f"port {body.port_id} is :{body.number}"


@words_of.register
def _words_of_port_released(body: PortReleased) -> str:
    return f"port {body.port_id} is given back"


@words_of.register
def _words_of_verification_checked(body: VerificationChecked) -> str:
    failed = ", ".join(result.label for result in body.steps if not result.passed)
    if body.is_cut_off:
        return "the agent looked how verification stands; its turn ended before"
    return f"the agent looked how verification stands: {'it would pass' if body.passed else f'{failed} would fail'}"


@words_of.register
def _words_of_event_damaged(body: EventDamaged) -> str:
    return body.told


@words_of.register
def _words_of_event_rebuilt(body: EventRebuilt) -> str:
    return f"the damaged event at position {body.position} was rebuilt"
