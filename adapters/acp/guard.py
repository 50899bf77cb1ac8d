"""Watches a turn while it runs: tells what worries, and ends it at the second bound."""

import asyncio
from collections.abc import Callable
from typing import Any

from adapters.acp.limits import clipped
from adapters.acp.transcript import Transcript
from adapters.acp.work import Work
from adapters.tolerant import as_dict
from domain.agents.limits.circling import Bound, Circling, CirclingLimits, Verdict
from domain.conversations.events import TurnConcern
from domain.core.errors import AgentError, TreadleError
from domain.core.ids import TurnId

MAX_WORDS_BYTES = 300
WORK_SECONDS = 10.0
"""So long after it computed last, a process still works."""

WITHOUT_TOOLS = (
    "it has not asked for Treadle's tools: until it does it cannot report its work "
    "(`treadle agents try` tells what keeps it from them)"
)


class Guard:
    """Watches one turn after another: `give_up` ends one; what worries goes into its transcript."""

    _transcript: Transcript | None = None

    def __init__(self, give_up: Callable[[TreadleError], None], pid: int) -> None:
        self._give_up = give_up
        self._work = Work(pid, asyncio.get_running_loop().time)
        self._computed_at = 0.0
        self.begin(TurnId(""), CirclingLimits(), None)

    def begin(self, turn_id: TurnId, limits: CirclingLimits, transcript: Transcript | None) -> None:
        """Begin to watch a turn."""
        self._turn_id = turn_id
        self._circling, self._limits = Circling(limits), limits
        self._transcript = transcript
        self._worked = 0.0
        self._looked_at: float | None = None
        self._lacks_tools = False

    def updated(self, update: dict[str, Any], cost: float | None) -> None:
        """Take an update of the agent, and what the turn has cost so far."""
        self._circling.update(update)
        if cost is not None:
            self._circling.spent(cost)
        self._judge()

    def asked(self, params: dict[str, Any]) -> None:
        """Take a request for permission."""
        self._circling.asked(as_dict(params.get("toolCall")))
        self._judge()

    async def look(self, heard_at: float, noise: int, *, is_waiting: bool) -> None:
        """Look at the clock, at how often the agent said nothing of its protocol, and at what it computes.

        Time in which the agent waits for a person is not its own.
        """
        now = asyncio.get_running_loop().time()
        if self._looked_at is not None and not is_waiting:
            self._worked += now - self._looked_at
        self._looked_at = now
        self._circling.passed(self._worked)
        self._circling.noise(noise)
        quiet_for = 0 if is_waiting else now - heard_at
        is_at_work = await self._is_at_work(quiet_for)
        self._tell(self._circling.quiet(quiet_for, is_at_work=is_at_work))
        self._judge()

    async def _is_at_work(self, quiet_for: float) -> bool:
        """Tell whether a call of a silent agent goes on, by what its processes compute."""
        if not self._circling.is_calling or 2 * quiet_for < self._limits.quiet_concern:
            return False
        clock = asyncio.get_running_loop().time
        if await asyncio.to_thread(self._work.is_going_on):
            self._computed_at = clock()
        return clock() - self._computed_at < WORK_SECONDS

    def lacks_tools(self, *, is_so: bool) -> None:
        """Tell once that the agent has not asked for our tools, and once that it has."""
        if is_so != self._lacks_tools:
            self._lacks_tools = is_so
            self._tell(Verdict(Bound.TOOLS, WITHOUT_TOOLS if is_so else ""))

    def _judge(self) -> None:
        while (verdict := self._circling.verdict()) is not None:
            self._tell(verdict)

    def _tell(self, verdict: Verdict | None) -> None:
        if verdict is None:
            return
        said = clipped(verdict.message, MAX_WORDS_BYTES)
        if verdict.is_stop:
            self._give_up(AgentError(f"the turn was ended: {said} (limit `{verdict.bound}_stop`)"))
        elif self._transcript is not None:
            concern = TurnConcern(
                turn_id=self._turn_id,
                bound=verdict.bound,
                message=said,
                is_asking=verdict.is_asking,
            )
            self._transcript.put(concern)
