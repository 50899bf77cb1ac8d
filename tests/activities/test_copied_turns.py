"""A turn's work is on the hub before anybody hears of its end."""

import asyncio

from temporalio.activity import ActivityCancellationDetails
from temporalio.testing import ActivityEnvironment

from activities.breakers import Breakers
from activities.turns import Agents, Turns
from domain.agents.agents import StopReason
from domain.conversations.calls import TurnCall
from domain.core.workspaces import CommitSpec, WorkspaceSpec
from tests import fakes, played_agents
from tests.activities.test_turns import ENDED, TURN

CHANGING = TURN.model_copy(
    update={"commit": CommitSpec(key="1", title="work", checkpoint_ref="refs/x")}
)


class SlowCopies:
    """A hub that takes its time."""

    def __init__(self) -> None:
        self.copied: list[WorkspaceSpec] = []
        self.asked, self.done = asyncio.Event(), asyncio.Event()

    async def copy_work(self, place: WorkspaceSpec) -> None:
        self.copied.append(place)
        self.asked.set()
        await self.done.wait()


def turns_with(copies: SlowCopies, journal: fakes.MemoryJournal) -> Turns:
    agents = Agents(
        played_agents.PlayedRunner(), fakes.OneAgent(), Breakers(lambda: 0.5), max_turns=1
    )
    fences, templates = fakes.OpenFences(), fakes.PlainTemplates()
    return Turns(journal, fakes.PaperWorkspaces(), agents, templates, fences, copies=copies)


async def test_the_end_of_a_turn_is_journaled_once_its_work_is_copied() -> None:
    copies, journal = SlowCopies(), fakes.MemoryJournal()
    turns = turns_with(copies, journal)
    call = TurnCall(turn=CHANGING)
    running = asyncio.ensure_future(ActivityEnvironment().run(turns.run_agent_turn, call))
    await copies.asked.wait()

    assert await journal.event(ENDED) is None
    copies.done.set()
    await running
    assert await journal.event(ENDED) is not None
    assert copies.copied == [CHANGING.workspace]


async def test_a_stop_while_work_is_copied_comes_too_late() -> None:
    copies, journal = SlowCopies(), fakes.MemoryJournal()
    turns, environment = turns_with(copies, journal), ActivityEnvironment()
    call = TurnCall(turn=CHANGING)
    running = asyncio.ensure_future(environment.run(turns.run_agent_turn, call))
    await copies.asked.wait()
    environment.cancel(cancellation_details=ActivityCancellationDetails(cancel_requested=True))
    result = await running

    assert result.stop_reason is StopReason.END_TURN
    assert await journal.event(ENDED) is not None


async def test_a_turn_that_only_reads_copies_nothing() -> None:
    copies, journal = SlowCopies(), fakes.MemoryJournal()
    await ActivityEnvironment().run(turns_with(copies, journal).run_agent_turn, TurnCall(turn=TURN))
    assert copies.copied == []
