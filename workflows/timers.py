"""Durable timers."""

import asyncio
from datetime import datetime, timedelta

from temporalio import workflow

from workflows.summaries import shown


async def wait_until(at: datetime, why: str) -> bool:
    """Wait until a moment, which may have passed; returns False where the wait was cancelled."""
    left = at - workflow.now()
    try:
        await workflow.sleep(max(left, timedelta()), summary=shown(why))
    except asyncio.CancelledError:
        return False
    return True
