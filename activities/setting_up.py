"""Setting the workspaces of a thread up, before its tasks need them."""

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from domain.core.ports import Journal
from domain.recipes.ports import SetUps
from domain.recipes.results import TAIL_BYTES, SetUpResult
from domain.threads.setting_up.calls import SetUpCall


class SettingUp:
    """Makes layers on this host."""

    def __init__(self, journal: Journal, set_ups: SetUps) -> None:
        self._journal = journal
        self._set_ups = set_ups

    @activity.defn
    async def set_up_workspaces(self, call: SetUpCall) -> SetUpResult:
        """Have the layer of a commit; commands that fail are a result, not an error.

        A retry finds a layer that was made whole and runs nothing again.
        """
        with translated():
            async with beating():
                result = await self._set_ups.layer(
                    call.repository, call.commit, call.recipe, call.hosts, activity.heartbeat
                )
                if len(result.output.encode()) > TAIL_BYTES:
                    reference = await self._journal.put_text(result.output)
                    tail = result.output.encode()[-TAIL_BYTES:].decode("utf-8", "ignore")
                    result = result.model_copy(update={"output": tail, "output_ref": reference})
        return result
