"""Child workflows that nobody awaits: how they end is learned by other ways."""

import asyncio
from typing import Any

from temporalio.workflow import ChildWorkflowHandle


def leave_alone(child: ChildWorkflowHandle[Any, Any]) -> None:
    """Let a child end as it will: an error of one that is terminated is no error of this workflow's log."""
    child.add_done_callback(_retrieve)


def _retrieve(ended: asyncio.Task[Any]) -> None:
    if not ended.cancelled():
        ended.exception()
