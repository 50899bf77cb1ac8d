"""Finds the workflows that look at a forge or a tracker, and tells them that something may have changed."""

from collections.abc import Iterable, Mapping, Sequence

from temporalio.client import Client, WorkflowExecution
from temporalio.service import RPCError, RPCStatusCode

from domain.core.seals import Unsealed
from domain.forges.hints import LOOK, WATCHERS, ForgeHint

MOST = 1_000
"""How many workflows are looked through at a time."""

_GONE = frozenset({RPCStatusCode.NOT_FOUND, RPCStatusCode.FAILED_PRECONDITION})


class Watchers:
    """The workflows whose listing says what they watch; see domain/forges/hints.py."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def tell(self, hints: Sequence[ForgeHint]) -> int:
        """Send each hint to the workflows that watch what it is about; returns how many signals.

        A workflow that ended meanwhile needs none.

        Raises:
            RPCError: Temporal does not answer.
        """
        wanted: dict[str, list[ForgeHint]] = {}
        for hint in hints:
            wanted.setdefault(hint.watched, []).append(hint)
        if not wanted:
            return 0
        sent = 0
        async for workflow in self._client.list_workflows(_query(), limit=MOST):
            for hint in wanted.get(await _watches(workflow), ()):
                sent += await self.wake(workflow.id, hint)
        return sent

    async def wake(self, workflow_id: str, hint: ForgeHint) -> bool:
        """Send a hint to one workflow; returns whether there is one.

        Raises:
            RPCError: Temporal does not answer.
        """
        handle = self._client.get_workflow_handle(workflow_id)
        try:
            await handle.signal(LOOK, hint)
        except RPCError as error:
            if error.status not in _GONE:
                raise
            return False
        return True


async def _watches(workflow: WorkflowExecution) -> str:
    """Return what a workflow watches: in clear, so anybody may have written it, which costs a look."""
    memo: Mapping[str, object] = await workflow.memo()
    watches = memo.get("watches", "")
    if isinstance(watches, Unsealed):
        watches = watches.value
    return watches if isinstance(watches, str) else ""


def _query(kinds: Iterable[str] = WATCHERS) -> str:
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    return f"ExecutionStatus = 'Running' AND TreadleKind IN ({listed})"
