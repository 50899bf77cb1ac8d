"""What a turn has taken: over all tries and attempts at its present part, as far as it was told."""

import asyncio

from activities.claims import attempts_upto
from domain.agents.agents import AgentAnswer, TurnInput, TurnResult
from domain.agents.ports import Rate
from domain.agents.spending import Taken
from domain.conversations.events import AgentSessionOpened, TurnUsageUpdated
from domain.core.ids import EventId
from domain.core.money import Money
from domain.core.ports import Journal

MODEL = "model"
"""The category of the option that says which model an agent has (ACP)."""

MAX_UPDATES = 2_000
"""More than one a minute over the day that a turn may take."""


class Spending:
    """Counts one attempt on top of what is journaled of those before it; a killed worker loses a minute."""

    def __init__(
        self, journal: Journal, turn: TurnInput, attempt: int, rate: Rate | None = None
    ) -> None:
        self._rate = rate
        self._model = turn.model or ""
        self._is_asked = self._is_cut = False
        self._journal = journal
        self._turn = turn
        self._attempt = attempt
        self._clock = asyncio.get_running_loop().time
        self._began = self._clock()
        self._before = Taken()
        self._now = Taken()
        self._updates = 0

    async def recall(self) -> None:
        """Take up what the newest attempt before this one told last."""
        for attempt in attempts_upto(self._attempt - 1):
            last = None
            for number in range(1, MAX_UPDATES):
                event = await self._journal.event(self._event_id(attempt, number))
                if event is None or not isinstance(event.body, TurnUsageUpdated):
                    break
                last = event.body
            if last is not None:
                self._before = last.taken
                return

    def add(self, update: TurnUsageUpdated) -> tuple[TurnUsageUpdated, EventId]:
        """Take what a try told; returns what to journal of all so far, and under which id."""
        self._now = update.taken
        self._updates += 1
        taken = self._sum()
        money = self._rate(taken.usage, self._model) if self._rate and taken.usage else None
        so_far = money and money.model_copy(update={"unknown": 0})
        whose = {"agent": self._turn.agent, "model": self._turn.model, "money": so_far}
        body = update.model_copy(
            update={"part": self._turn.refusals, "taken": taken.model_copy(update=whose)}
        )
        return body, self._event_id(self._attempt, self._updates)

    def begin_again(self) -> None:
        """A try has ended without an answer, another one begins."""
        self._before, self._now = self._before.plus(self._now), Taken()

    def asked(self) -> None:
        """The agent has the prompt: from now on the turn costs something."""
        self._is_asked = True

    def cut(self) -> None:
        """An attempt before this one was cut off at its work: nobody knows all that it took."""
        self._is_cut = self._attempt > 1
        self._is_asked = True

    def opened(self, session: AgentSessionOpened) -> None:
        """Take the model that the agent's session has."""
        for option in session.options:
            if option.category == MODEL and isinstance(option.current, str) and option.current:
                self._model = option.current

    def answered(self, answer: AgentAnswer) -> None:
        """Take the answer that ends the turn, in the place of what its try told before."""
        self._now = Taken(
            usage=answer.usage, tool_calls=answer.tool_calls, tool_failures=answer.tool_failures
        )

    def on(self, result: TurnResult) -> TurnResult:
        """Return the turn's result with what it has taken."""
        taken = self._sum()
        return taken.model_copy(update={"money": self._cost(taken, result)}).on(result, self._turn)

    async def on_failure(self, result: TurnResult) -> TurnResult:
        """Return the same of one that fails for good, perhaps before its agent had the prompt."""
        if self._attempt > 1 and await self._journal.event(prompt_event(self._turn)) is not None:
            self.cut()
        return self.on(result)

    def _cost(self, taken: Taken, result: TurnResult) -> Money | None:
        """Return what it cost; what a provider refused, and no agent was asked for, cost nothing."""
        if self._rate is None:
            return None
        is_refused = result.retry_at is not None or not self._is_asked
        if taken.usage is None and not taken.tool_calls and is_refused:
            return Money()
        known = self._rate(taken.usage, self._model)
        is_less = self._is_cut and not (known.unknown or known.included_turns)
        return known.plus(Money(unknown=1)) if is_less else known

    def _sum(self) -> Taken:
        took = Taken(duration_ms=int((self._clock() - self._began) * 1000))
        return self._before.plus(self._now).plus(took)

    def _event_id(self, attempt: int, number: int) -> EventId:
        return EventId(f"{self._turn.turn_id}:spent:{self._turn.refusals}.{attempt}.{number}")


def prompt_event(turn: TurnInput) -> EventId:
    """Return the id of the event that the agent was given a turn's prompt."""
    return EventId(f"{turn.turn_id}:prompt")
