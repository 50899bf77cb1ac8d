"""The way from the ledger to the workflow of limits, and to those whose turns wait."""

from contextlib import suppress

from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal.door import TemporalCommands
from adapters.temporal.starting import Starter
from domain.agents.ledger import Reserved
from domain.agents.limits.money import Admission
from domain.conversations.commands import FreeTurn, StopTurn
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.ids import RequestId, StreamId
from domain.money.commands import NoteLimits


class TemporalPurses:
    """The port `Purses`: signals, which make the workflow of limits begin where there is none."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def tell(self, admission: Admission) -> None:
        """Tell the workflow of limits that some are near or reached."""
        note = NoteLimits(
            near=admission.near, reached=admission.reached, month_ends=admission.month_ends
        )
        await Starter(self._client).open_money(note)

    async def drop(self, idle: tuple[RequestId, ...]) -> None:
        """Tell it of questions for whose answer nothing waits any more."""
        await Starter(self._client).open_money(NoteLimits(idle=idle))

    async def free(self, owner: StreamId) -> None:
        """Let a turn that waits for a limit try again; where none waits any more, that is fine."""
        try:
            await self._client.get_workflow_handle(owner).signal("free_turn", FreeTurn())
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise

    async def stop(self, waits: Reserved, by: str) -> None:
        """Stop a turn that waits for a limit, as that person; another one of its owner goes on."""
        stop = StopTurn(by=by, addressed_to=waits.owner, turn_id=waits.turn)
        with suppress(NotFoundError, WrongStateError):
            await TemporalCommands(self._client).leave(waits.owner, stop)
