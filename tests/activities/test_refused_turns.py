"""Turns that a provider refuses: they go on later, and others of that provider are not burned."""

from datetime import UTC, datetime, timedelta

import pytest
from temporalio.testing import ActivityEnvironment

from activities.breakers import Breakers
from activities.turns import Agents, Turns
from domain.agents.agents import AgentCall, TurnInput, TurnResult
from domain.agents.limits.rate_limits import HOLD, PROBE
from domain.agents.profiles import AgentProfile
from domain.conversations.calls import TurnCall
from domain.core.errors import AgentError, RefusedByProviderError
from domain.core.ids import TurnId
from domain.core.workspaces import WorkspaceKind
from tests import fakes, played_agents
from tests.activities.test_turns import TURN

NOW = datetime(2026, 11, 22, 5, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


class TwoProviders:
    def profile(self, name: str, repository: str | None = None) -> AgentProfile:
        return AgentProfile(name=name, command=("true",), provider=name.split("-", maxsplit=1)[0])


class Desk:
    """An activity on fake ports, a clock, and agents whose providers answer as the test says."""

    def __init__(self) -> None:
        self.now = NOW
        self.journal = fakes.MemoryJournal()
        self.runner = played_agents.PlayedRunner()
        self.runner.play = self.play
        self.workspaces = fakes.PaperWorkspaces()
        self.refusals: dict[str, list[datetime | None]] = {}
        breakers = Breakers(now=lambda: self.now, roll=lambda: 0.5)
        self.keys: dict[str, str] = {}
        agents = Agents(
            self.runner,
            TwoProviders(),
            breakers,
            max_turns=4,
            credential=lambda profile, _model: self.keys.get(profile.name, ""),
        )
        self.turns = Turns(
            self.journal, self.workspaces, agents, fakes.PlainTemplates(), fakes.OpenFences()
        )

    async def play(self, call: AgentCall):
        refusals = self.refusals.get(call.turn.agent, [])
        if refusals:
            raise RefusedByProviderError("Too Many Requests", refusals.pop(0))
        return played_agents.done()

    async def run(self, name: str, agent: str = "one", **more) -> TurnResult:
        turn: TurnInput = TURN.model_copy(update={"turn_id": TurnId(name), "agent": agent, **more})
        return await ActivityEnvironment().run(self.turns.run_agent_turn, TurnCall(turn=turn))


@pytest.fixture
def desk() -> Desk:
    return Desk()


async def test_a_refused_turn_has_not_ended_and_tells_when_it_goes_on(desk):
    desk.refusals["one"] = [NOW + HOUR]

    result = await desk.run("turn-1")

    assert (result.retry_at, result.provider, result.failure) == (NOW + HOUR, "one", None)
    assert result.limit_reason == "Too Many Requests"
    assert result.agent_session == "agent-1"
    assert desk.workspaces.commits == []
    assert "turn_ended" not in desk.journal.kinds(TURN.session_id)


async def test_it_goes_on_with_the_prompt_that_says_so_and_ends_once(desk):
    desk.refusals["one"] = [NOW + HOUR]
    await desk.run("turn-1")
    desk.now += HOUR

    result = await desk.run("turn-1", refusals=1)

    assert result.retry_at is None
    assert [call.prompt.split(":")[0] for call in desk.runner.calls] == ["message", "interrupted"]
    assert desk.journal.kinds(TURN.session_id).count("turn_ended") == 1
    assert len({event.id for event in desk.journal.events}) == len(desk.journal.events)
    assert desk.journal.kinds(TURN.session_id).count("agent_session_opened") == 2


async def test_other_turns_of_the_provider_start_no_agent_and_those_of_others_go_on(desk):
    desk.refusals["one"] = [NOW + HOUR]
    await desk.run("turn-1")

    same = await desk.run("turn-2", agent="one-other-agent")
    other = await desk.run("turn-3", agent="two")

    assert same.retry_at == NOW + HOUR
    assert other.retry_at is None
    assert [call.turn.turn_id for call in desk.runner.calls] == ["turn-1", "turn-3"]
    assert desk.journal.bodies("turn-2") == []


async def test_turns_with_one_key_wait_together_and_those_with_another_do_not(desk):
    desk.keys = {"one": "a", "one-other-agent": "b", "two": "a"}
    desk.refusals["one"] = [NOW + HOUR]
    await desk.run("turn-1")

    same_key = await desk.run("turn-2", agent="two")
    other_key = await desk.run("turn-3", agent="one-other-agent")

    assert (same_key.retry_at, same_key.provider) == (NOW + HOUR, "two")
    assert other_key.retry_at is None
    assert [call.turn.turn_id for call in desk.runner.calls] == ["turn-1", "turn-3"]


async def test_after_the_time_one_turn_tries_first(desk):
    desk.refusals["one"] = [NOW + HOUR, None]
    await desk.run("turn-1")
    desk.now += HOUR

    again = await desk.run("turn-1", refusals=1)

    assert again.retry_at == desk.now + timedelta(seconds=10)  # half of 20 s, the second backoff
    assert (await desk.run("turn-2")).retry_at == again.retry_at
    desk.now = again.retry_at
    assert (await desk.run("turn-2")).retry_at is None
    assert (await desk.run("turn-3")).retry_at is None


async def test_a_turn_that_is_refused_again_and_again_holds_the_others_a_minute_at_most(desk):
    desk.refusals["one"] = [None]
    refused = await desk.run("turn-1", refusals=12)
    assert refused.retry_at > NOW + 2 * HOLD

    held = await desk.run("turn-2")
    assert held.retry_at == NOW + HOLD
    desk.now = held.retry_at

    assert (await desk.run("turn-2")).retry_at is None


async def test_while_one_tries_the_others_wait_a_little(desk):
    desk.refusals["one"] = [NOW + HOUR]
    await desk.run("turn-1")
    desk.now += HOUR
    blocked: list[TurnResult] = []

    async def trying(call: AgentCall):
        blocked.append(await desk.run("turn-2"))
        return played_agents.done()

    desk.runner.play = trying
    await desk.run("turn-1", refusals=1)

    assert PROBE <= blocked[0].retry_at - desk.now <= 2 * PROBE


async def test_a_person_can_have_a_turn_try_at_once(desk):
    desk.refusals["one"] = [NOW + HOUR]
    await desk.run("turn-1")

    assert (await desk.run("turn-1", refusals=1, is_urgent=True)).retry_at is None
    assert (await desk.run("turn-2")).retry_at is None


async def test_a_failure_of_the_agents_own_leaves_the_breaker_as_it_is(desk):
    async def fail(_call: AgentCall):
        raise AgentError("it exited with code 1")

    desk.runner.play = fail
    assert (await desk.run("turn-1")).failure == "it exited with code 1"
    assert (await desk.run("turn-2")).retry_at is None


async def test_what_a_reader_changed_is_thrown_away_and_told(desk):
    desk.workspaces.discarded = ("a.py",)
    planning = TURN.workspace.model_copy(update={"kind": WorkspaceKind.PLANNING})
    assert (await desk.run("turn-1", workspace=planning)).discarded == ("a.py",)
    assert (await desk.run("turn-2")).discarded == (), "a chat that plans keeps what it wrote"


async def test_waits_for_money_and_for_people_do_not_lengthen_the_wait_for_a_provider(desk):
    """They are parts of the turn as refusals are, and no provider has refused it for them."""
    desk.refusals["one"], desk.refusals["two"] = [None], [None]

    first = await desk.run("turn-1")
    paused = await desk.run("turn-2", agent="two", refusals=6, pauses=6)

    assert paused.retry_at == first.retry_at
