"""What an agent does inside a turn, watched for circles and floods: pure, fed by whoever listens to it."""

import hashlib
import json
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from domain.wire import Wire

MAX_PERIOD = 4
"""The longest round of different calls that is still seen as a circle."""

MAX_OPEN = 32
MAX_NAME = 80
OVER = frozenset({"completed", "failed"})


class CirclingLimits(Wire, extra="forbid"):
    """The bounds of one turn: at the first a person is told, at the second it is ended; 0 is none.

    `repeats` are identical calls in a row, or identical rounds of up to four calls. `calls` are tool
    calls, `plans` its updates of the plan, `updates` all that the agent sends, down to single words.
    `seconds` leave out the time that the agent waits for a person. `cost` is in the agent's currency.
    Seconds without any output are shown at `quiet_shown`, and a person is told at `quiet_concern`.
    """

    repeats_concern: int = 10
    repeats_stop: int = 20
    calls_concern: int = 300
    calls_stop: int = 1_000
    plans_concern: int = 300
    plans_stop: int = 1_000
    updates_concern: int = 100_000
    updates_stop: int = 1_000_000
    seconds_concern: int = 3_600
    seconds_stop: int = 14_400
    cost_concern: float = 0
    cost_stop: float = 0
    quiet_shown: int = 60
    quiet_concern: int = 300


class Bound(StrEnum):
    """What is counted; of silence there is no second bound here: a turn has its idle time.

    Nor is there one of an agent without our tools, which can't be counted: its second turn is its last.
    """

    REPEATS = "repeats"
    CALLS = "calls"
    PLANS = "plans"
    UPDATES = "updates"
    SECONDS = "seconds"
    COST = "cost"
    QUIET = "quiet"
    TOOLS = "tools"


UNCOUNTED = frozenset({Bound.QUIET, Bound.TOOLS})


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
        self._asked, self._asked_times = "", 0
        self._counts: dict[Bound, float] = {b: 0 for b in Bound if b not in UNCOUNTED}
        self._told: set[tuple[Bound, bool]] = set()
        self._quiet = 0
        self.last_call = ""

    def update(self, update: dict[str, Any]) -> None:
        """Take one update of the agent. Calls count by notification: some agents use an id again."""
        kind, call_id = update.get("sessionUpdate"), str(update.get("toolCallId"))
        self._counts[Bound.UPDATES] += 1
        if kind == "plan":
            self._counts[Bound.PLANS] += 1
        if kind == "tool_call" or (kind == "tool_call_update" and call_id not in self._open):
            if kind == "tool_call_update" and call_id in self._over:
                return  # more of a call that is over
            self._settle(call_id)
            self._counts[Bound.CALLS] += 1
            self._asked_times = 0
            self._open[call_id] = {}
        if kind in {"tool_call", "tool_call_update"}:
            self._know(call_id, update)

    def asked(self, use: dict[str, Any]) -> None:
        """Take one request for permission; those between which no call began are a circle too."""
        sign = _sign(use)
        self._asked_times = self._asked_times + 1 if sign == self._asked else 1
        self._asked = sign
        # one that is granted is asked again by right: half as much
        self._repeated(self._asked_times // 2)

    def passed(self, seconds: float) -> None:
        """Take the time that the turn has worked for so far."""
        self._counts[Bound.SECONDS] = seconds

    def spent(self, cost: float) -> None:
        """Take what the turn has cost so far."""
        self._counts[Bound.COST] = cost

    def quiet(self, seconds: float) -> Verdict | None:
        """Take how long nothing was heard; returns what is new of that, each bound of it once."""
        bounds = (self._limits.quiet_shown, self._limits.quiet_concern)
        level = max((n for n, limit in enumerate(bounds, 1) if 0 < limit <= seconds), default=0)
        before, self._quiet = self._quiet, level
        if level == 0 and before > 0:
            return Verdict(Bound.QUIET)
        if level <= before:
            return None
        said = f"no output for {int(seconds)} s{self._last()}"
        return Verdict(Bound.QUIET, said, is_asking=level == len(bounds))

    def verdict(self) -> Verdict | None:
        """Return what is to be told or ended now; None where all is well or was told."""
        return next(self._reached(is_stop=True), None) or next(self._reached(is_stop=False), None)

    def _reached(self, *, is_stop: bool) -> Iterator[Verdict]:
        for bound, count in self._counts.items():
            limit = getattr(self._limits, f"{bound}_{'stop' if is_stop else 'concern'}")
            if 0 < limit <= count and (bound, is_stop) not in self._told:
                self._told.add((bound, is_stop))
                yield Verdict(bound, self._words(bound, count), is_stop)

    def _words(self, bound: Bound, count: float) -> str:
        said = {
            Bound.REPEATS: f"it goes round in circles: the same {count:g} times in a row",
            Bound.CALLS: f"it made {count:g} tool calls in this turn",
            Bound.PLANS: f"it updated its plan {count:g} times in this turn",
            Bound.UPDATES: f"it sent {count:g} updates in this turn",
            Bound.SECONDS: f"this turn has taken {int(count) // 60} min",
            Bound.COST: f"this turn has cost {count:.2f}",
        }
        return said[bound] + self._last()

    def _last(self) -> str:
        return f"; its last call: {self.last_call}" if self.last_call else ""

    def _know(self, call_id: str, update: dict[str, Any]) -> None:
        call = self._open[call_id]
        names = ("kind", "title", "rawInput", "locations", "content")
        call.update({name: update[name] for name in names if update.get(name)})
        self.last_call = str(call.get("title") or call.get("kind") or "")[:MAX_NAME]
        if update.get("status") in OVER:
            self._settle(call_id)
        while len(self._open) > MAX_OPEN:
            self._settle(next(iter(self._open)))

    def _settle(self, call_id: str) -> None:
        """Compare a call that is over, or was left, with those before it."""
        call = self._open.pop(call_id, None)
        if call is None:
            return
        self._over.append(call_id)
        sign = _sign(call)
        for period in range(1, MAX_PERIOD + 1):
            is_known = len(self._recent) >= period and self._recent[-period] == sign
            self._runs[period - 1] = self._runs[period - 1] + 1 if is_known else 0
        self._recent.append(sign)
        self._repeated(max(run // n + 1 for n, run in enumerate(self._runs, 1)))

    def _repeated(self, times: int) -> None:
        self._counts[Bound.REPEATS] = max(times, self._counts[Bound.REPEATS])


def _sign(call: dict[str, Any]) -> str:
    """Return what equal calls have in common; one without an input is known by all that it told."""
    has_input = call.get("rawInput") or call.get("locations")
    names = ("kind", "title", "rawInput", "locations") + (() if has_input else ("content",))
    told = json.dumps([call.get(name) for name in names], sort_keys=True, default=str)
    return hashlib.sha256(told.encode(errors="replace")).hexdigest()
