"""What a turn has changed, committed."""

from domain.agents.agents import TurnInput
from domain.core.ports import Journal
from domain.core.workspaces import Snapshot
from domain.threads.ports import Workspaces


async def snapshot_of(turn: TurnInput, workspaces: Workspaces, journal: Journal) -> Snapshot | None:
    """Commit what a turn has changed and keep its patch in the journal; None of one that only reads."""
    if turn.commit is None:
        return None
    snapshot = await workspaces.commit(turn.workspace, turn.commit)
    pairs = {"diff_ref": snapshot.base} if snapshot.commit != snapshot.base else {}
    if turn.reviewed is not None:
        pairs["since_review_ref"] = turn.reviewed
    references: dict[str, str] = {}
    for name, base in pairs.items():
        place = turn.workspace
        patch = await workspaces.diff(place.repository, base, snapshot.commit, place.beside)
        references[name] = await journal.put_text(patch)
    return snapshot.model_copy(update=references)
