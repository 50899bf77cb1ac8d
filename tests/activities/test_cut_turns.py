"""A turn whose workflow was terminated is ended once, on its own host, and only where it had begun."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from activities.cut_turns import CutTurns
from domain.agents.agents import StopReason
from domain.conversations.calls import TurnCall
from domain.conversations.events import TurnEnded, TurnStarted
from domain.core.errors import RepositoryError, SupersededError
from domain.core.event import Event, Headline
from domain.core.ids import EventId, StreamId
from domain.core.money import Money
from domain.core.workspaces import Claim, CommitSpec, Snapshot, WorkspaceSpec
from tests import fakes
from tests.activities.test_turns import ENDED, TURN

SESSION = StreamId(TURN.session_id)
COMMIT = CommitSpec(key=TURN.turn_id, title="Chat turn 1", checkpoint_ref="refs/treadle/x/1")
BEGUN = Event(
    id=EventId("begun"),
    stream=SESSION,
    at=datetime(2026, 11, 26, tzinfo=UTC),
    body=TurnStarted(
        session_id=TURN.session_id, turn_id=TURN.turn_id, number=1, prompt_name="message"
    ),
)
CALL = TurnCall(turn=TURN.model_copy(update={"commit": COMMIT}), events=(BEGUN,))


class Superseded(fakes.OpenFences):
    """A workspace that somebody else works in by now."""

    @asynccontextmanager
    async def held(self, workspace_id: str, claim: Claim) -> AsyncGenerator["Superseded"]:
        raise SupersededError("a newer attempt holds this workspace")
        yield self


class Gone(fakes.PaperWorkspaces):
    """Worktrees that are removed."""

    async def commit(self, spec: WorkspaceSpec, commit: CommitSpec) -> Snapshot:
        raise RepositoryError("the worktree is gone")


@pytest.fixture
async def journal() -> fakes.MemoryJournal:
    journal = fakes.MemoryJournal()
    await journal.append([BEGUN], [Headline(stream=SESSION, kind="session")])
    return journal


@dataclass(frozen=True)
class Host:
    """A host on whose queue turns are."""

    workspaces: fakes.PaperWorkspaces = field(default_factory=fakes.PaperWorkspaces)
    fences: fakes.OpenFences = field(default_factory=fakes.OpenFences)
    queue: str = "here"

    async def ends(self, journal: fakes.MemoryJournal) -> TurnEnded | None:
        """End the turn; returns how it has ended, if it has."""
        turns = CutTurns(journal, self.workspaces, self.fences, self.queue)
        await turns.end(CALL, "here")
        event = await journal.event(ENDED)
        return event.body if event and isinstance(event.body, TurnEnded) else None


async def test_a_cut_turn_is_committed_and_ended_once(journal: fakes.MemoryJournal) -> None:
    body = await Host().ends(journal)
    assert body is not None
    assert (body.result.stop_reason, body.result.money) == (
        StopReason.CANCELLED,
        Money(unknown=1),
    )
    assert body.result.snapshot is not None
    assert body.result.snapshot.diff_ref
    workspaces = fakes.PaperWorkspaces()
    await Host(workspaces).ends(journal)
    assert (workspaces.commits, journal.kinds(SESSION)) == ([], ["turn_started", "turn_ended"])


async def test_a_turn_of_another_host_or_one_that_had_not_begun_is_left_alone(
    journal: fakes.MemoryJournal,
) -> None:
    assert await Host(queue="there").ends(journal) is None
    assert await Host().ends(fakes.MemoryJournal()) is None


@pytest.mark.parametrize("host", [Host(fences=Superseded()), Host(Gone())])
async def test_a_turn_whose_work_cannot_be_committed_has_ended_nevertheless(
    journal: fakes.MemoryJournal, host: Host
) -> None:
    body = await host.ends(journal)
    assert body is not None
    assert body.result.snapshot is None
