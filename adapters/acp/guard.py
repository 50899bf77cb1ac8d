"""Watches a turn while it runs: tells what worries, and ends it at the second bound."""

from collections.abc import Callable
from typing import Any

from adapters.acp.limits import clipped
from adapters.acp.transcript import Transcript
from adapters.tolerant import as_dict
from domain.errors import AgentError, TreadleError
from domain.events.session import TurnConcern
from domain.ids import TurnId
from domain.limits.circling import Bound, Circling, CirclingLimits, Verdict

MAX_WORDS_BYTES = 300
WITHOUT_TOOLS = (
    "it has not asked for Treadle's tools: until it does it cannot report its work "
    "(`treadle agents try` tells what keeps it from them)"
)


class Guard:
    """Watches one turn after another: `give_up` ends one; what worries goes into its transcript."""

    _transcript: Transcript | None = None

    def __init__(self, give_up: Callable[[TreadleError], None]) -> None:
        self._give_up = give_up
        self.begin(TurnId(""), CirclingLimits(), None)

    def begin(self, turn_id: TurnId, limits: CirclingLimits, transcript: Transcript | None) -> None:
        """Begin to watch a turn."""
        self._turn_id = turn_id
        self._circling = Circling(limits)
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

    def look(self, now: float, heard_at: float, *, is_waiting: bool) -> None:
        """Look at the clock: time in which the agent waits for a person is not its own."""
        if self._looked_at is not None and not is_waiting:
            self._worked += now - self._looked_at
        self._looked_at = now
        self._circling.passed(self._worked)
        self._tell(self._circling.quiet(0 if is_waiting else now - heard_at))
        self._judge()

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
