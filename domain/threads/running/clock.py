"""Time comes to the rules by commands: what was asked for with ReadClock and WaitUntil.

Both name what the time is for: `<prefix>:<the rest>`. The slice that asks registers a rule for its
prefix; it is given the rest.
"""

from collections.abc import Callable
from datetime import datetime

from domain.core.decisions import Decided
from domain.core.errors import InvalidError
from domain.threads.commands import TellTime, TimeIsUp
from domain.threads.dispatch import handles
from domain.threads.state import ThreadState

OnTime = Callable[[str, ThreadState], Decided]
OnClock = Callable[[str, datetime, ThreadState], Decided]

_TIMES: dict[str, OnTime] = {}
_CLOCKS: dict[str, OnClock] = {}


def at_time(prefix: str) -> Callable[[OnTime], OnTime]:
    """Register the rule for waits that have come to their end."""

    def registered(rule: OnTime) -> OnTime:
        _TIMES[prefix] = rule
        return rule

    return registered


def at_clock(prefix: str) -> Callable[[OnClock], OnClock]:
    """Register the rule that is told what time it is."""

    def registered(rule: OnClock) -> OnClock:
        _CLOCKS[prefix] = rule
        return rule

    return registered


@handles
def _time_is_up(command: TimeIsUp, state: ThreadState) -> Decided:
    prefix, _, rest = command.what.partition(":")
    rule = _TIMES.get(prefix)
    if rule is None:
        raise InvalidError(f"nothing waits for {command.what!r}")
    return rule(rest, state)


@handles
def _tell_time(command: TellTime, state: ThreadState) -> Decided:
    prefix, _, rest = command.what.partition(":")
    rule = _CLOCKS.get(prefix)
    if rule is None:
        raise InvalidError(f"nobody asked for the time of {command.what!r}")
    return rule(rest, command.now, state)
