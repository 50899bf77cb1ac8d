"""What an agent does inside a turn, watched for circles and floods: pure, fed by whoever listens to it."""

import hashlib
import json
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from domain.agents.limits.likeness import Shape, shape_of, without_numbers
from domain.agents.updates import (
    CHUNKS,
    ENDED,
    TOOL_CALL,
    TOOL_CALL_UPDATE,
    TOOL_CALLS,
    kind_of,
    status_of,
)
from domain.core.wire import Wire

MAX_PERIOD = 4
"""The longest round of different calls that is still seen as a circle."""

MAX_OPEN = 32
MAX_NAME = 80
MAX_ECHO = 200
REPEATABLE = CHUNKS | {"plan"}


class CirclingLimits(Wire, extra="forbid"):
    """The limits of one turn: at `…_concern` the inbox shows it, at `…_stop` the turn fails; 0 is no limit."""

    repeats_concern: int = 10
    """Identical tool calls in a row, or identical rounds of up to four calls, before the inbox shows it."""
    repeats_stop: int = 20
    """The same, before the turn is ended as failed."""
    alike_concern: int = 30
    """Calls in a row whose inputs only grow or differ only in numbers, before the inbox shows it."""
    alike_stop: int = 300
    """The same, before the turn is ended as failed."""
    calls_concern: int = 300
    """Tool calls in one turn, before the inbox shows it."""
    calls_stop: int = 1_000
    """The same, before the turn is ended as failed."""
    plans_concern: int = 300
    """Updates of the agent's own plan, before the inbox shows it."""
    plans_stop: int = 1_000
    """The same, before the turn is ended as failed."""
    updates_concern: int = 100_000
    """Messages of any kind, down to single words, before the inbox shows it."""
    updates_stop: int = 1_000_000
    """The same, before the turn is ended as failed."""
    echoes_concern: int = 300
    """The same words or the same plan in a row, before the inbox shows it."""
    echoes_stop: int = 3_000
    """The same, before the turn is ended as failed."""
    noise_concern: int = 1_000
    """Lines that are not part of the agent's protocol, before the inbox shows it."""
    noise_stop: int = 100_000
    """The same, before the turn is ended as failed."""
    seconds_concern: int = 3_600
    """Seconds of work, without those spent waiting for a person, before the inbox shows it."""
    seconds_stop: int = 14_400
    """The same, before the turn is ended as failed."""
    cost_concern: float = 0
    """Cost of the turn, in the currency that the agent reports, before the inbox shows it."""
    cost_stop: float = 0
    """The same, before the turn is ended as failed."""
    quiet_shown: int = 60
    """Seconds without output before `treadle show` shows the last call."""
    quiet_concern: int = 60
    """Seconds without output before the inbox shows it, also while a session does not open."""
    quiet_at_work: int = 300
    """The same, while the processes of a call use the CPU."""


class Bound(StrEnum):
    """What is counted, and what else is told of; of the latter there is no second bound here.

    A silent turn has its idle time, a session that does not open the patience for each request, and of an
    agent without our tools the second turn is the last.
    """

    REPEATS = "repeats"
    ALIKE = "alike"
    CALLS = "calls"
    PLANS = "plans"
    UPDATES = "updates"
    ECHOES = "echoes"
    NOISE = "noise"
    SECONDS = "seconds"
    COST = "cost"
    QUIET = "quiet"
    OPENING = "opening"
    TOOLS = "tools"


UNCOUNTED = frozenset({Bound.QUIET, Bound.OPENING, Bound.TOOLS})


@dataclass(frozen=True)
class Verdict:
    """A bound that was reached, in words; with `is_stop` it is the second one.

    One that is not asking is shown, and takes nobody's time; without a message it is over.
    """

    bound: Bound
    message: str = ""
    is_stop: bool = False
    is_asking: bool = True


class Circling:
    """What one turn did so far. Each bound is told once, the second one after the first."""

    def __init__(self, limits: CirclingLimits) -> None:
        self._limits = limits
        self._open: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._over: deque[str] = deque(maxlen=MAX_OPEN)
        self._recent: deque[str] = deque(maxlen=MAX_PERIOD)
        self._runs = [0] * MAX_PERIOD
        self._shapes: deque[Shape] = deque(maxlen=MAX_PERIOD)
        self._like_runs = [0] * MAX_PERIOD
        self._echo, self._echoes = "", 0
        self._asked, self._asked_times = "", 0
        self._counts: dict[Bound, float] = {b: 0 for b in Bound if b not in UNCOUNTED}
        self._reported: set[tuple[Bound, bool]] = set()
        self._quiet = 0
        self.last_call = ""

    def update(self, update: dict[str, Any]) -> None:
        """Take one update of the agent. Calls count by notification: some agents use an id again."""
        kind, call_id = kind_of(update), str(update.get("toolCallId"))
        self._counts[Bound.UPDATES] += 1
        if kind in REPEATABLE:
            self._hear(update)
        if kind == "plan":
            self._counts[Bound.PLANS] += 1
        if kind == TOOL_CALL or (kind == TOOL_CALL_UPDATE and call_id not in self._open):
            if kind == TOOL_CALL_UPDATE and call_id in self._over:
                return  # more of a call that is over
            self._settle(call_id)
            self._counts[Bound.CALLS] += 1
            self._asked_times = 0
            self._open[call_id] = {}
        if kind in TOOL_CALLS:
            self._know(call_id, update)

    def asked(self, use: dict[str, Any]) -> None:
        """Take one request for permission; those between which no call began are a circle too."""
        sign = _sign(use)
        self._asked_times = self._asked_times + 1 if sign == self._asked else 1
        self._asked = sign
        # one that is granted is asked again by right: half as much
        self._repeated(self._asked_times // 2)

    def noise(self, times: int) -> None:
        """Take how often the agent said something so far that is no part of the protocol."""
        self._counts[Bound.NOISE] = times

    @property
    def is_calling(self) -> bool:
        """Whether a call was begun whose end was not told."""
        return bool(self._open)

    def passed(self, seconds: float) -> None:
        """Take the time that the turn has worked for so far."""
        self._counts[Bound.SECONDS] = seconds

    def spent(self, cost: float) -> None:
        """Take what the turn has cost so far."""
        self._counts[Bound.COST] = cost

    def quiet(self, seconds: float, *, is_at_work: bool = False) -> Verdict | None:
        """Take how long nothing was heard; returns what is new of that, each bound of it once."""
        limits = self._limits
        bounds = (limits.quiet_shown, limits.quiet_at_work if is_at_work else limits.quiet_concern)
        level = max((n for n, limit in enumerate(bounds, 1) if 0 < limit <= seconds), default=0)
        before, self._quiet = self._quiet, level if level == 0 else max(level, self._quiet)
        if level == 0 and before > 0:
            return Verdict(Bound.QUIET)
        if level <= before:
            return None
        text = f"no output for {int(seconds)} s{self._last()}"
        return Verdict(Bound.QUIET, text, is_asking=level == len(bounds))

    def verdict(self) -> Verdict | None:
        """Return what is to be told or ended now; None where all is well or was told."""
        return next(self._reached(is_stop=True), None) or next(self._reached(is_stop=False), None)

    def _reached(self, *, is_stop: bool) -> Iterator[Verdict]:
        for bound, count in self._counts.items():
            limit = getattr(self._limits, f"{bound}_{'stop' if is_stop else 'concern'}")
            if 0 < limit <= count and (bound, is_stop) not in self._reported:
                self._reported.add((bound, is_stop))
                yield Verdict(bound, self._words(bound, count), is_stop)

    def _words(self, bound: Bound, count: float) -> str:
        text = {
            Bound.REPEATS: f"it goes round in circles: the same {count:g} times in a row",
            Bound.ALIKE: f"it makes nearly the same call again and again: {count:g} times in a row",
            Bound.CALLS: f"it made {count:g} tool calls in this turn",
            Bound.PLANS: f"it updated its plan {count:g} times in this turn",
            Bound.UPDATES: f"it sent {count:g} updates in this turn",
            Bound.ECHOES: f"it says the same {count:g} times in a row",
            Bound.NOISE: f"it sent {count:g} lines that are no part of its protocol",
            Bound.SECONDS: f"this turn has taken {int(count) // 60} min",
            Bound.COST: f"this turn has cost {count:.2f}",
        }
        return text[bound] + self._last()

    def _last(self) -> str:
        return f"; its last call: {self.last_call}" if self.last_call else ""

    def _hear(self, update: dict[str, Any]) -> None:
        content = update.get("content") or update.get("entries")
        text = without_numbers(json.dumps(content, default=str)[:MAX_ECHO])
        self._echoes = self._echoes + 1 if text == self._echo else 1
        self._echo = text
        self._counts[Bound.ECHOES] = max(self._echoes, self._counts[Bound.ECHOES])

    def _know(self, call_id: str, update: dict[str, Any]) -> None:
        call = self._open[call_id]
        names = ("kind", "title", "rawInput", "locations", "content")
        call.update({name: update[name] for name in names if update.get(name)})
        self.last_call = str(call.get("title") or call.get("kind") or "")[:MAX_NAME]
        if status_of(update) in ENDED:
            self._settle(call_id)
        while len(self._open) > MAX_OPEN:
            self._settle(next(iter(self._open)))

    def _settle(self, call_id: str) -> None:
        """Compare a call that is over, or was left, with those before it."""
        call = self._open.pop(call_id, None)
        if call is None:
            return
        self._over.append(call_id)
        sign, shape = _sign(call), shape_of(call)
        likes = _rounds(self._like_runs, self._shapes, shape.is_like)
        times = _rounds(self._runs, self._recent, lambda known: known == sign)
        self._counts[Bound.ALIKE] = max(self._counts[Bound.ALIKE], likes)
        self._recent.append(sign)
        self._shapes.append(shape)
        self._repeated(times)

    def _repeated(self, times: int) -> None:
        self._counts[Bound.REPEATS] = max(times, self._counts[Bound.REPEATS])


def _rounds(runs: list[int], recent: deque[Any], is_again: Callable[[Any], bool]) -> int:
    """Count how often the newest calls were made again, in rounds of one to four; notes that in `runs`."""
    for period in range(1, MAX_PERIOD + 1):
        is_known = len(recent) >= period and is_again(recent[-period])
        runs[period - 1] = runs[period - 1] + 1 if is_known else 0
    return max(run // n + 1 for n, run in enumerate(runs, 1))


def _sign(call: dict[str, Any]) -> str:
    """Return what equal calls have in common; one without an input is known by all that it told."""
    has_input = call.get("rawInput") or call.get("locations")
    names = ("kind", "title", "rawInput", "locations") + (() if has_input else ("content",))
    content = json.dumps([call.get(name) for name in names], sort_keys=True, default=str)
    return hashlib.sha256(content.encode(errors="replace")).hexdigest()
