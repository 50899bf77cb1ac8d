"""Learnings count as offered once a prompt that tells of them is sent, and once for each offer."""

from contextlib import suppress

from domain.agents.agents import AgentAnswer, AgentCall, Prompt, PromptName
from domain.conversations.events import PromptSent
from domain.core.ids import ThreadId
from domain.learnings.events import LearningsOffered
from domain.learnings.offering import Offer
from domain.learnings.ranking import Work
from tests import played_agents
from tests.activities.test_agent_attempt import AttemptLab
from tests.activities.test_turns import TURN


class KilledError(Exception):
    """What ends an attempt as the end of its worker does."""


class Interrupted(played_agents.PlayedRunner):
    """An agent whose worker is killed in each turn, before or after it gets its prompt."""

    is_prompted = True

    async def run_turn(self, call: AgentCall, record, beat) -> AgentAnswer:
        if self.is_prompted:
            await record(PromptSent(turn_id=call.turn.turn_id, text=call.prompt))
        raise KilledError


class GrowingOffers:
    """Offers the same learning twice, then others: another task completed meanwhile."""

    def __init__(self) -> None:
        self._ids = iter((("l-1",), ("l-1",), ("l-2", "l-1")))

    async def offer(self, thread_id: ThreadId, work: Work) -> Offer:
        ids = next(self._ids)
        return Offer(learning_ids=ids, text="\n".join(f"- [{name}]" for name in ids))


WORK = TURN.model_copy(update={"prompt": Prompt(name=PromptName.TASK, fields={"title": "t"})})


async def offered_in(lab: AttemptLab, *attempts: int) -> list[tuple[str, ...]]:
    for attempt in attempts:
        with suppress(KilledError):
            await lab.run(WORK, attempt)
    return [e.body.learning_ids for e in lab.journal.events if isinstance(e.body, LearningsOffered)]


async def test_an_offer_is_told_of_once_and_a_later_attempt_tells_which_others_it_offered():
    lab = AttemptLab(Interrupted(), offers=GrowingOffers())
    assert await offered_in(lab, 1, 2, 3) == [("l-1",), ("l-2", "l-1")]


async def test_what_no_prompt_told_was_not_offered():
    runner = Interrupted()
    runner.is_prompted = False
    lab = AttemptLab(runner, offers=GrowingOffers())
    assert await offered_in(lab, 1, 2) == []
    runner.is_prompted = True
    assert await offered_in(lab, 3) == [("l-2", "l-1")]
