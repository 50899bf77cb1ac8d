"""Tells what a turn takes: now and then while it runs, and at its end where no answer tells it."""

import asyncio
from typing import Any

from adapters.acp.tally import Tally
from adapters.acp.transcript import Transcript
from adapters.acp.usage import usage_of
from adapters.tolerant import as_dict
from domain.agents.agents import Usage, UsageSource
from domain.agents.profiles import AgentProfile
from domain.agents.spending import Taken
from domain.conversations.events import TurnUsageUpdated
from domain.core.ids import TurnId


class Spending:
    """Watches one turn after another of a session."""

    def __init__(self, tally: Tally, profile: AgentProfile) -> None:
        self._tally = tally
        self._profile = profile
        self._transcript: Transcript | None = None
        self._turn_id = TurnId("")
        self._reported = Taken()
        self._due = 0.0
        self._every = 0.0

    def begin(self, turn_id: TurnId, every: float, transcript: Transcript | None) -> None:
        """Begin to watch a turn; what it takes is told every so many seconds, where it is more."""
        self._turn_id, self._every, self._transcript = turn_id, every, transcript
        self._reported = Taken()
        self._due = asyncio.get_running_loop().time() + every

    def usage(self, reported: Usage | None) -> Usage | None:
        """Return the turn's usage, of what its answer told, or its calls, and of its cost so far."""
        quirks = self._profile.quirks
        if reported is None and quirks.tells_each_call:
            reported = self._tally.by_calls
        if reported is not None and quirks.tells_last_call:
            reported = reported.model_copy(update={"source": UsageSource.LAST_CALL})
        return self._tally.meter.metered(reported)

    def look(self, now: float) -> None:
        """Tell what the turn took so far, if it is time to."""
        if now >= self._due:
            self._due = now + self._every
            self._report(self.usage(None))

    def answered(self) -> None:
        """The turn has ended well: its answer is told by others."""
        self._transcript = None

    def over(self, asked: asyncio.Task[dict[str, Any]]) -> None:
        """The turn has ended; where that was no good end, an answer may still tell what it took."""
        is_answered = asked.done() and not asked.cancelled() and asked.exception() is None
        self._report(self.usage(usage_of(as_dict(asked.result())) if is_answered else None))
        self._transcript = None

    def _report(self, usage: Usage | None) -> None:
        calls, failures = self._tally.tool_calls, self._tally.tool_failures
        taken = Taken(usage=usage, tool_calls=calls, tool_failures=failures)
        if self._transcript is not None and taken != self._reported:
            self._reported = taken
            self._transcript.put(TurnUsageUpdated(turn_id=self._turn_id, taken=taken))
