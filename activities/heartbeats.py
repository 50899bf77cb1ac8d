"""Heartbeats at an interval while an activity works, so that a dead worker is noticed in seconds."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from temporalio import activity

INTERVAL_SECONDS = 2.0


@asynccontextmanager
async def beating() -> AsyncGenerator[None]:
    """Heartbeat every two seconds until the block ends; what ends before costs no heartbeat."""
    beat = asyncio.create_task(_beat())
    try:
        yield
    finally:
        beat.cancel()


async def _beat() -> None:
    while True:
        await asyncio.sleep(INTERVAL_SECONDS)
        activity.heartbeat()


def is_asked_for() -> bool:
    """Tell a cancellation that a person asked for from an attempt that was lost or shut down.

    A worker that slept past its heartbeats is told to stop as well; its turn goes on elsewhere and
    must not be journaled as ended.
    """
    details = activity.cancellation_details()
    return details is not None and details.cancel_requested
