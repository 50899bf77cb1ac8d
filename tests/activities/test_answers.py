"""A turn whose work cannot be committed for now: a retry commits it, and asks its agent no more."""

from dataclasses import replace

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.answers import MOST_KEPT, Answers, failed_by
from activities.breakers import Breakers
from activities.turns import Agents, Turns
from domain.agents.agents import AgentAnswer, AgentCall, StopReason, TurnResult
from domain.conversations.calls import TurnCall
from domain.core.errors import RepositoryError, TreadleError, WorkspaceError
from domain.core.ids import TurnId
from domain.core.workspaces import CommitSpec, Snapshot, WorkspaceSpec
from tests import fakes, played_agents
from tests.activities.test_copied_turns import CHANGING
from tests.activities.test_turns import ENDED, TURN


class Stubborn(fakes.PaperWorkspaces):
    """Worktrees that so many commits fail in."""

    def __init__(self, failures: int, error: TreadleError) -> None:
        super().__init__()
        self._left, self._error = failures, error

    async def commit(self, spec: WorkspaceSpec, commit: CommitSpec) -> Snapshot:
        if self._left:
            self._left -= 1
            raise self._error
        return await super().commit(spec, commit)


def committing_into(
    workspaces: Stubborn, journal: fakes.MemoryJournal
) -> tuple[Turns, list[AgentCall]]:
    """Return what runs turns of an agent that says a word, and what that was asked."""
    asked: list[AgentCall] = []

    async def play(call: AgentCall) -> AgentAnswer:
        asked.append(call)
        return played_agents.ended()

    runner = played_agents.PlayedRunner()
    runner.play = play
    agents = Agents(runner, fakes.OneAgent(), Breakers(lambda: 0.5), max_turns=1)
    return Turns(journal, workspaces, agents, fakes.PlainTemplates(), fakes.OpenFences()), asked


async def test_what_can_never_be_committed_ends_the_turn_with_the_reason() -> None:
    journal = fakes.MemoryJournal()
    never = Stubborn(1_000, RepositoryError("a.txt is not UTF-16"))
    turns, asked = committing_into(never, journal)

    result = await _attempt(turns, 1)

    assert (result.failure, result.stop_reason) == ("a.txt is not UTF-16", StopReason.REFUSAL)
    assert (result.text, result.snapshot) == (played_agents.ended().text, None)
    assert await journal.event(ENDED) is not None
    assert await _attempt(turns, 2) == result
    assert len(asked) == 1


def test_a_turn_that_was_stopped_stays_that_whatever_its_files_are() -> None:
    stopped = TurnResult(turn_id=TurnId("turn-1"), stop_reason=StopReason.CANCELLED)
    assert failed_by(stopped, RepositoryError("a.txt is not UTF-16")) == stopped


async def test_a_retry_commits_what_was_answered_and_does_not_ask_again() -> None:
    journal = fakes.MemoryJournal()
    turns, asked = committing_into(Stubborn(2, WorkspaceError("the disk is full")), journal)
    for _ in range(2):
        with pytest.raises(ApplicationError, match="the disk is full"):
            await _attempt(turns, 1)
        assert await journal.event(ENDED) is None
    result = await _attempt(turns, 3)

    assert len(asked) == 1
    assert result.snapshot is not None
    assert await journal.event(ENDED) is not None
    assert turns._answers.of(CHANGING) is None


async def _attempt(turns: Turns, number: int) -> TurnResult:
    environment = ActivityEnvironment()
    environment.info = replace(environment.info, attempt=number)
    return await environment.run(turns.run_agent_turn, TurnCall(turn=CHANGING))


def test_only_so_many_are_kept() -> None:
    answers = Answers()
    turns = [TURN.model_copy(update={"turn_id": TurnId(f"t-{n}")}) for n in range(MOST_KEPT + 1)]
    for turn in turns:
        answers.keep(TurnResult(turn_id=turn.turn_id))
    assert [turn for turn in turns if answers.of(turn) is None] == turns[:1]
