"""A host that is drained while it works: its turn ends there, and all else goes on at another host."""

import asyncio
from pathlib import Path

from adapters.host_drain import HostDrain
from adapters.host_failover import HostFailover
from adapters.journal import SqlJournal, open_journal
from domain.agents.agents import AgentAnswer, AgentCall
from domain.core.event import Headline
from domain.hosts.draining import Drain
from domain.hosts.host import HostFacts, HostState
from domain.hosts.placement import HostWish
from domain.tasks.agent_commands import ReportDone
from tests.played_agents import done
from tests.workflows.conftest import House
from tests.workflows.test_moving import ONE, Street, street

__all__ = ["street"]


class Turn:
    """A turn that lasts until it may end, and reports its work then."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.may_end = asyncio.Event()

    async def play(self, call: AgentCall) -> AgentAnswer:
        await self.may_end.wait()
        turn = call.turn
        await self.house.send(turn.owner, ReportDone(session_id=turn.session_id, summary="all"))
        return done()


async def placed(journal: SqlJournal, thread: str) -> None:
    """Note that a thread on a URL is on the first of two hosts that are up."""
    for host in ("test", "other"):
        await journal.hosts.register(HostFacts(host=host, name=host))
        await journal.presence.beat(host)
    await journal.hosts.place(thread, HostWish(name="test"))
    project = "https://git.example/shop@" + "a" * 40
    shown = Headline(
        stream=thread, kind="thread", title="t", project=project, status="open", waiting_for=""
    )
    await journal.append([], [shown])


async def standing(journal: SqlJournal) -> Drain:
    """Return how far the first host is."""
    return (await journal.moves.drains(has_hub=True))["test"]


def drain_of(street: Street, journal: SqlJournal, changes: list[str]) -> HostDrain:
    failover = HostFailover(journal.moves, street.home.client, 0, has_hub=True)
    begin, end = (lambda: changes.append("begun")), (lambda: changes.append("ended"))
    return HostDrain("test", failover, street.held, lambda _: True, begin, end)


async def test_a_turn_ends_where_it_runs_and_the_steps_after_it_run_elsewhere(
    street: Street, tmp_path: Path
) -> None:
    home, other = street.home, street.other
    await street.open_other()
    thread = await home.open()
    proposed = await home.proposed(thread.id, ONE)
    turn, changes = Turn(home), list[str]()
    home.runner.play = turn.play
    async with open_journal(f"sqlite:///{tmp_path / 'hosts.db'}") as journal:
        await placed(journal, thread.id)
        drain = drain_of(street, journal, changes)
        await home.approve(thread.id, proposed)
        await home.seen(f"{thread.id}/task-1/session-1", "prompt_sent")
        await journal.hosts.decide("test", HostState.DRAINING)
        for _ in range(3):
            await drain.look()
        assert (await standing(journal)).at_work == (thread.id,)

        turn.may_end.set()
        keeping = asyncio.create_task(drain.keep(look=0.05))
        gate = await home.seen(f"{thread.id}/task-1", "gate_opened")
        await home.approve(f"{thread.id}/task-1", gate)
        await home.seen(thread.id, "plan_completed")
        assert (await standing(journal)).is_drained
        keeping.cancel()
        await journal.hosts.decide("test", HostState.UP)
        await drain.look()
    assert (changes, street.held.is_holding) == (["begun", "ended"], False)
    (taken,) = [call for call in home.runner.calls if call.turn.workspace.task_id]
    assert "interrupted" not in taken.prompt
    assert (other.runner.calls, home.verifier.ran) == ([], [])
    assert len(other.verifier.ran) == len(other.workspaces.merged) == 1
