"""What people change in a task's work themselves: suggested lines, put into its files and committed."""

from temporalio import activity

from activities.claims import claim_of
from activities.errors import translated
from activities.heartbeats import beating
from activities.snapshots import with_patches
from domain.core.errors import InvalidError, StaleError
from domain.core.ports import Fences, Journal
from domain.tasks.edit_calls import EditCall, Edited
from domain.threads.ports import Workspaces


class Edits:
    """Applies suggestions in a task's workspace, of which this attempt is the one writer."""

    def __init__(self, journal: Journal, workspaces: Workspaces, fences: Fences) -> None:
        self._journal = journal
        self._workspaces = workspaces
        self._fences = fences

    @activity.defn
    async def apply_suggestions(self, call: EditCall) -> Edited:
        """Apply and commit; may run again, as files end the same and a key is committed once.

        Where it fails, an attempt may have written: then `take_back_suggestions` follows.
        """
        place = call.workspace
        with translated():
            async with beating(), self._fences.held(place.workspace_id, claim_of(call)):
                try:
                    await self._workspaces.edit(place, call.snapshot.commit, call.suggestions)
                except (InvalidError, StaleError) as error:
                    if activity.info().attempt > 1:
                        raise
                    return Edited(failure=error.message)
                snapshot = await self._workspaces.commit(place, call.commit)
                shown = await with_patches(
                    snapshot, place, call.reviewed, self._workspaces, self._journal
                )
        return Edited(snapshot=shown)

    @activity.defn
    async def take_back_suggestions(self, call: EditCall) -> Edited:
        """Have the work as it was before its suggestions were applied; may run again."""
        place, commit = call.workspace, call.snapshot.commit
        with translated():
            async with beating(), self._fences.held(place.workspace_id, claim_of(call)):
                await self._workspaces.take_back(place, commit, call.suggestions, call.commit.key)
        return Edited(snapshot=call.snapshot)
