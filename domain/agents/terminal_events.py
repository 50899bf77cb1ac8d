"""Events of terminals: their life, in their own stream and in their task's, and what they say."""

from typing import Literal

from domain.agents.terminals import Terminal
from domain.core.event import EventBody


class TerminalOpened(EventBody):
    """A terminal's process is about to start."""

    kind: Literal["terminal_opened"] = "terminal_opened"
    terminal: Terminal


class TerminalWrote(EventBody):
    """A piece of a terminal's output; `position` counts the bytes before it.

    Only in the terminal's own stream. Before the piece `skipped` bytes were not recorded: too many.
    """

    kind: Literal["terminal_output"] = "terminal_output"
    position: int
    text: str
    skipped: int = 0


class TerminalEnded(EventBody):
    """A terminal's process is gone, with all below it."""

    kind: Literal["terminal_ended"] = "terminal_ended"
    terminal: Terminal


class ServiceChecked(EventBody):
    """A service of a recipe is healthy, or failed: it was not in time, or exited before."""

    kind: Literal["service_checked"] = "service_checked"
    terminal: Terminal


TerminalEvent = TerminalOpened | TerminalWrote | TerminalEnded | ServiceChecked
