"""What a turn has changed, committed."""

from domain.agents.agents import TurnInput
from domain.core.ports import Journal
from domain.core.workspaces import Snapshot, WorkspaceSpec
from domain.threads.ports import Workspaces


async def snapshot_of(turn: TurnInput, workspaces: Workspaces, journal: Journal) -> Snapshot | None:
    """Commit what a turn has changed and keep its patch in the journal; None of one that only reads."""
    if turn.commit is None:
        return None
    snapshot = await workspaces.commit(turn.workspace, turn.commit)
    return await with_patches(snapshot, turn.workspace, turn.reviewed, workspaces, journal)


async def with_patches(
    snapshot: Snapshot,
    place: WorkspaceSpec,
    reviewed: str | None,
    workspaces: Workspaces,
    journal: Journal,
) -> Snapshot:
    """Return a snapshot whose patches are in the journal: against its base, and what was sent back last."""
    pairs = {"diff_ref": snapshot.base} if snapshot.commit != snapshot.base else {}
    if reviewed is not None:
        pairs["since_review_ref"] = reviewed
    references: dict[str, str] = {}
    for name, base in pairs.items():
        patch = await workspaces.diff(place.repository, base, snapshot.commit, place.beside)
        references[name] = await journal.put_text(patch)
    return snapshot.model_copy(update=references)
