"""How each worker watches over the others: silent hosts are given up, and what they held goes on elsewhere."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from adapters.journal.host_moves import HostMoves
from adapters.looking import keep_looking
from domain.core.moves import HostMove

LOOK_SECONDS = 2.0

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class HostFailover:
    """The watch of one worker; any number of them may watch the same hosts."""

    moves: HostMoves
    client: Client
    limit: float
    has_hub: bool

    async def keep(self, look: float = LOOK_SECONDS) -> None:
        """Look again and again, until it is cancelled; what fails is tried again at the next look."""
        await keep_looking(self.look, look, "hosts could not be watched", _LOG)

    async def look(self) -> None:
        """Give up hosts that are silent for too long, and send what they held elsewhere.

        Raises:
            JournalError: The journal does not answer.
            RPCError: Temporal does not answer.
        """
        for host in await self.moves.give_up(self.limit, has_hub=self.has_hub):
            words = "host %s was silent for %d s: its work goes on elsewhere"
            _LOG.warning(words, host.name, host.silent_seconds)
        await self.send(await self.moves.move_on(has_hub=self.has_hub))

    async def send(self, moves: Sequence[tuple[str, HostMove]]) -> None:
        """Signal moves to the threads and flow runs that they are of.

        Raises:
            JournalError: The journal does not answer.
            RPCError: Temporal does not answer.
        """
        for stream, move in moves:
            await self._send(stream, move)
            await self.moves.note_sent(stream, move.generation)

    async def _send(self, stream: str, move: HostMove) -> None:
        try:
            await self.client.get_workflow_handle(stream).signal("move_host", move)  # pyright: ignore[reportUnknownMemberType] SDK's type
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:  # what has ended goes on nowhere
                raise
