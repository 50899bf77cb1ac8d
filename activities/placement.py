"""Choosing a host for a thread or a flow run."""

from datetime import timedelta

from temporalio import activity

from activities.errors import translated
from domain.hosts.calls import ChosenHost, ChosenHosts, PlaceCall
from domain.hosts.host import SILENT_SECONDS
from domain.hosts.ports import Placements


class Placement:
    """Chooses hosts; a worker without a list of hosts knows only its own."""

    def __init__(
        self, placements: Placements | None, host: str, silent_seconds: float = SILENT_SECONDS
    ) -> None:
        self._placements = placements
        self._host = host
        self._patience = timedelta(seconds=silent_seconds)

    @activity.defn
    async def choose_hosts(self, call: PlaceCall) -> ChosenHosts:
        """Return the hosts that may take it, the best one first; again gives the same first one while it can.

        Fails, not retryable, with unknown_host or no_host.
        """
        if self._placements is None:
            own = ChosenHost(host=self._host, name=self._host)
            return ChosenHosts(hosts=(own,), patience=self._patience)
        with translated():
            found = await self._placements.place(call.stream, call.wish, call.agent)
        chosen = tuple(ChosenHost(host=each.host, name=each.name) for each in found)
        return ChosenHosts(hosts=chosen, patience=self._patience)
